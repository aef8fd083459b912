import { countCharacters, splitWords } from "@sm/text-index/analysis";
import { AppError } from "../errors.ts";
import type { SearchRole } from "../library.ts";
import { readTypedTime } from "../typed-time.ts";
import type { FieldNode, QueryLeaf, StateNode, SubstringNode, TermNode } from "./query-tree.ts";

/** Start of an operand. Columns are counted from 1. */
export interface OperandToken {
  excluded: boolean;
  column: number;
}

export interface LeafToken extends OperandToken {
  type: "leaf";
  node: QueryLeaf;
  /** End of its text, counted from 0. */
  end: number;
}

export interface OpenToken extends OperandToken {
  type: "open";
}

export type OperatorToken = { type: "AND"; column: number } | { type: "OR"; column: number };

export type QueryToken = LeafToken | OpenToken | OperatorToken | { type: "close"; column: number };

const LENGTH_LIMIT = 1000;
const DEPTH_LIMIT = 32;
/** More than the words of a pasted paragraph of `LENGTH_LIMIT` characters. */
const LEAF_LIMIT = 256;
/** Limit of prefixes and substrings: each may match very many terms. */
const OPEN_LIMIT = 32;
const SUBSTRING_LENGTH = 3;

const ROLES: readonly SearchRole[] = ["user", "assistant", "tool", "all"];
const STATES: readonly StateNode["state"][] = [
  "favorite",
  "bookmarked",
  "live",
  "archived",
  "expiring",
  "failed",
  "aborted",
];
/** `file://…` and `file::…` are text. */
const FIELD = /(role|tool|project|model|tag|name|note|file|agent|is|has|before|after):(?!:|\/\/)/iy;

/**
 * Splits a query into words, fields and operators, with matching parentheses. Omits words without letters, digits or
 * symbols.
 *
 * @throws AppError INVALID_PAYLOAD with the column.
 */
export function readTokens(text: string): QueryToken[] {
  if (text.length > LENGTH_LIMIT) {
    throw invalidQuery(`The query is longer than ${LENGTH_LIMIT} characters, at column ${LENGTH_LIMIT + 1}.`);
  }
  return new Lexer(text).read();
}

/** An error of the caller's query. */
export function invalidQuery(message: string): AppError {
  return new AppError("INVALID_PAYLOAD", message, { details: [{ path: "query", message }] });
}

class Lexer {
  readonly #text: string;
  #at = 0;
  /** Open parentheses; one within a word is not a group, but has a matching `)`. */
  readonly #open: { isGroup: boolean; column: number }[] = [];
  readonly #tokens: QueryToken[] = [];
  #leaves = 0;
  #openLeaves = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): QueryToken[] {
    for (;;) {
      this.#skip(/\s+/y);
      if (this.#at === this.#text.length) break;
      this.#readToken();
    }
    const unclosed = this.#open.find(({ isGroup }) => isGroup);
    if (unclosed !== undefined) throw invalidQuery(`The parenthesis at column ${unclosed.column} is not closed.`);
    return this.#tokens;
  }

  #readToken(): void {
    const column = this.#at + 1;
    if (this.#closesGroup()) {
      this.#open.pop();
      this.#at += 1;
      this.#tokens.push({ type: "close", column });
      return;
    }
    // `--flag` is searched as text, not an excluded `-flag`.
    const excluded = this.#skip(/-(?=[^-\s)])/y) !== null;
    // As in `() => x`: text, not a group.
    if (this.#skip(/\(\)/y) !== null) return;
    if (this.#skip(/\(/y) !== null) {
      this.#openGroup(column, excluded);
      return;
    }
    const operator = excluded ? null : this.#skip(/(?:AND|OR)(?=[\s")]|$)/y);
    if (operator !== null) {
      this.#tokens.push({ type: operator === "AND" ? "AND" : "OR", column });
      return;
    }
    const node = this.#readLeaf();
    if (node !== null) this.#addLeaf(node, excluded, column);
  }

