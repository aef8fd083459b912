import type { JsonObject } from "../../json.ts";
import type { ScannedLine } from "../scanned-line.ts";
import {
  endAt,
  isKey,
  isText,
  kindAt,
  type Latest,
  memberOf,
  NONE,
  nameAt,
  nameOf,
  next,
  numberAt,
  stringAt,
  textAt,
  timestampAt,
} from "../scanned-values.ts";
import { ARRAY, ASCII, ESCAPED, OBJECT, TRUE } from "../token-layout.ts";

const TYPE = nameOf("type");
const ID = nameOf("id");
const TIMESTAMP = nameOf("timestamp");
const MESSAGE = nameOf("message");
const CONTENT = nameOf("content");
const TEXT = nameOf("text");
const NAME = nameOf("name");
const MODEL = nameOf("model");
const USAGE = nameOf("usage");
const UUID = nameOf("uuid");
const PARENT_UUID = nameOf("parentUuid");
const IS_SIDECHAIN = nameOf("isSidechain");
const REQUEST_ID = nameOf("requestId");
const ATTACHMENT = nameOf("attachment");
const TOOL_USE_ID = nameOf("tool_use_id");
const IS_ERROR = nameOf("is_error");

/** Records that are few and small, or of which more counts than is left here. */
const PARSED = ["system", "summary", "ai-title", "custom-title", "pr-link"];

const latest: Record<"uuid" | "request" | "answer" | "model" | "tool", Latest> = {
  uuid: { text: "" },
  request: { text: "" },
  answer: { text: "" },
  model: { text: "" },
  tool: { text: "" },
};

/** A record, except its time. */
export interface ShortRecord {
  record: JsonObject;
  /** Milliseconds since 1970. */
  timestamp: number | null;
}

/**
 * What a reader needs of a record, after those that tell of the session: without thinking, arguments, results and data
 * of the client, which are most of it. `null` if the line must be parsed.
 */
export function shortRecord(line: ScannedLine): ShortRecord | null {
  const { tokens } = line;
  const record: JsonObject = {};
  let type = NONE;
  let parent = NONE;
  let uuid = NONE;
  let message = NONE;
  let attachment = NONE;
  let data = NONE;
  let time = NONE;
  const end = tokens[2] ?? 0;
  for (let token = 1; token < end; token = next(tokens, token)) {
    const name = nameAt(tokens, token);
    if (name === TYPE) type = token;
    else if (name === UUID) uuid = token;
    else if (name === PARENT_UUID) parent = token;
    else if (name === TIMESTAMP) time = token;
    else if (name === IS_SIDECHAIN) record.isSidechain = kindAt(tokens, token) === TRUE;
    else if (name === REQUEST_ID) record.requestId = textOf(line, token, latest.request);
    else if (name === MESSAGE) message = token;
    else if (name === ATTACHMENT) attachment = token;
    else if (name !== 0) continue;
    else if (isKey(line, token, "logicalParentUuid")) record.logicalParentUuid = stringAt(line, token);
    else if (isKey(line, token, "data")) data = token;
    else if (isKey(line, token, "costUSD")) record.costUSD = numberAt(line, token);
    // Written by the client in place of an answer.
    else if (isKey(line, token, "isApiErrorMessage") && kindAt(tokens, token) === TRUE) return null;
  }
  const timestamp = timestampAt(line, time);
  if (kindAt(tokens, type) !== ASCII || (timestamp === null && time !== NONE)) return null;
  const short: ShortRecord = { record, timestamp };
  // The parent is usually the record before, whose ID is still known.
  if (parent !== NONE) record.parentUuid = textOf(line, parent, latest.uuid);
  if (uuid !== NONE) record.uuid = textOf(line, uuid, latest.uuid);
  if (isText(line, type, "assistant")) {
    record.type = "assistant";
    return addMessage(short, shortAnswer(line, message));
  }
  if (isText(line, type, "user")) {
    record.type = "user";
    return addMessage(short, shortResults(line, message));
  }
  if (isParsed(line, type, attachment) || mayReport(line, type, data)) return null;
  if (isText(line, type, "attachment")) record.type = "attachment";
  return short;
}

function addMessage(short: ShortRecord, message: JsonObject | null): ShortRecord | null {
  if (message === null) return null;
  short.record.message = message;
  return short;
}

/** Whether a record must be parsed: it is small, or an attachment that may be a prompt. */
export function isParsed(line: ScannedLine, type: number, attachment: number): boolean {
  if (!isText(line, type, "attachment")) return PARSED.some((parsed) => isText(line, type, parsed));
  if (kindAt(line.tokens, attachment) !== OBJECT) return false;
  const attached = memberOf(line.tokens, attachment, TYPE);
  return kindAt(line.tokens, attached) === ESCAPED || isText(line, attached, "queued_command");
}

