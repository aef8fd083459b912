/** Fields of queries whose values are known. */
export const VALUE_FIELDS = ["tool", "project", "model", "tag", "agent", "role", "is", "has", "file"] as const;

export type ValueField = (typeof VALUE_FIELDS)[number];

/** A field in a query that is being typed. */
export interface QueryField {
  field: ValueField;
  /** Without its quotes, and without the `*` behind it. */
  value: string;
  isPrefix: boolean;
  /** Where the value stands, quotes included. */
  start: number;
  end: number;
}

/** Phrases, in which nothing is a field, and fields, which begin where a word does. `file://…` is text. */
const PARTS = new RegExp(
  `"[^"]*"?|(?<=^|[\\s(]-?)(?<field>${VALUE_FIELDS.join("|")}):(?!:|//)(?:"(?<quoted>[^"]*)"?|(?<plain>[^\\s()"]*))`,
  "giu",
);

/** Finds the fields of a query, also of one that is not finished. */
export function fieldsIn(query: string): QueryField[] {
  return [...query.matchAll(PARTS)].flatMap(({ index, 0: whole, groups = {} }) => {
    const { field, quoted, plain = "" } = groups;
    if (field === undefined) return [];
    return {
      field: field.toLowerCase() as ValueField,
      value: (quoted ?? plain).replace(/\*$/u, ""),
      isPrefix: plain.endsWith("*"),
      start: index + field.length + 1,
      end: index + whole.length,
    };
  });
}

/** The field whose value is being typed. */
export function fieldAt(query: string, caret: number): QueryField | null {
  return fieldsIn(query).find(({ start, end }) => start <= caret && caret <= end) ?? null;
}

/** Puts another value into a field, with a space behind it at the end of the query. */
export function withFieldValue(query: string, { start, end }: QueryField, value: string): string {
  const written = /^[^\s"()*~]+$/u.test(value) ? value : `"${value.replaceAll('"', "")}"`;
  return `${query.slice(0, start)}${written}${query.slice(end)}`;
}

/** Whether a value of a query finds one that exists, as the service compares them. */
export function isFoundBy({ field, value, isPrefix }: QueryField, existing: string): boolean {
  const [typed, known] = [value.toLowerCase(), existing.toLowerCase()];
  if (field === "tool" || field === "tag") return isPrefix ? known.startsWith(typed) : known === typed;
  if (field === "agent") return known.startsWith(typed);
  return known.includes(typed);
}

/** Puts the values first that are most like what was typed: those that begin with it, have it in them, or differ by few letters. */
export function nearestFirst<Value>(
  values: readonly Value[],
  typed: string,
  textOf: (value: Value) => string,
): Value[] {
  const wanted = typed.toLowerCase();
  const rank = (value: Value) => {
    const text = textOf(value).toLowerCase();
    if (text.startsWith(wanted)) return 0;
    if (text.includes(wanted)) return 1;
    return distance(text, wanted) <= Math.max(1, Math.floor(wanted.length / 3)) ? 2 : 3;
  };
  const ranks = new Map(values.map((value) => [value, rank(value)]));
  return [...values].sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
}

/** Letters that have to be put in, taken out or replaced to make one text of another. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
