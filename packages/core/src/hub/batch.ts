import { AppError } from "../errors.ts";
import { isJsonObject, type JsonObject } from "../json.ts";

/** A machine whose sessions are sent to a hub. The id stays when the machine gets another name. */
export interface SendingMachine {
  /** A UUID. */
  id: string;
  name: string;
}

/** What a machine sends of a file: bytes with their place in a state of it that only grew. */
export interface BytesFrame {
  kind: "bytes";
  path: string;
  /** The session that a companion belongs to; `null` for sessions. */
  owner_path: string | null;
  format: string | null;
  session_id: string | null;
  /** Permission bits. */
  mode: number;
  /** When the file was changed last, in milliseconds since 1970: records of sessions without times have it. */
  modified_at: number;
  /** A UUID of this state: another one where the file did not only grow. */
  generation: string;
  /** Where the bytes are. */
  offset: number;
  /** Of the whole file: the state can be read when the hub has as many bytes. */
  size: number;
}

/** What is said of a session apart from its file. */
export const CHANGE_KINDS = [
  /** The value is the time of the deletion. */
  "deleted",
  /** The value is the new path. */
  "moved",
  "name",
  /** How the agent calls the session, where that is not in its file. A title in the file, and a name, count more. */
  "title",
  "favorite",
  /** The value is the time of archiving. */
  "archived",
  /** The key is the names from the root to the tag, as a JSON array, the value their colors in another one. */
  "tag",
  /** The key is the entry, empty for the session itself. */
  "note",
  /** The key is the entry, the value the time. */
  "bookmark",
] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** What hubs take that do not say which kinds they take. */
export const FIRST_CHANGE_KINDS: readonly ChangeKind[] = CHANGE_KINDS.filter((kind) => kind !== "title");

/**
 * The latest of what a user has said of one thing. Whoever has two for the same path, kind and key keeps the later one,
 * see {@link isLater}; so the order in which they arrive, and how often, changes nothing.
 */
export interface SessionChange {
  path: string;
  session_id: string;
  kind: ChangeKind;
  /** Empty where the kind has only one. */
  key: string;
  /** `null`: it is so no longer. */
  value: string | null;
  /** When it was said, RFC 3339 in UTC with milliseconds. */
  at: string;
}

export interface ChangesFrame {
  kind: "changes";
  changes: SessionChange[];
}

/** Asks how much the hub has of states. */
export interface KnownFrame {
  kind: "known";
  generations: string[];
}

export type Frame = BytesFrame | ChangesFrame | KnownFrame;

/** What became of a frame. A refused one is not to be sent again as it is. */
export type FrameResult =
  /** How many bytes of the state the hub has now. */
  | { bytes: number }
  /** Of the states that were asked for, 0 for unknown ones. */
  | { known: number[] }
  | { changed: number }
  /** `bytes`: those before are missing, and how many there are. */
  | { refused: string; bytes: number | null };

export interface BatchAnswer {
  /** A hub that was set up anew has another one. */
  hub_id: string;
  /** One for each frame, in order. */
  results: FrameResult[];
  /** The kinds of changes that the hub takes; absent: {@link FIRST_CHANGE_KINDS}. A batch with another is refused. */
  change_kinds?: readonly string[];
}

/** The media type of a batch. It is packed with brotli. */
export const BATCH_TYPE = "application/vnd.session-manager.batch";
/** Most bytes of a batch before packing. Senders aim at two megabytes; a redacted line is not divided. */
export const MOST_BATCH_BYTES = 32 * 1024 * 1024;
/** Of states that are asked for at once. */
export const MOST_KNOWN = 1_000;
/** Of changes at once. */
export const MOST_CHANGES = 500;

/** Which of two says the last word, by time, and where that is equal by machine: the same everywhere. */
export function isLater(one: { at: string; machine: string }, other: { at: string; machine: string }): boolean {
  return one.at === other.at ? one.machine > other.machine : one.at > other.at;
}

/** A frame with what follows it. */
export interface FrameWithBytes {
  frame: Frame;
  bytes: Uint8Array;
}

const NO_BYTES = new Uint8Array(0);
const LENGTHS = 8;

/** Puts a batch together: for each part the lengths of its JSON and of its bytes (32 bits each, big-endian), and both. */
export function encodeBatch(machine: SendingMachine, frames: readonly FrameWithBytes[]): Uint8Array {
  const parts = [{ json: machine as object, bytes: NO_BYTES as Uint8Array }].concat(
    frames.map(({ frame, bytes }) => ({ json: frame, bytes })),
  );
  const encoded = parts.map(({ json, bytes }) => ({ json: new TextEncoder().encode(JSON.stringify(json)), bytes }));
  const length = encoded.reduce((sum, { json, bytes }) => sum + LENGTHS + json.length + bytes.length, 0);
  const batch = new Uint8Array(length);
  const view = new DataView(batch.buffer);
  let at = 0;
  for (const { json, bytes } of encoded) {
    view.setUint32(at, json.length);
    view.setUint32(at + 4, bytes.length);
    batch.set(json, at + LENGTHS);
    batch.set(bytes, at + LENGTHS + json.length);
    at += LENGTHS + json.length + bytes.length;
  }
  return batch;
}