/** Whether a record may report an answer of another agent. */
function mayReport(line: ScannedLine, type: number, data: number): boolean {
  if (!isText(line, type, "progress") || kindAt(line.tokens, data) !== OBJECT) return false;
  const reported = memberOf(line.tokens, data, TYPE);
  return kindAt(line.tokens, reported) === ESCAPED || isText(line, reported, "agent_progress");
}

function shortAnswer(line: ScannedLine, message: number): JsonObject | null {
  const { tokens } = line;
  if (kindAt(tokens, message) !== OBJECT) return null;
  const short: JsonObject = {};
  const end = endAt(tokens, message);
  for (let token = message + 1; token < end; token = next(tokens, token)) {
    const name = nameAt(tokens, token);
    if (name === ID) short.id = textOf(line, token, latest.answer);
    else if (name === MODEL) short.model = textOf(line, token, latest.model);
    else if (name === USAGE) short.usage = kindAt(tokens, token) === OBJECT ? shortUsage(line, token) : null;
    else if (name === CONTENT) {
      const content = kindAt(tokens, token) === ARRAY ? saidAndCalled(line, token) : stringAt(line, token);
      if (content === undefined) return null;
      short.content = content;
    }
  }
  return short;
}

/** Texts and calls of an answer; `undefined` if it must be parsed. */
function saidAndCalled(line: ScannedLine, content: number): JsonObject[] | undefined {
  const { tokens } = line;
  const blocks: JsonObject[] = [];
  const end = endAt(tokens, content);
  for (let block = content + 1; block < end; block = next(tokens, block)) {
    if (kindAt(tokens, block) !== OBJECT) continue;
    const type = memberOf(tokens, block, TYPE);
    if (kindAt(tokens, type) === ESCAPED) return undefined;
    if (isText(line, type, "text")) {
      blocks.push({ type: "text", text: stringAt(line, memberOf(tokens, block, TEXT)) });
    } else if (isText(line, type, "tool_use")) {
      const id = stringAt(line, memberOf(tokens, block, ID));
      blocks.push({ type: "tool_use", id, name: textOf(line, memberOf(tokens, block, NAME), latest.tool) });
    }
  }
  return blocks;
}

/** The keys have no names: most of them are too long. */
function shortUsage(line: ScannedLine, usage: number): JsonObject {
  const { tokens } = line;
  const short: JsonObject = {};
  const end = endAt(tokens, usage);
  for (let token = usage + 1; token < end; token = next(tokens, token)) {
    if (isKey(line, token, "input_tokens")) short.input_tokens = numberAt(line, token);
    else if (isKey(line, token, "output_tokens")) short.output_tokens = numberAt(line, token);
    else if (isKey(line, token, "cache_read_input_tokens")) short.cache_read_input_tokens = numberAt(line, token);
    else if (isKey(line, token, "cache_creation_input_tokens")) {
      short.cache_creation_input_tokens = numberAt(line, token);
    } else if (isKey(line, token, "cache_creation")) short.cache_creation = shortSplit(line, token);
  }
  return short;
}

function shortSplit(line: ScannedLine, split: number): JsonObject | null {
  const { tokens } = line;
  if (kindAt(tokens, split) !== OBJECT) return null;
  const short: JsonObject = {};
  const end = endAt(tokens, split);
  for (let token = split + 1; token < end; token = next(tokens, token)) {
    if (isKey(line, token, "ephemeral_1h_input_tokens")) short.ephemeral_1h_input_tokens = numberAt(line, token);
    else if (isKey(line, token, "ephemeral_5m_input_tokens")) short.ephemeral_5m_input_tokens = numberAt(line, token);
  }
  return short;
}

/** IDs of results and whether they failed; `null` if there are none, or the line must be parsed. */
function shortResults(line: ScannedLine, message: number): JsonObject | null {
  const { tokens } = line;
  if (kindAt(tokens, message) !== OBJECT) return null;
  const content = memberOf(tokens, message, CONTENT);
  if (kindAt(tokens, content) !== ARRAY) return null;
  const results: JsonObject[] = [];
  const end = endAt(tokens, content);
  for (let block = content + 1; block < end; block = next(tokens, block)) {
    if (kindAt(tokens, block) !== OBJECT) continue;
    const type = memberOf(tokens, block, TYPE);
    if (kindAt(tokens, type) === ESCAPED) return null;
    if (!isText(line, type, "tool_result")) continue;
    const id = stringAt(line, memberOf(tokens, block, TOOL_USE_ID));
    const failed = kindAt(tokens, memberOf(tokens, block, IS_ERROR)) === TRUE;
    results.push({ type: "tool_result", tool_use_id: id, is_error: failed });
  }
  return results.length === 0 ? null : { content: results };
}

/** The string of a token, compared with the one before; `null` for other values and an empty string. */
function textOf(line: ScannedLine, token: number, before: Latest): string | null {
  return kindAt(line.tokens, token) === ASCII ? textAt(line, token, before) : stringAt(line, token);
}
