import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "@sm/core";
import { applyEdits, type JSONPath, modify } from "jsonc-parser";
import { readWithComments } from "./read.ts";

/** With more, the text is parsed so often that writing it anew is what a person would do too. */
const MOST_EDITS = 500;

interface Change {
  path: JSONPath;
  /** `undefined`: taken away. */
  value: JsonValue | undefined;
  /** Put in before what stands there. */
  isInsertion: boolean;
}

/**
 * Changes a JSON text with comments so that it says `next`, and leaves every character alone that need not change. A
 * text that cannot be changed in this way is written anew.
 */
export function editedText(text: string, next: JsonObject): string {
  const fresh = `${JSON.stringify(next, null, 2)}\n`;
  const read = readWithComments(text);
  if (!("value" in read && isJsonObject(read.value))) return fresh;
  const before = read.value;
  const changes = [...changesBetween(before, next, [])];
  if (changes.length > MOST_EDITS) return fresh;
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

/** Elements that are the same at both ends stay with their comments; of those between, as many as there are in both change. */
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

/** Models are named by their `id`: one whose fields were changed is still the same. */
function isSameElement(before: JsonValue | undefined, next: JsonValue | undefined): boolean {
  if (isJsonObject(before) && isJsonObject(next) && typeof before.id === "string") return before.id === next.id;
  return isDeepStrictEqual(before, next);
}

function indentationOf(text: string): { insertSpaces: boolean; tabSize: number } {
  const [, indent = "  "] = /^\{[^\n]*\n(?:\s*\n)?([ \t]+)\S/.exec(text.trimStart()) ?? [];
  return indent.startsWith("\t") ? { insertSpaces: false, tabSize: 1 } : { insertSpaces: true, tabSize: indent.length };
}
