import { ArgumentPaths, DEEPEST_ARGUMENT, mayBePath, namesPath } from "./argument-paths.ts";
import type { ScannedPart } from "./format.ts";
import type { ScannedLine } from "./scanned-line.ts";
import {
  endAt,
  isString,
  isText,
  keyEndAt,
  keyStartAt,
  kindAt,
  memberOf,
  nameOf,
  next,
  startAt,
  stringAt,
} from "./scanned-values.ts";
import { ARRAY, ESCAPED, NUMBER, OBJECT } from "./token-layout.ts";

// What formats share that list the searched texts of a line without parsing it.

const TYPE = nameOf("type");
const CONTENT = nameOf("content");
const TEXT = nameOf("text");
const THINKING = nameOf("thinking");
const NAME = nameOf("name");

const DIGIT = /^\d/;

/** Empty without text. */
export function partOf(
  kind: ScannedPart["kind"],
  role: ScannedPart["role"],
  pieces: number[],
  { toolName = null, model = null }: { toolName?: string | null; model?: string | null } = {},
): ScannedPart[] {
  return pieces.length === 0 ? [] : [{ kind, role, pieces, toolName, model, files: [] }];
}

/** Ranges of text and thinking, and the blocks of calls. */
export interface Content {
  text: number[];
  thinking: number[];
  calls: number[];
}

/**
 * `null` if a block must be parsed.
 *
 * @param callType of the blocks of calls.
 */
export function contentOf(line: ScannedLine, object: number, callType: string): Content | null {
  const { tokens } = line;
  const content = memberOf(tokens, object, CONTENT);
  const found: Content = { text: strings(tokens, content), thinking: [], calls: [] };
  if (kindAt(tokens, content) !== ARRAY) return found;
  const end = endAt(tokens, content);
  for (let block = content + 1; block < end; block = next(tokens, block)) {
    if (kindAt(tokens, block) !== OBJECT) continue;
    const type = memberOf(tokens, block, TYPE);
    if (kindAt(tokens, type) === ESCAPED) return null;
    if (isText(line, type, "text")) addString(tokens, memberOf(tokens, block, TEXT), found.text);
    else if (isText(line, type, "thinking")) addString(tokens, memberOf(tokens, block, THINKING), found.thinking);
    else if (isText(line, type, callType)) found.calls.push(block);
  }
  return found;
}

/**
 * The part of a call, as `callText` and `argumentPaths` tell it; `null` if it must be parsed.
 *
 * @param argumentsName of the key of its arguments.
 */
export function callPart(
  line: ScannedLine,
  call: number,
  argumentsName: number,
  model: string | null,
): ScannedPart | null {
  const { tokens } = line;
  const name = memberOf(tokens, call, NAME);
  const toldArguments = new ToldArguments(line, strings(tokens, name));
  const callArguments = memberOf(tokens, call, argumentsName);
  if (kindAt(tokens, callArguments) === OBJECT && !toldArguments.add(callArguments)) return null;
  const { pieces, paths } = toldArguments;
  return {
    kind: "tool_call",
    role: "tool",
    pieces,
    toolName: stringAt(line, name) || null,
    model,
    files: paths.list(),
  };
}

/** The arguments of a call as text, and the paths among them. */
class ToldArguments {
  readonly paths = new ArgumentPaths();
  readonly pieces: number[];
  readonly #line: ScannedLine;

  /** @param pieces ranges of the name. */
  constructor(line: ScannedLine, pieces: number[]) {
    this.#line = line;
    this.pieces = pieces;
  }

  /** @returns `false` if they must be parsed. */
  add(callArguments: number): boolean {
    // The arguments themselves count as the first value.
    this.paths.takes(0);
    return this.#addInner(callArguments, false, 0);
  }

  /** @param isNamed whether an array is under a key that names paths. */
  #addInner(outer: number, isNamed: boolean, depth: number): boolean {
    if (depth === DEEPEST_ARGUMENT) return true;
    const { tokens } = this.#line;
    const isObject = kindAt(tokens, outer) === OBJECT;
    const keys = new Set<string>();
    const end = endAt(tokens, outer);
    for (let token = outer + 1; token < end; token = next(tokens, token)) {
      const keyStart = keyStartAt(tokens, token);
      const keyEnd = keyEndAt(tokens, token);
      let namesPaths = isNamed;
      if (isObject) {
        const key = this.#line.text(keyStart, keyEnd);
        // Of duplicate keys the last one counts, and numeric keys come first.
        if (keys.has(key) || DIGIT.test(key)) return false;
        keys.add(key);
        namesPaths = namesPath(key);
      }
      const isLookedAt = this.paths.takes(depth + 1);
      if (kindAt(tokens, token) >= ARRAY) {
        if (!this.#addInner(token, namesPaths, depth + 1)) return false;
        continue;
      }
      addPiece(keyStart, keyEnd, this.pieces);
      if (!this.#addScalar(token)) return false;
      if (isLookedAt) this.#addPath(token, namesPaths);
    }
    return true;
  }

  #addScalar(token: number): boolean {
    const { tokens } = this.#line;
    const start = startAt(tokens, token);
    const end = endAt(tokens, token);
    addPiece(start, end, this.pieces);
    if (kindAt(tokens, token) !== NUMBER) return true;
    const digits = this.#line.ascii(start, end);
    return String(Number(digits)) === digits;
  }

  #addPath(token: number, isNamed: boolean): void {
    const { tokens, bytes } = this.#line;
    if (!isString(kindAt(tokens, token))) return;
    if (!mayBePath(bytes, startAt(tokens, token), endAt(tokens, token), isNamed)) return;
    this.paths.add(stringAt(this.#line, token) ?? "", isNamed);
  }
}

/** Ranges of those values that are strings. */
export function strings(tokens: Int32Array, ...values: number[]): number[] {
  const pieces: number[] = [];
  for (const token of values) addString(tokens, token, pieces);
  return pieces;
}

export function addString(tokens: Int32Array, token: number, pieces: number[]): void {
  if (isString(kindAt(tokens, token))) addPiece(startAt(tokens, token), endAt(tokens, token), pieces);
}

function addPiece(start: number, end: number, pieces: number[]): void {
  if (end > start) pieces.push(start, end);
}
