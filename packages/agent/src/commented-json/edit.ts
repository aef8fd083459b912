import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "@sm/core";
import { applyEdits, type JSONPath, modify } from "jsonc-parser";
import { readWithComments } from "./read.ts";

/** With more edits, repeated parsing is too slow; the text is rewritten instead. */
const MAX_EDITS = 500;

interface Change {
  path: JSONPath;
  /** `undefined`: removed. */
  value: JsonValue | undefined;
  /** Inserted before the existing value. */
  isInsertion: boolean;
}

/**
 * Edits a JSON text with comments so that its value becomes `next`, changing as few characters as possible. A text that
 * cannot be edited is rewritten.
 */
export function editedText(text: string, next: JsonObject): string {
  const fresh = `${JSON.stringify(next, null, 2)}\n`;
  const read = readWithComments(text);
  if (!("value" in read && isJsonObject(read.value))) return fresh;
  const before = read.value;
  const changes = [...changesBetween(before, next, [])];
  if (changes.length > MAX_EDITS) return fresh;
  const formattingOptions = { ...indentationOf(text), eol: text.includes("\r\n") ? "\r\n" : "\n" };
  let edited = text;
  for (const { path, value, isInsertion } of changes) {
    edited = applyEdits(edited, modify(edited, path, value, { formattingOptions, isArrayInsertion: isInsertion }));
  }
  const written = readWithComments(edited);
  return "value" in written && isDeepStrictEqual(written.value, next) ? edited : fresh;
}

function* changesBetween(before: JsonValue | undefined, next: JsonValue, path: JSONPath): Generator<Change> {
  if (isJsonObject(before) && isJsonObject(next)) {
    for (const key of Object.keys(before)) {
      if (!Object.hasOwn(next, key)) yield { path: [...path, key], value: undefined, isInsertion: false };
    }
    for (const [key, value] of Object.entries(next)) {
      if (value === undefined) continue;
      yield* changesBetween(Object.hasOwn(before, key) ? before[key] : undefined, value, [...path, key]);
    }
  } else if (Array.isArray(before) && Array.isArray(next)) {
    yield* changesOfArrays(before, next, path);
  } else if (!isDeepStrictEqual(before, next)) {
    yield { path, value: next, isInsertion: false };
  }
}

/**
 * Equal elements at both ends keep their comments; the elements between are edited in place as far as both arrays have
 * them.
 */
function* changesOfArrays(before: JsonValue[], next: JsonValue[], path: JSONPath): Generator<Change> {
  const shorter = Math.min(before.length, next.length);
  let same = 0;
  while (same < shorter && isSameElement(before[same], next[same])) same++;
  let sameAtEnd = 0;
  while (sameAtEnd < shorter - same && isSameElement(before.at(-1 - sameAtEnd), next.at(-1 - sameAtEnd))) sameAtEnd++;
  const removed = Math.max(0, before.length - next.length);
  const first = shorter - sameAtEnd;
  for (let count = 0; count < removed; count++) yield { path: [...path, first], value: undefined, isInsertion: false };
  for (const [place, value] of next.entries()) {
    const isInsertion = place >= first && place < first + next.length - before.length;
    if (isInsertion) yield { path: [...path, place], value, isInsertion };
    else
      yield* changesBetween(before[place < first ? place : place + before.length - next.length], value, [
        ...path,
        place,
      ]);
  }
}

/** Models are identified by `id`: one with changed fields is still the same. */
function isSameElement(before: JsonValue | undefined, next: JsonValue | undefined): boolean {
  if (isJsonObject(before) && isJsonObject(next) && typeof before.id === "string") return before.id === next.id;
  return isDeepStrictEqual(before, next);
}

function indentationOf(text: string): { insertSpaces: boolean; tabSize: number } {
  const [, indent = "  "] = /^\{[^\n]*\n(?:\s*\n)?([ \t]+)\S/.exec(text.trimStart()) ?? [];
  return indent.startsWith("\t") ? { insertSpaces: false, tabSize: 1 } : { insertSpaces: true, tabSize: indent.length };
}
