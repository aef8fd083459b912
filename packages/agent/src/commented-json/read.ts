import type { JsonValue } from "@sm/core";
import {
  findNodeAtLocation,
  type JSONPath,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";

const REASONS: Readonly<Record<string, string>> = {
  InvalidSymbol: "an unknown word",
  InvalidNumberFormat: "an invalid number",
  PropertyNameExpected: "a field name in double quotes is missing",
  ValueExpected: "a value is missing",
  ColonExpected: '":" is missing',
  CommaExpected: '"," is missing',
  CloseBraceExpected: '"}" is missing',
  CloseBracketExpected: '"]" is missing',
  EndOfFileExpected: "text after the end",
  UnexpectedEndOfComment: "a comment is not closed",
  UnexpectedEndOfString: "a string is not closed",
  UnexpectedEndOfNumber: "a number is not finished",
  InvalidUnicode: "an escape needs four hexadecimal digits",
  InvalidEscapeCharacter: "an invalid escape",
  InvalidCharacter: "an unexpected character",
};

/**
 * Reads JSON with comments and trailing commas, as the agent does.
 *
 * @returns the value, or the first mistake with its line and column, both from 1.
 */
export function readWithComments(text: string): { value: JsonValue } | { mistake: string } {
  const errors: ParseError[] = [];
  let value: JsonValue | undefined;
  try {
    // Parsed JSON is always a `JsonValue`.
    value = parse(text, errors, { allowTrailingComma: true }) as JsonValue | undefined;
  } catch (error) {
    // The parser is recursive.
    if (!(error instanceof RangeError)) throw error;
    return { mistake: "1:1: it is nested too deeply" };
  }
  const [error] = errors;
  if (error === undefined && value !== undefined) return { value };
  if (error === undefined) return { mistake: "1:1: a value is missing" };
  const reason = REASONS[printParseErrorCode(error.error)] ?? "not JSON";
  return { mistake: `${position(text, error.offset)}: ${reason}` };
}

/**
 * Finds a value of a text that {@link readWithComments} reads, by the keys and indexes that lead to it.
 *
 * @returns `line:column`, both from 1; those of the nearest value around it where it is missing.
 */
export function positionOf(text: string, path: JSONPath): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  for (let length = path.length; root !== undefined && length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return position(text, node.offset);
  }
  return position(text, root?.offset ?? 0);
}

function position(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return `${before.split("\n").length}:${offset - before.lastIndexOf("\n")}`;
}
