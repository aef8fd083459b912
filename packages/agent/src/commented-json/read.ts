import type { JsonValue } from "@sm/core";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";

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
 * Reads JSON with comments and trailing commas, which the agent takes in its files.
 *
 * @returns the value, or the first mistake with its line and column, both from 1.
 */
export function readWithComments(text: string): { value: JsonValue } | { mistake: string } {
  const errors: ParseError[] = [];
  let value: JsonValue | undefined;
  try {
    // Whatever JSON says is one.
    value = parse(text, errors, { allowTrailingComma: true }) as JsonValue | undefined;
  } catch (error) {
    // The parser calls itself for each level.
    if (!(error instanceof RangeError)) throw error;
    return { mistake: "1:1: it is nested too deeply" };
  }
  const [error] = errors;
  if (error === undefined && value !== undefined) return { value };
  if (error === undefined) return { mistake: "1:1: a value is missing" };
  const before = text.slice(0, error.offset);
  const line = before.split("\n").length;
  const column = error.offset - before.lastIndexOf("\n");
  return { mistake: `${line}:${column}: ${REASONS[printParseErrorCode(error.error)] ?? "not JSON"}` };
}
