import { ArgumentPaths, DEEPEST_ARGUMENT, mayBePath, namesPath } from "../argument-paths.ts";
import type { ScannedPart } from "../format.ts";
import type { ScannedLine } from "../scanned-line.ts";
import {
  decodedLines,
  endAt,
  isString,
  isText,
  keyEndAt,
  keyStartAt,
  kindAt,
  memberOf,
  NONE,
  nameOf,
  next,
  startAt,
  stringAt,
} from "../scanned-values.ts";
import { ARRAY, ESCAPED, FALSE, NUMBER, OBJECT } from "../token-layout.ts";

const TYPE = nameOf("type");
const MESSAGE = nameOf("message");
const ROLE = nameOf("role");
const CONTENT = nameOf("content");
const TEXT = nameOf("text");
const THINKING = nameOf("thinking");
const NAME = nameOf("name");
const ARGUMENTS = nameOf("arguments");
const TOOL_NAME = nameOf("toolName");
const MODEL = nameOf("model");
const DISPLAY = nameOf("display");
const COMMAND = nameOf("command");
const OUTPUT = nameOf("output");
const SUMMARY = nameOf("summary");
const LABEL = nameOf("label");
const NESTED_CALLS = nameOf("nestedCalls");
const CALLS = nameOf("calls");
const ERROR = nameOf("error");

const DIGIT = /^\d/;

/**
 * Lists the same parts as `piFormat.parts` without parsing the line. `null` if something is not written as by the
 * agent.
 */
export function partsOfScanned(line: ScannedLine): ScannedPart[] | null {
  const { tokens } = line;
  const type = memberOf(tokens, 0, TYPE);
  if (kindAt(tokens, type) === ESCAPED) return null;
  if (isText(line, type, "message")) {
    const message = memberOf(tokens, 0, MESSAGE);
    return kindAt(tokens, message) === OBJECT ? messageParts(line, message) : [];
  }
  if (isText(line, type, "compaction") || isText(line, type, "branch_summary")) {
    return partOf("summary", null, strings(tokens, memberOf(tokens, 0, SUMMARY)));
  }
  if (isText(line, type, "custom_message")) return shownPart(line, 0);
  if (isText(line, type, "session_info")) {
    return partOf("name", null, unlessBlank(line, strings(tokens, memberOf(tokens, 0, NAME))));
  }
  if (isText(line, type, "label")) return partOf("label", null, strings(tokens, memberOf(tokens, 0, LABEL)));
  return [];
}

function messageParts(line: ScannedLine, message: number): ScannedPart[] | null {
  const { tokens } = line;
  const role = memberOf(tokens, message, ROLE);
  if (kindAt(tokens, role) === ESCAPED) return null;
  if (isText(line, role, "toolResult")) return resultParts(line, message);
  if (isText(line, role, "assistant")) return assistantParts(line, message);
  if (isText(line, role, "user")) {
    const content = contentOf(line, message);
    return content && partOf("text", "user", content.text);
  }
  if (isText(line, role, "bashExecution")) {
    const pieces = strings(tokens, memberOf(tokens, message, COMMAND), memberOf(tokens, message, OUTPUT));
    return partOf("bash", "tool", unlessBlank(line, pieces), { toolName: "bash" });
  }
  const isOther = isText(line, role, "custom") || isText(line, role, "hookMessage") || isText(line, role, "system");
  return isOther ? shownPart(line, message) : [];
}

/** A result, then each nested call with its error. */
function resultParts(line: ScannedLine, message: number): ScannedPart[] | null {
  const { tokens } = line;
  const content = contentOf(line, message);
  if (content === null) return null;
  const toolName = stringAt(line, memberOf(tokens, message, TOOL_NAME)) || null;
  const parts = partOf("tool_result", "tool", content.text, { toolName });
  const nested = memberOf(tokens, message, NESTED_CALLS);
  const calls = kindAt(tokens, nested) === OBJECT ? memberOf(tokens, nested, CALLS) : NONE;
  if (kindAt(tokens, calls) !== ARRAY) return parts;
  const end = endAt(tokens, calls);
  for (let call = calls + 1; call < end; call = next(tokens, call)) {
    if (kindAt(tokens, call) !== OBJECT) continue;
    const part = callPart(line, call, null);
    if (part === null) return null;
    parts.push(part);
    const error = strings(tokens, memberOf(tokens, call, ERROR));
    parts.push(...partOf("tool_result", "tool", error, { toolName: part.toolName }));
  }
  return parts;
}

function assistantParts(line: ScannedLine, message: number): ScannedPart[] | null {
  const content = contentOf(line, message);
  if (content === null) return null;
  const model = stringAt(line, memberOf(line.tokens, message, MODEL)) || null;
  const parts = partOf("text", "assistant", content.text, { model });
  parts.push(...partOf("thinking", "assistant", content.thinking, { model }));
  for (const block of content.calls) {
    const call = callPart(line, block, model);
    if (call === null) return null;
    parts.push(call);
  }
  return parts;
}

/** A part that may be hidden. */
function shownPart(line: ScannedLine, object: number): ScannedPart[] | null {
  if (kindAt(line.tokens, memberOf(line.tokens, object, DISPLAY)) === FALSE) return [];
  const content = contentOf(line, object);
  return content && partOf("text", null, content.text);
}

/** Empty without text. */
function partOf(
  kind: ScannedPart["kind"],
  role: ScannedPart["role"],
  pieces: number[],
  { toolName = null, model = null }: { toolName?: string | null; model?: string | null } = {},
): ScannedPart[] {
  return pieces.length === 0 ? [] : [{ kind, role, pieces, toolName, model, files: [] }];
}

/** Ranges of text and thinking, and the blocks of calls. */
interface Content {
  text: number[];
  thinking: number[];
  calls: number[];
}

/** `null` if a block must be parsed. */
function contentOf(line: ScannedLine, object: number): Content | null {
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
    else if (isText(line, type, "toolCall")) found.calls.push(block);
  }
  return found;
}

function callPart(line: ScannedLine, call: number, model: string | null): ScannedPart | null {
  const { tokens } = line;
  const name = memberOf(tokens, call, NAME);
  const toldArguments = new ToldArguments(line, strings(tokens, name));
  const callArguments = memberOf(tokens, call, ARGUMENTS);
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

/** The ranges, or none if they contain only white space. */
function unlessBlank(line: ScannedLine, pieces: number[]): number[] {
  return decodedLines(line, pieces).trim() === "" ? [] : pieces;
}

/** Ranges of those values that are strings. */
function strings(tokens: Int32Array, ...values: number[]): number[] {
  const pieces: number[] = [];
  for (const token of values) addString(tokens, token, pieces);
  return pieces;
}

function addString(tokens: Int32Array, token: number, pieces: number[]): void {
  if (isString(kindAt(tokens, token))) addPiece(startAt(tokens, token), endAt(tokens, token), pieces);
}

function addPiece(start: number, end: number, pieces: number[]): void {
  if (end > start) pieces.push(start, end);
}
