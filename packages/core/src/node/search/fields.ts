import type { FieldNode } from "../../search/query-tree.ts";
import { type FieldName, fieldTerm, type Postings, type Segment } from "../postings/segment.ts";
import type { CostBudget } from "./cost-budget.ts";
import { STEPS_OF_TERM, valuesContaining } from "./terms.ts";

/** Looks up the values of a field that a query names. */
export interface ValueQuery {
  field: FieldName;
  /** Every value that matches has it. */
  literal: string;
  matches(value: string): boolean;
}

/** Prepares a query for the values of a field of documents. */
export function valueQuery(field: FieldName, { value, prefix }: Pick<FieldNode, "value" | "prefix">): ValueQuery {
  const wanted = fieldTerm(field, value).slice(field.length + 1);
  switch (field) {
    case "tool":
      return { field, literal: wanted, matches: (tool) => (prefix ? tool.startsWith(wanted) : tool === wanted) };
    case "model":
      return inOrder(field, piecesOfModel, piecesOfModel(wanted), prefix);
    case "file":
      // With the star behind it `src/` becomes two pieces, and `src` one.
      return inOrder(field, piecesOfPath, piecesOfPath(prefix ? `${wanted}*` : wanted), false);
  }
}

/** Looks for values that have these pieces somewhere, one after the other. */
function inOrder(
  field: FieldName,
  split: (value: string) => string[],
  wanted: readonly string[],
  prefix: boolean,
): ValueQuery {
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

/** Lists the values of a segment that a query names. */
export function* valuesOf(segment: Segment, query: ValueQuery, budget: CostBudget): Generator<Postings> {
  for (const postings of valuesContaining(segment, query.field, query.literal)) {
    if (!budget.spend(STEPS_OF_TERM + postings.term.length)) return;
    if (query.matches(postings.term.slice(query.field.length + 1))) yield postings;
  }
}

/** `claude-opus-4-5` has the pieces that `opus` and `opus-4` name. */
function piecesOfModel(model: string): string[] {
  return model.split(/[^\p{L}\p{N}]+/u).filter((piece) => piece !== "");
}

/** Windows' separators count too; `.` and what stands before a first slash do not. */
function piecesOfPath(path: string): string[] {
  return path.split(/[/\\]/).filter((piece) => piece !== "" && piece !== ".");
}

/** A `*` stands for any characters. Going back to the last one only keeps the time bounded for any pattern. */
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
