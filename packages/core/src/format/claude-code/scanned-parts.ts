import type { ScannedPart } from "../format.ts";
import type { ScannedLine } from "../scanned-line.ts";
import { addString, callPart, contentOf, partOf } from "../scanned-parts.ts";
import { endAt, isKey, isText, kindAt, memberOf, NONE, nameAt, nameOf, next, stringAt } from "../scanned-values.ts";
import { ARRAY, ASCII, ESCAPED, OBJECT, TRUE } from "../token-layout.ts";
import { isParsed } from "./scanned.ts";

const TYPE = nameOf("type");
const MESSAGE = nameOf("message");
const CONTENT = nameOf("content");
const TEXT = nameOf("text");
const MODEL = nameOf("model");
const INPUT = nameOf("input");
const ATTACHMENT = nameOf("attachment");
const TOOL_USE_RESULT = nameOf("toolUseResult");
const STRUCTURED_PATCH = nameOf("structuredPatch");
const LINES = nameOf("lines");
/** See `storedOutputOf`. */
const STORED_NOTE = "persisted-output";

/** Lists the same parts as `claudeParts` of answers, results and notes; `null` for others, which must be parsed. */
export function claudeScannedParts(line: ScannedLine): ScannedPart[] | null {
  const { tokens } = line;
  const type = memberOf(tokens, 0, TYPE);
  if (kindAt(tokens, type) !== ASCII) return null;
  const isAnswer = isText(line, type, "assistant");
  if (isAnswer || isText(line, type, "user")) {
    const message = memberOf(tokens, 0, MESSAGE);
    if (kindAt(tokens, message) !== OBJECT) return null;
    return isAnswer ? answerParts(line, message) : resultParts(line, message);
  }
  return isParsed(line, type, memberOf(tokens, 0, ATTACHMENT)) ? null : [];
}

function answerParts(line: ScannedLine, message: number): ScannedPart[] | null {
  const { tokens } = line;
  const model = memberOf(tokens, message, MODEL);
  if (isSynthetic(line, model)) return null;
  const content = contentOf(line, message, "tool_use");
  if (content === null) return null;
  const written = { model: stringAt(line, model) || null };
  const parts = partOf("text", "assistant", content.text, written);
  parts.push(...partOf("thinking", "assistant", content.thinking, written));
  for (const block of content.calls) {
    const call = callPart(line, block, INPUT, written.model);
    if (call === null) return null;
    parts.push(call);
  }
  return parts;
}

function isSynthetic(line: ScannedLine, model: number): boolean {
  const { tokens } = line;
  // Escaped, it might be any name.
  if (kindAt(tokens, model) === ESCAPED || isText(line, model, "<synthetic>")) return true;
  const end = tokens[2] ?? 0;
  for (let token = 1; token < end; token = next(tokens, token)) {
    const mayBe = nameAt(tokens, token) === 0 && kindAt(tokens, token) === TRUE;
    if (mayBe && isKey(line, token, "isApiErrorMessage")) return true;
  }
  return false;
}

/** Results, what the client has written beside them, and the diff; `null` for prompts, and for outputs in other files. */
function resultParts(line: ScannedLine, message: number): ScannedPart[] | null {
  const { tokens } = line;
  let hasResult = false;
  const said: number[] = [];
  for (const block of valuesOf(tokens, arrayIn(tokens, message, CONTENT))) {
    if (kindAt(tokens, block) !== OBJECT) continue;
    const type = memberOf(tokens, block, TYPE);
    if (kindAt(tokens, type) === ESCAPED) return null;
    if (isText(line, type, "tool_result")) {
      hasResult = true;
      const result = contentOf(line, block, "");
      if (result === null || isStoredElsewhere(line, result.text)) return null;
      for (const place of result.text) said.push(place);
    } else if (isText(line, type, "text")) addString(tokens, memberOf(tokens, block, TEXT), said);
  }
  if (!hasResult) return null;
  const diff = isPlaceTold(line) ? null : linesOfPatch(line);
  return diff && [...partOf("tool_result", "tool", said), ...partOf("tool_result", "tool", diff)];
}

/** Whether a text begins like the note that stands for an output in another file. */
function isStoredElsewhere(line: ScannedLine, pieces: readonly number[]): boolean {
  for (let at = 0; at + 1 < pieces.length; at += 2) {
    const start = pieces[at] ?? 0;
    // Its first character may be escaped.
    const end = Math.min(pieces[at + 1] ?? 0, start + STORED_NOTE.length + "\\u003c".length);
    if (line.ascii(start, end).includes(STORED_NOTE)) return true;
  }
  return false;
}

/** Whether the client has recorded where the output is. */
function isPlaceTold(line: ScannedLine): boolean {
  const { tokens } = line;
  const recorded = memberOf(tokens, 0, TOOL_USE_RESULT);
  if (kindAt(tokens, recorded) !== OBJECT) return false;
  const end = endAt(tokens, recorded);
  for (let token = recorded + 1; token < end; token = next(tokens, token)) {
    if (nameAt(tokens, token) === 0 && isKey(line, token, "persistedOutputPath")) return true;
  }
  return false;
}

/** `null` if there are lines, but without text: these are a part, too. */
function linesOfPatch(line: ScannedLine): number[] | null {
  const { tokens } = line;
  const found: number[] = [];
  let count = 0;
  const hunks = arrayIn(tokens, memberOf(tokens, 0, TOOL_USE_RESULT), STRUCTURED_PATCH);
  for (const hunk of valuesOf(tokens, hunks)) {
    for (const text of valuesOf(tokens, arrayIn(tokens, hunk, LINES))) {
      addString(tokens, text, found);
      count++;
    }
  }
  return found.length === 0 && count > 1 ? null : found;
}

/** An array in an object; {@link NONE} if there is no such thing. */
function arrayIn(tokens: Int32Array, object: number, name: number): number {
  const array = kindAt(tokens, object) === OBJECT ? memberOf(tokens, object, name) : NONE;
  return kindAt(tokens, array) === ARRAY ? array : NONE;
}

function* valuesOf(tokens: Int32Array, array: number): Generator<number> {
  if (array === NONE) return;
  const end = endAt(tokens, array);
  for (let token = array + 1; token < end; token = next(tokens, token)) yield token;
}
