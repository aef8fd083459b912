import { cut, isJsonObject, isTooDeep, type JsonObject, type JsonValue, parseLine } from "@sm/core";
import type { Line, LineOptions } from "./lines.ts";

/** A record of the agent's RPC mode, or of the service, whose types start with `service_`. */
export type AgentRecord = JsonObject & { type: string };

/** A record as it is kept. */
export interface TakenRecord {
  record: AgentRecord;
  /** Approximate size as JSON. */
  bytes: number;
}

/** Half of a subscriber's queue: a larger record would make the subscriber lose its queue. */
const MAX_RECORD_SIZE = 512 * 1024;
/** Maximum length of a text in a record that is too large. */
const MAX_TEXT_SIZE = 64 * 1024;
/** Characters shown of an unrecognized line. */
const GARBAGE_SHOWN = 500;

const DELTA = /^\{"type":"message_update","assistantMessageEvent":\{"type":"\w+_delta",/;
/** In a delta this is always a key: within a string, the quote would be escaped. */
const PARTIAL = Buffer.from(',"partial":');
/** A response starts with the request that it belongs to. */
const ANSWER = /^\{"id":"(\d{1,16})","type":"response","command":"([a-z_]{1,64})"/;
const TYPE_FIRST = /^\{"type":"([a-z_]{1,64})"/;

/** How the agent's output is split into lines. */
export const RECORD_LINES: Omit<LineOptions, "onLine"> = {
  // Enough for a message with a few images. For larger records the type is sufficient: `agent_end` has all messages of
  // a run.
  longest: 16 * 1024 * 1024,
  head: 64 * 1024,
  isEnough: (beginning) => endOfDelta(beginning) > 0,
};

/** Parses a line of the agent's output; `null` if empty. Other text becomes `service_garbage`. */
export function readRecord({ bytes, length }: Line): TakenRecord | null {
  const delta = readDelta(bytes);
  if (delta !== null) return delta;
  if (bytes.length < length) return readHead(bytes, length);
  const text = bytes.toString();
  const value = parseLine(text);
  if (value !== null && isRecord(value) && !isTooDeep(value)) return bounded(reduced(value), length);
  return text.trim() === "" ? null : garbage(text, length);
}

/** Reads a record from a JSON value; `null` if it is not a record. */
export function takeRecord(value: JsonObject): TakenRecord | null {
  if (!isRecord(value) || isTooDeep(value)) return null;
  const record = reduced(value);
  return bounded(record, JSON.stringify(record).length);
}

/** Versions up to 0.83 repeat the partial message twice after each delta; it is skipped. */
function readDelta(bytes: Buffer): TakenRecord | null {
  const end = endOfDelta(bytes);
  const value = end > 0 ? parseLine(`${bytes.toString("utf8", 0, end)}}}`) : null;
  return value !== null && isRecord(value) ? bounded(value, end) : null;
}

/** Where the message after a delta begins; not positive if there is none. */
function endOfDelta(bytes: Buffer): number {
  return DELTA.test(bytes.toString("latin1", 0, 100)) ? bytes.indexOf(PARTIAL) : -1;
}

function reduced(record: AgentRecord): AgentRecord {
  if (record.type !== "message_update" || !isJsonObject(record.assistantMessageEvent)) return record;
  const { partial, message: _, ...delta } = record.assistantMessageEvent;
  return { type: record.type, assistantMessageEvent: { ...delta, ...toolOf(delta, partial) } };
}

/** In old versions only the message had the tool's name. */
function toolOf({ type, contentIndex }: JsonObject, partial: JsonValue | undefined): JsonObject {
  if (type !== "toolcall_start" || typeof contentIndex !== "number" || !isJsonObject(partial)) return {};
  const call = Array.isArray(partial.content) ? partial.content[contentIndex] : undefined;
  return isJsonObject(call) ? { id: call.id, toolName: call.name } : {};
}

/** The type of a record that is too long still shows what happened, such as the end of a run. */
function readHead(head: Buffer, bytes: number): TakenRecord {
  const beginning = head.toString("latin1", 0, 200);
  const [, id, command] = ANSWER.exec(beginning) ?? [];
  if (id !== undefined && command !== undefined) {
    return { record: { type: "response", id, command, truncated: true, bytes }, bytes: 200 };
  }
  const type = TYPE_FIRST.exec(beginning)?.[1];
  const record = type === undefined ? { type: "service_line_skipped", bytes } : { type, truncated: true, bytes };
  return { record, bytes: JSON.stringify(record).length };
}

function garbage(text: string, bytes: number): TakenRecord {
  return { record: { type: "service_garbage", text: cut(text, GARBAGE_SHOWN), bytes }, bytes: GARBAGE_SHOWN };
}

function bounded(record: AgentRecord, bytes: number): TakenRecord {
  if (bytes <= MAX_RECORD_SIZE) return { record, bytes };
  const shortened: AgentRecord = { ...record, ...Object.fromEntries(Object.entries(record).map(withShortTexts)) };
  shortened.truncated = true;
  const rest = JSON.stringify(shortened).length;
  if (rest <= MAX_RECORD_SIZE) return { record: shortened, bytes: rest };
  const small = Object.entries(record).filter(([, value]) => typeof value !== "object" && String(value).length < 1_000);
  return { record: { ...Object.fromEntries(small), type: record.type, truncated: true, bytes }, bytes: 1_000 };
}

/** Removes images, because a partial one is useless. The depth was checked. */
function withShortTexts([key, value]: [string, JsonValue | undefined]): [string, JsonValue | undefined] {
  if (typeof value === "string" && value.length > MAX_TEXT_SIZE) {
    return [key, key === "data" ? "" : cut(value, MAX_TEXT_SIZE)];
  }
  if (Array.isArray(value)) return [key, value.map((item) => withShortTexts(["", item])[1] ?? null)];
  if (isJsonObject(value)) return [key, Object.fromEntries(Object.entries(value).map(withShortTexts))];
  return [key, value];
}

function isRecord(value: JsonObject): value is AgentRecord {
  return typeof value.type === "string";
}
