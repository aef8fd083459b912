/** A text that is not JSON; `message` is the reason, `offset` counts UTF-16 units from 0. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super(reason);
    this.offset = offset;
  }
}

const LITERAL = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const STRING_START = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy;
const SPACE = /[ \t\r\n]*/y;

const HINTS: Record<string, string> = {
  "/": " (JSON has no comments)",
  "'": " (JSON strings stand in double quotes)",
};

/** Where a value stands in a text: from `start` up to but not including `end`, in UTF-16 units from 0. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Checks a text against the grammar of JSON and tells where its values are. `JSON.parse` names the place of a
 * mistake only in some versions of Node and for some mistakes; people who edit a file by hand need it always.
 *
 * @returns the span of each value by its dotted path, outer ones first; the outermost has the path "".
 * @throws {JsonSyntaxError} at the first mistake.
 */
export function scanJson(text: string): Map<string, Span> {
  const spans = new Map<string, Span>();
  let at = 0;

  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return null;
    at = pattern.lastIndex;
    return found[0];
  };

  const fail = (expected: string, hint?: string): never => {
    const character = text.codePointAt(at);
    if (character === undefined) throw new JsonSyntaxError(`expected ${expected}, but the text ends here`, at);
    const found = String.fromCodePoint(character);
    throw new JsonSyntaxError(`expected ${expected}, found ${JSON.stringify(found)}${hint ?? HINTS[found] ?? ""}`, at);
  };

  const string = (): string => {
    const start = at;
    match(STRING_START);
    if (text[at] === "\\") fail("an escape that JSON knows");
    if (text[at] !== '"') fail("the closing quote of a string");
    at += 1;
    return JSON.parse(text.slice(start, at)) as string;
  };

  const list = (close: "]" | "}", element: string, readElement: (index: number) => void): void => {
    at += 1;
    match(SPACE);
    if (text[at] !== close) {
      for (let index = 0; ; index += 1) {
        readElement(index);
        match(SPACE);
        if (text[at] !== ",") break;
        at += 1;
        match(SPACE);
        if (text[at] === close) fail(element, " (no comma after the last one)");
      }
      if (text[at] !== close) fail(`"," or "${close}"`);
    }
    at += 1;
  };

  const value = (path: string | null): void => {
    match(SPACE);
    const span = { start: at, end: at };
    spans.set(path ?? "", span);
    const child = (key: string | number): string => (path === null ? String(key) : `${path}.${key}`);
    if (text[at] === "{") {
      list("}", "a field name", () => {
        if (text[at] !== '"') fail("a field name in double quotes");
        const key = string();
        match(SPACE);
        if (text[at] !== ":") fail(`":" after the field name`);
        at += 1;
        value(child(key));
      });
    } else if (text[at] === "[") {
      list("]", "a value", (index) => value(child(index)));
    } else if (text[at] === '"') {
      string();
    } else if (match(LITERAL) === null) {
      fail("a value");
    }
    span.end = at;
  };

  value(null);
  match(SPACE);
  if (at < text.length) fail("the end of the text");
  return spans;
}

/** Gives the line and column of an offset, both counted from 1. */
export function linePosition(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}