  #openGroup(column: number, excluded: boolean): void {
    if (this.#open.filter(({ isGroup }) => isGroup).length === DEPTH_LIMIT) {
      throw invalidQuery(`The parenthesis at column ${column} is inside ${DEPTH_LIMIT} others, which is too deep.`);
    }
    this.#open.push({ isGroup: true, column });
    this.#tokens.push({ type: "open", excluded, column });
  }

  #addLeaf(node: QueryLeaf, excluded: boolean, column: number): void {
    this.#leaves += 1;
    if (node.type === "substring" || ("prefix" in node && node.prefix)) this.#openLeaves += 1;
    if (this.#leaves > LEAF_LIMIT) {
      throw invalidQuery(`The query has more than ${LEAF_LIMIT} words, at column ${column}.`);
    }
    if (this.#openLeaves > OPEN_LIMIT) {
      throw invalidQuery(`The query has more than ${OPEN_LIMIT} words with * or ~, at column ${column}.`);
    }
    this.#tokens.push({ type: "leaf", node, excluded, column, end: this.#at });
  }

  /** `null` if there is nothing to search for. */
  #readLeaf(): QueryLeaf | null {
    const column = this.#at + 1;
    const field = this.#skip(FIELD);
    if (field !== null) return fieldOf(field.slice(0, -1).toLowerCase(), this.#readPiece(), column);
    if (this.#skip(/~(?=[^~\s)])/y) !== null) return substringOf(this.#readPiece(), column);
    return termOf(this.#readPiece());
  }

  #readPiece(): Piece {
    const column = this.#at + 1;
    if (this.#skip(/"/y) === null) return this.#readWord();
    const text = this.#skip(/[^"]*/y) ?? "";
    if (this.#skip(/"/y) === null) throw invalidQuery(`The quote at column ${column} is not closed.`);
    return { text, quoted: true, starred: this.#skip(/\*/y) !== null, isBalanced: true };
  }

  #readWord(): Piece {
    const start = this.#at;
    let depth = 0;
    let isBalanced = true;
    for (;;) {
      this.#skip(/[^\s"()]+/y);
      if (this.#closesGroup()) break;
      const column = this.#at + 1;
      if (this.#skip(/\(/y) !== null) {
        this.#open.push({ isGroup: false, column });
        depth += 1;
      } else if (this.#skip(/\)/y) !== null) {
        if (this.#open.pop() === undefined) {
          throw invalidQuery(
            `The parenthesis at column ${column} has no opening parenthesis; quote it to search for it.`,
          );
        }
        depth -= 1;
        if (depth < 0) isBalanced = false;
      } else {
        break;
      }
    }
    const text = this.#text.slice(start, this.#at);
    return { text, quoted: false, starred: text.endsWith("*"), isBalanced: isBalanced && depth === 0 };
  }

  #closesGroup(): boolean {
    return this.#text[this.#at] === ")" && this.#open.at(-1)?.isGroup === true;
  }

  /** Skips what a sticky pattern matches here. */
  #skip(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return null;
    this.#at = pattern.lastIndex;
    return match[0];
  }
}

/** A word, or quoted text. */
interface Piece {
  text: string;
  quoted: boolean;
  /** A `*` follows the word or the closing quote. */
  starred: boolean;
  /** Whether the parentheses of a word are balanced. */
  isBalanced: boolean;
}

function termOf({ text, quoted, starred, isBalanced }: Piece): TermNode | null {
  const body = quoted ? text : withoutStars(text);
  const last = splitWords(body).at(-1);
  if (last === undefined) return null;
  // In `foo.*` the star follows punctuation, so there is no prefix.
  const prefix = starred && last.end === body.length;
  // Unquoted, an unbalanced parenthesis could be taken for that of a group. A phrase finds the same.
  return { type: "term", text: prefix ? body : text, quoted: quoted || !isBalanced, prefix };
}

function substringOf({ text, quoted }: Piece, column: number): SubstringNode | null {
  if (countCharacters(text) >= SUBSTRING_LENGTH) return { type: "substring", text };
  // `~>` is text.
  if (!quoted && splitWords(text).length === 0) return null;
  throw invalidQuery(`The ~ at column ${column} needs at least ${SUBSTRING_LENGTH} characters after it.`);
}

function fieldOf(name: string, { text, quoted, starred, isBalanced }: Piece, column: number): QueryLeaf {
  const value = quoted ? text : withoutStars(text);
  const typed = quoted && starred ? `${text}*` : text;
  // Names and notes are searched by their words.
  const isEmpty = name === "name" || name === "note" ? splitWords(value).length === 0 : value.trim() === "";
  if (isEmpty) throw invalidQuery(`The ${name}: at column ${column} has no value; quote it to search for it.`);
  if (!isBalanced) throw invalidQuery(`The value of ${name}: at column ${column} must be quoted.`);
  switch (name) {
    case "role":
      return { type: "role", role: oneOf(ROLES, typed, name, column) };
    case "is":
      return { type: "is", state: oneOf(STATES, typed, name, column) };
    case "has":
      return { type: "has", what: oneOf(["note"], typed, name, column) };
    case "before":
    case "after": {
      const { problem } = readTypedTime(typed, 0);
      if (problem !== null) throw invalidQuery(`The ${name}: at column ${column} ${problem}.`);
      return { type: "time", side: name, value: typed };
    }
    default:
      // What is left of `FIELD`.
      return { type: "field", field: name as FieldNode["field"], value, prefix: starred };
  }
}

function oneOf<Value extends string>(values: readonly Value[], typed: string, name: string, column: number): Value {
  const found = values.find((value) => value === typed.toLowerCase());
  if (found === undefined) {
    throw invalidQuery(`The ${name}: at column ${column} must be one of ${values.join(", ")}.`);
  }
  return found;
}

function withoutStars(text: string): string {
  return text.replace(/\*+$/, "");
}
