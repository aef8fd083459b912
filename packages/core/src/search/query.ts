import { readTypedTime } from "../typed-time.ts";
import {
  invalidQuery,
  type OpenToken,
  type OperandToken,
  type OperatorToken,
  type QueryToken,
  readTokens,
} from "./query-lexer.ts";
import type { PositiveNode, QueryNode } from "./query-tree.ts";

/**
 * Parses a query. Words are combined with AND; `OR` has lower precedence. `"…"` is a phrase, `word*` and `"…"*` a
 * prefix, `~text` and `~"…"` a substring; `-` excludes the next operand, `( )` groups; `field:value` and
 * `field:"value"` compare properties of a session or an entry. Words without letters, digits or symbols are ignored.
 *
 * `(`, `-` and `~` are operators only at the start of a word. Elsewhere they are text, and so is the matching `)` of a
 * `(` within a word: `foo(bar)` is one word, `fn(a, b)` two.
 *
 * @returns the tree in normal form: no `and` directly in an `and`, no `or` directly in an `or`.
 * @throws AppError INVALID_PAYLOAD with the column.
 */
export function parseQuery(text: string): PositiveNode {
  const parser = new Parser(readTokens(text));
  const sides = parser.readSides();
  if (sides.length === 1 && sides[0]?.nodes.length === 0) {
    throw invalidQuery("The query is empty, at column 1.");
  }
  return anyOf(sides);
}

/** Formats a query so that `parseQuery` returns the same tree. */
export function printQuery(node: QueryNode): string {
  switch (node.type) {
    case "and":
      return node.nodes.map((child) => (child.type === "or" ? `(${printQuery(child)})` : printQuery(child))).join(" ");
    case "or":
      return node.nodes.map(printQuery).join(" OR ");
    case "not": {
      const inner = printQuery(node.node);
      return node.node.type === "and" || node.node.type === "or" ? `-(${inner})` : `-${inner}`;
    }
    case "term":
      return `${node.quoted ? `"${node.text}"` : node.text}${node.prefix ? "*" : ""}`;
    case "substring":
      return `~${printValue(node.text)}`;
    case "field":
      return `${node.field}:${printValue(node.value)}${node.prefix ? "*" : ""}`;
    case "role":
      return `role:${node.role}`;
    case "is":
      return `is:${node.state}`;
    case "has":
      return `has:${node.what}`;
    case "time":
      return `${node.side}:${printValue(node.value)}`;
  }
}

/**
 * Converts the times of `before:` and `after:` to UTC, so that they do not depend on where the query runs. Call it
 * where the query was typed: relative times use this process's clock and time zone.
 *
 * @param now milliseconds since 1970.
 * @throws AppError INVALID_PAYLOAD with the column.
 */
export function withResolvedTimes(text: string, now: number): string {
  // Columns refer to the typed text.
  parseQuery(text);
  let written = "";
  let from = 0;
  for (const token of readTokens(text)) {
    if (token.type !== "leaf" || token.node.type !== "time") continue;
    const { time } = readTypedTime(token.node.value, now);
    if (time === null) continue;
    const start = token.column - 1 + (token.excluded ? 1 : 0);
    written += `${text.slice(from, start)}${token.node.side}:${new Date(time).toISOString()}`;
    from = token.end;
  }
  return written + text.slice(from);
}

/** Quotes values that would be parsed differently. */
function printValue(value: string): string {
  return /^(?!~|:|\/\/)[^\s"()*]+$/.test(value) ? value : `"${value}"`;
}

/** A conjunction: a query, a group, or a side of an `OR`. */
interface Side {
  nodes: QueryNode[];
  /** Column of the first exclusion, 0 if there is none. */
  excluding: number;
}

class Parser {
  readonly #tokens: readonly QueryToken[];
  #at = 0;

  constructor(tokens: readonly QueryToken[]) {
    this.#tokens = tokens;
  }

  /** Parses up to the end of the query or group. A single side may be empty. */
  readSides(): Side[] {
    const sides: Side[] = [];
    let operator: OperatorToken | undefined;
    for (;;) {
      const side = this.#readSide();
      const next = this.#tokens[this.#at];
      const following = next?.type === "OR" ? next : undefined;
      if (side.nodes.length === 0) needSides(operator ?? following);
      sides.push(side);
      if (following === undefined) return sides;
      operator = following;
      this.#at += 1;
    }
  }

  #readSide(): Side {
    const side: Side = { nodes: [], excluding: 0 };
    let operator: OperatorToken | undefined;
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token === undefined || token.type === "OR" || token.type === "close") break;
      this.#at += 1;
      if (token.type === "AND") {
        if (side.nodes.length === 0 || operator !== undefined) needSides(token);
        operator = token;
        continue;
      }
      operator = undefined;
      if (token.type === "leaf") add(side, token.node, token);
      else this.#readGroup(side, token);
    }
    needSides(operator);
    return side;
  }

  #readGroup(side: Side, opening: OpenToken): void {
    const sides = this.readSides();
    this.#at += 1;
    const [only] = sides;
    if (sides.length > 1 || only === undefined) {
      add(side, anyOf(sides), opening);
    } else if (only.nodes.length === 0) {
      throw invalidQuery(`The parentheses at column ${opening.column} are empty.`);
    } else if (opening.excluded) {
      add(side, allOf(only), opening);
    } else {
      side.nodes.push(...only.nodes);
      side.excluding ||= only.excluding;
    }
  }
}

function add(side: Side, node: PositiveNode, { excluded, column }: OperandToken): void {
  side.nodes.push(excluded ? { type: "not", node } : node);
  if (excluded) side.excluding ||= column;
}

function anyOf(sides: readonly Side[]): PositiveNode {
  const nodes = sides.map(allOf).flatMap((node) => (node.type === "or" ? node.nodes : [node]));
  const [only] = nodes;
  return nodes.length === 1 && only !== undefined ? only : { type: "or", nodes };
}

function allOf({ nodes, excluding }: Side): PositiveNode {
  if (nodes.every((node) => node.type === "not")) {
    throw invalidQuery(`The query only excludes, from column ${excluding} on; add a word to search for.`);
  }
  const [only] = nodes;
  return nodes.length === 1 && only !== undefined && only.type !== "not" ? only : { type: "and", nodes };
}

function needSides(operator: OperatorToken | undefined): void {
  if (operator === undefined) return;
  throw invalidQuery(
    `The ${operator.type} at column ${operator.column} needs a term on both sides; write "${operator.type.toLowerCase()}" to search for the word.`,
  );
}
