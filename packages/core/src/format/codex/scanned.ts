import type { JsonObject } from "../../json.ts";
import type { ScannedPart } from "../format.ts";
import type { ScannedLine } from "../scanned-line.ts";
import { addString, partOf, strings } from "../scanned-parts.ts";
import {
  decoded,
  endAt,
  isAt,
  isKey,
  isString,
  isText,
  kindAt,
  memberOf,
  NONE,
  nameAt,
  nameOf,
  next,
  startAt,
  stringAt,
} from "../scanned-values.ts";
import { ARRAY, ASCII, ESCAPED, OBJECT } from "../token-layout.ts";
import { RESULT_HEAD_LENGTH } from "./calls.ts";
import { isSilentEvent, isSilentItem, isSilentLine } from "./record.ts";

const TYPE = nameOf("type");
const ID = nameOf("id");
const TIMESTAMP = nameOf("timestamp");
const ROLE = nameOf("role");
const CONTENT = nameOf("content");
const TEXT = nameOf("text");
const NAME = nameOf("name");
const OUTPUT = nameOf("output");
const SUMMARY = nameOf("summary");

const BRACE = 0x7b;
const BACKSLASH = 0x5c;
const UNICODE_ESCAPE = 0x75;
/** Where a shell tool has told how its command ended, as it is written in JSON. */
const OUTPUT_START = "\\nOutput:";
/** Characters of an answer, more than an excerpt has. */
const ANSWER_HEAD_LENGTH = 304;

interface Envelope {
  type: number;
  timestamp: number;
  /** An object. */
  payload: number;
  /** Of the payload. */
  inner: number;
}

/** `null` if the line has another form. */
function envelopeOf(line: ScannedLine): Envelope | null {
  const { tokens } = line;
  const found: Envelope = { type: NONE, timestamp: NONE, payload: NONE, inner: NONE };
  const end = tokens[2] ?? 0;
  for (let token = 1; token < end; token = next(tokens, token)) {
    const name = nameAt(tokens, token);
    if (name === TYPE) found.type = token;
    else if (name === TIMESTAMP) found.timestamp = token;
    else if (name === 0 && isKey(line, token, "payload")) found.payload = token;
  }
  if (kindAt(tokens, found.type) !== ASCII || kindAt(tokens, found.timestamp) !== ASCII) return null;
  if (kindAt(tokens, found.payload) !== OBJECT) return null;
  found.inner = memberOf(tokens, found.payload, TYPE);
  return kindAt(tokens, found.inner) === ESCAPED ? null : found;
}

/** Whether the line says nothing that a reader of a session with a time has to know. Not of all such lines. */
export function isSilent(line: ScannedLine): boolean {
  const envelope = envelopeOf(line);
  if (envelope === null) return false;
  const { type, payload, inner } = envelope;
  if (!isText(line, type, "event_msg")) return inner === NONE && isSilentLine(stringAt(line, type) ?? "");
  const event = stringAt(line, inner) ?? "";
  if (event !== "item_completed") return isSilentEvent(event);
  const item = keyed(line, payload, "item");
  if (kindAt(line.tokens, item) !== OBJECT) return false;
  return isSilentItem(stringAt(line, memberOf(line.tokens, item, TYPE)) ?? "");
}

/**
 * What a reader needs of an answer, a call, a result or reasoning: without arguments, and of texts only their beginning.
 * `null` if the line must be parsed.
 */
export function shortItem(line: ScannedLine): JsonObject | null {
  const { tokens } = line;
  const envelope = envelopeOf(line);
  if (envelope === null || !isText(line, envelope.type, "response_item")) return null;
  const { payload, inner } = envelope;
  const timestamp = stringAt(line, envelope.timestamp);
  const item = (rest: JsonObject): JsonObject => ({ type: "response_item", timestamp, payload: rest });
  const type = stringAt(line, inner);
  switch (type) {
    case "reasoning":
      return item({ type });
    case "message": {
      if (!isText(line, memberOf(tokens, payload, ROLE), "assistant")) return null;
      const content = answerHead(line, textsOf(line, memberOf(tokens, payload, CONTENT)));
      return content === null ? null : item({ type, role: "assistant", content });
    }
    case "function_call":
    case "custom_tool_call":
      return item({
        type,
        call_id: stringAt(line, keyed(line, payload, "call_id")),
        id: stringAt(line, memberOf(tokens, payload, ID)),
        name: stringAt(line, memberOf(tokens, payload, NAME)),
      });
    case "function_call_output":
    case "custom_tool_call_output": {
      const output = plainOutput(line, payload);
      if (output === NONE) return null;
      return item({ type, call_id: stringAt(line, keyed(line, payload, "call_id")), output: headOf(line, output) });
    }
    default:
      return null;
  }
}