/** @throws AppError `INVALID_REQUEST` where it is no batch. */
export function decodeBatch(batch: Uint8Array): { machine: SendingMachine; frames: FrameWithBytes[] } {
  const view = new DataView(batch.buffer, batch.byteOffset, batch.byteLength);
  const parts: { json: JsonObject; bytes: Uint8Array }[] = [];
  for (let at = 0; at < batch.length; ) {
    if (at + LENGTHS > batch.length) throw noBatch("it ends within a frame");
    const jsonEnd = at + LENGTHS + view.getUint32(at);
    const end = jsonEnd + view.getUint32(at + 4);
    if (end > batch.length) throw noBatch("it ends within a frame");
    parts.push({ json: objectIn(batch.subarray(at + LENGTHS, jsonEnd)), bytes: batch.subarray(jsonEnd, end) });
    at = end;
  }
  const [first, ...rest] = parts;
  if (first === undefined) throw noBatch("it is empty");
  return {
    machine: { id: uuid(first.json, "id"), name: text(first.json, "name", 200) },
    frames: rest.map(({ json, bytes }) => ({ frame: frameOf(json), bytes })),
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** PostgreSQL indexes them. */
const LONGEST_PATH = 4_096;
/** Notes have 20,000 characters at most. */
const LONGEST_VALUE = 40_000;

function frameOf(json: JsonObject): Frame {
  switch (json.kind) {
    case "bytes":
      return {
        kind: "bytes",
        path: text(json, "path", LONGEST_PATH),
        owner_path: textOrNull(json, "owner_path", LONGEST_PATH),
        format: textOrNull(json, "format", 100),
        session_id: textOrNull(json, "session_id", LONGEST_PATH),
        mode: count(json, "mode"),
        modified_at: time(json, "modified_at"),
        generation: uuid(json, "generation"),
        offset: count(json, "offset"),
        size: count(json, "size"),
      };
    case "changes":
      return { kind: "changes", changes: listOf(json, "changes", MOST_CHANGES).map(changeOf) };
    case "known":
      return {
        kind: "known",
        generations: listOf(json, "generations", MOST_KNOWN).map((id) => uuid({ id } as JsonObject, "id")),
      };
    default:
      throw noBatch("it has a frame of an unknown kind; update the hub");
  }
}

function changeOf(json: unknown): SessionChange {
  if (!isJsonObject(json)) throw noBatch("a change is no object");
  const kind = CHANGE_KINDS.find((known) => known === json.kind);
  if (kind === undefined) throw noBatch("it has a change of an unknown kind; update the hub");
  const at = text(json, "at", 30);
  if (!TIME.test(at)) throw noBatch("at is no time");
  return {
    path: text(json, "path", LONGEST_PATH),
    session_id: text(json, "session_id", LONGEST_PATH),
    kind,
    key: text(json, "key", LONGEST_PATH),
    value: textOrNull(json, "value", LONGEST_VALUE),
    at,
  };
}

function objectIn(bytes: Uint8Array): JsonObject {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isJsonObject(value)) return value;
  } catch {
    // Said below.
  }
  throw noBatch("a frame does not begin with a JSON object");
}

function text(json: JsonObject, name: string, longest: number): string {
  const value = json[name];
  if (typeof value !== "string" || value.length > longest) throw noBatch(`${name} is no text, or too long`);
  return value;
}

function textOrNull(json: JsonObject, name: string, longest: number): string | null {
  return json[name] === null ? null : text(json, name, longest);
}

function uuid(json: JsonObject, name: string): string {
  const value = text(json, name, 36);
  if (!UUID.test(value)) throw noBatch(`${name} is no UUID in lower case`);
  return value;
}

function count(json: JsonObject, name: string): number {
  const value = json[name];
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw noBatch(`${name} is no count`);
  return value;
}

/** Of a clock that may be wrong, with parts of milliseconds. */
function time(json: JsonObject, name: string): number {
  const value = json[name];
  if (typeof value !== "number" || !Number.isFinite(value)) throw noBatch(`${name} is no time`);
  return value;
}

function listOf(json: JsonObject, name: string, most: number): unknown[] {
  const value = json[name];
  if (!Array.isArray(value) || value.length > most) throw noBatch(`${name} is no list, or too long`);
  return value;
}

function noBatch(reason: string): AppError {
  return new AppError("INVALID_REQUEST", `This is no batch of a machine: ${reason}.`);
}
