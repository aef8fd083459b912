import { countCharacters, splitWords } from "@sm/text-index/analysis";
import { AppError } from "../errors.ts";
import type { SearchRole } from "../library.ts";
import { readTypedTime } from "../typed-time.ts";
import type { FieldNode, QueryLeaf, StateNode, SubstringNode, TermNode } from "./query-tree.ts";

/** What begins an operand. Columns are counted from 1. */
export interface OperandToken {
  excluded: boolean;
  column: number;
}

export interface LeafToken extends OperandToken {
  type: "leaf";
  node: QueryLeaf;
  /** Where the text of it ends, counted from 0. */
  end: number;
}

export interface OpenToken extends OperandToken {
  type: "open";
}

export type OperatorToken = { type: "AND"; column: number } | { type: "OR"; column: number };

export type QueryToken = LeafToken | OpenToken | OperatorToken | { type: "close"; column: number };

const LENGTH_LIMIT = 1000;
const DEPTH_LIMIT = 32;
/** A paragraph of `LENGTH_LIMIT` characters, pasted, has fewer words. */
const LEAF_LIMIT = 256;
/** Beginnings and substrings: each may stand for very many terms of the index. */
const OPEN_LIMIT = 32;
const SUBSTRING_LENGTH = 3;

const ROLES: readonly SearchRole[] = ["user", "assistant", "tool", "all"];
const STATES: readonly StateNode["state"][] = ["favorite", "live"];
/** `file://…` and `file::…` are text. */
const FIELD = /(role|tool|project|model|tag|name|file|is|before|after):(?!:|\/\/)/iy;

/**
 * Reads the words, fields and signs of a query, with its parentheses in pairs. Words without letters, digits or symbols
 * are left out.
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
  /** What is open, from outside to inside; a `(` in the text of a word is no group, but has a `)` of its own. */
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
    // `--flag` is text that people search for, not an excluded `-flag`.
    const excluded = this.#skip(/-(?=[^-\s)])/y) !== null;
    // As in `() => x`: a sign, not a group.
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

  /** `null` for what has nothing to search for. */
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

  /** Moves on over what a sticky pattern matches here. */
  #skip(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return null;
    this.#at = pattern.lastIndex;
    return match[0];
  }
}

/** A word, or what stands in quotes. */
interface Piece {
  text: string;
  quoted: boolean;
  /** A `*` ends the word or follows the closing quote. */
  starred: boolean;
  /** Whether each parenthesis of a word has its counterpart in it. */
  isBalanced: boolean;
}

function termOf({ text, quoted, starred, isBalanced }: Piece): TermNode | null {
  const body = quoted ? text : withoutStars(text);
  const last = splitWords(body).at(-1);
  if (last === undefined) return null;
  // In `foo.*` the star follows punctuation: there is no word of which it could be the rest.
  const prefix = starred && last.end === body.length;
  // Printed as it was typed, half a pair of parentheses could be taken for that of a group. A phrase finds the same.
  return { type: "term", text: prefix ? body : text, quoted: quoted || !isBalanced, prefix };
}

function substringOf({ text, quoted }: Piece, column: number): SubstringNode | null {
  if (countCharacters(text) >= SUBSTRING_LENGTH) return { type: "substring", text };
  // `~>` is a sign.
  if (!quoted && splitWords(text).length === 0) return null;
  throw invalidQuery(`The ~ at column ${column} needs at least ${SUBSTRING_LENGTH} characters after it.`);
}

function fieldOf(name: string, { text, quoted, starred, isBalanced }: Piece, column: number): QueryLeaf {
  const value = quoted ? text : withoutStars(text);
  const typed = quoted && starred ? `${text}*` : text;
  // A name is looked for by its words.
  const isEmpty = name === "name" ? splitWords(value).length === 0 : value.trim() === "";
  if (isEmpty) throw invalidQuery(`The ${name}: at column ${column} has no value; quote it to search for it.`);
  if (!isBalanced) throw invalidQuery(`The value of ${name}: at column ${column} must be quoted.`);
  switch (name) {
    case "role":
      return { type: "role", role: oneOf(ROLES, typed, name, column) };
    case "is":
      return { type: "is", state: oneOf(STATES, typed, name, column) };
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