/** Lists the same parts as `codexParts` of answers, reasoning, results and counts; `null` for others. */
export function codexScannedParts(line: ScannedLine): ScannedPart[] | null {
  const { tokens } = line;
  const envelope = envelopeOf(line);
  if (envelope === null) return null;
  const { type, payload, inner } = envelope;
  if (isText(line, type, "turn_context")) return [];
  if (isText(line, type, "event_msg")) return isText(line, inner, "token_count") ? [] : null;
  if (!isText(line, type, "response_item")) return null;
  switch (stringAt(line, inner)) {
    case "message": {
      if (!isText(line, memberOf(tokens, payload, ROLE), "assistant")) return null;
      return partOf("text", "assistant", textsOf(line, memberOf(tokens, payload, CONTENT)));
    }
    case "reasoning": {
      const summary = textsOf(line, memberOf(tokens, payload, SUMMARY));
      const thought = summary.length > 0 ? summary : textsOf(line, memberOf(tokens, payload, CONTENT));
      return partOf("thinking", "assistant", thought);
    }
    case "function_call_output":
    case "custom_tool_call_output": {
      const output = plainOutput(line, payload);
      return output === NONE ? null : partOf("tool_result", "tool", strings(tokens, output));
    }
    default:
      return null;
  }
}

/** A result that is a text, and not JSON in a text; {@link NONE} for others. */
function plainOutput(line: ScannedLine, payload: number): number {
  const { tokens, bytes } = line;
  const output = memberOf(tokens, payload, OUTPUT);
  if (!isString(kindAt(tokens, output))) return NONE;
  const first = bytes[startAt(tokens, output)];
  return first === BRACE || first === BACKSLASH ? NONE : output;
}

/** The beginning of a result, as far as {@link resultOf} judges it: at most to where the output begins. */
function headOf(line: ScannedLine, token: number): string {
  const { tokens } = line;
  const start = startAt(tokens, token);
  const end = headEnd(line, start, endAt(tokens, token), RESULT_HEAD_LENGTH, OUTPUT_START);
  return decoded(line, kindAt(tokens, token), start, end);
}

/** At least as much of an answer as its excerpt has; `null` if it begins with too much space to tell. */
function answerHead(line: ScannedLine, pieces: readonly number[]): string | null {
  let head = "";
  for (let at = 0; at < pieces.length; at += 2) {
    const [start = 0, end = 0] = [pieces[at], pieces[at + 1]];
    const headAt = headEnd(line, start, end, ANSWER_HEAD_LENGTH, null);
    if (at > 0) head += "\n";
    head += decoded(line, ESCAPED, start, headAt);
    if (headAt < end) return head.trimStart().length < ANSWER_HEAD_LENGTH ? null : head;
  }
  return head;
}

/** Where a string in JSON has at least so many characters, or all up to a text in ASCII, which is included. */
function headEnd({ bytes }: ScannedLine, start: number, end: number, length: number, until: string | null): number {
  let at = start;
  for (let characters = 0; at < end && characters < length; characters++) {
    if (until !== null && isAt(bytes, at, until)) return Math.min(end, at + until.length);
    const byte = bytes[at] ?? 0;
    if (byte === BACKSLASH) at += bytes[at + 1] === UNICODE_ESCAPE ? 6 : 2;
    else at += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  }
  return Math.min(at, end);
}

/** Texts of content, as `textOfContent` joins them. */
function textsOf(line: ScannedLine, content: number): number[] {
  const { tokens } = line;
  const pieces = strings(tokens, content);
  if (kindAt(tokens, content) !== ARRAY) return pieces;
  const end = endAt(tokens, content);
  for (let block = content + 1; block < end; block = next(tokens, block)) {
    if (kindAt(tokens, block) === OBJECT) addString(tokens, memberOf(tokens, block, TEXT), pieces);
  }
  return pieces;
}

/** The value of a key without a name. */
function keyed(line: ScannedLine, object: number, key: string): number {
  const { tokens } = line;
  const end = endAt(tokens, object);
  let found = NONE;
  for (let token = object + 1; token < end; token = next(tokens, token)) {
    if (nameAt(tokens, token) === 0 && isKey(line, token, key)) found = token;
  }
  return found;
}
