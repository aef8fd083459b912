import { type FieldQuery, fieldTerm } from "@sm/text-index";
import type { FieldNode } from "../../search/query-tree.ts";

/** The fields of documents. */
export type FieldName = "tool" | "model" | "file";

/** Prepares a query for the values of a field of documents. */
export function valueQuery(field: FieldName, { value, prefix }: Pick<FieldNode, "value" | "prefix">): FieldQuery {
  const wanted = fieldTerm(field, value).slice(field.length + 1);
  switch (field) {
    case "tool":
      return { field, literal: wanted, matches: (tool) => (prefix ? tool.startsWith(wanted) : tool === wanted) };
    case "model":
      return inOrder(field, piecesOfModel, piecesOfModel(wanted), prefix);
    case "file":
      // With a star appended, `src/` has two pieces, and `src` one.
      return inOrder(field, piecesOfPath, piecesOfPath(prefix ? `${wanted}*` : wanted), false);
  }
}

/** Finds values that contain these pieces in sequence. */
function inOrder(
  field: FieldName,
  split: (value: string) => string[],
  wanted: readonly string[],
  prefix: boolean,
): FieldQuery {
  const patterns = wanted.map((piece, place) => (prefix && place === wanted.length - 1 ? `${piece}*` : piece));
  return {
    field,
    literal: longest(wanted.flatMap((piece) => piece.split("*"))),
    matches(value) {
      const pieces = split(value);
      return pieces.some((_, start) =>
        patterns.every((pattern, place) => matchesPattern(pieces[start + place] ?? null, pattern)),
      );
    },
  };
}

/** `claude-opus-4-5` has the pieces of `opus` and `opus-4`. */
function piecesOfModel(model: string): string[] {
  return model.split(/[^\p{L}\p{N}]+/u).filter((piece) => piece !== "");
}

/** Also splits at backslashes; ignores `.` and text before a leading slash. */
export function piecesOfPath(path: string): string[] {
  return path.split(/[/\\]/).filter((piece) => piece !== "" && piece !== ".");
}

/** `*` matches any text. Backtracks to the last star only, which bounds the time. */
function matchesPattern(text: string | null, pattern: string): boolean {
  if (text === null) return false;
  let at = 0;
  let inPattern = 0;
  let star = -1;
  let afterStar = 0;
  while (at < text.length) {
    if (pattern[inPattern] === "*") {
      star = inPattern++;
      afterStar = at;
    } else if (inPattern < pattern.length && pattern[inPattern] === text[at]) {
      inPattern++;
      at++;
    } else if (star >= 0) {
      inPattern = star + 1;
      at = ++afterStar;
    } else return false;
  }
  while (pattern[inPattern] === "*") inPattern++;
  return inPattern === pattern.length;
}

function longest(texts: readonly string[]): string {
  return texts.reduce((found, text) => (text.length > found.length ? text : found), "");
}
