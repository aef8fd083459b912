import type { Usage } from "../../session/record.ts";
import type { MessageRole } from "../../session/roles.ts";
import { excerptOfText } from "../excerpt.ts";
import type { EntryFacts } from "../format.ts";
import type { ScannedLine } from "../scanned-line.ts";
import {
  decoded,
  endAt,
  isString,
  isText,
  kindAt,
  type Latest,
  NONE,
  nameAt,
  nameOf,
  next,
  numberAt,
  startAt,
  textAt,
  timestampAt,
} from "../scanned-values.ts";
import { ARRAY, ESCAPED, OBJECT, TRUE, UTF8 } from "../token-layout.ts";
import { providerNamed } from "./facts.ts";

const TYPE = nameOf("type");
const ID = nameOf("id");
const PARENT_ID = nameOf("parentId");
const TIMESTAMP = nameOf("timestamp");
const MESSAGE = nameOf("message");
const ROLE = nameOf("role");
const CONTENT = nameOf("content");
const TEXT = nameOf("text");
const NAME = nameOf("name");
const TOOL_NAME = nameOf("toolName");
const NESTED_CALLS = nameOf("nestedCalls");
const IS_ERROR = nameOf("isError");
const MODEL = nameOf("model");
const PROVIDER = nameOf("provider");
const USAGE = nameOf("usage");
const INPUT = nameOf("input");
const OUTPUT = nameOf("output");
const CACHE_READ = nameOf("cacheRead");
const CACHE_WRITE = nameOf("cacheWrite");
const CACHE_WRITE_1H = nameOf("cacheWrite1h");
const REASONING = nameOf("reasoning");
const COST = nameOf("cost");
const TOTAL = nameOf("total");
const COUNTED_ELSEWHERE = nameOf("countedElsewhere");
const STOP_REASON = nameOf("stopReason");

const NO_TOOLS: readonly (string | null)[] = [];

/** The most common roles; others are parsed. */
const ROLES: readonly [string, MessageRole][] = [
  ["toolResult", "tool"],
  ["assistant", "assistant"],
  ["user", "user"],
];

/** The latest of texts that are usually repeated. */
const latest: Record<"id" | "model" | "provider" | "tool", Latest> = {
  id: { text: "" },
  model: { text: "" },
  provider: { text: "" },
  tool: { text: "" },
};

/**
 * Returns the same as `SessionFormat.facts` without decoding the text of a message. `null` for other entries, and if
 * something is not written as by the agent.
 */
export function factsOfScanned(line: ScannedLine): EntryFacts | null {
  const { tokens } = line;
  let type = NONE;
  let id = NONE;
  let parentId = NONE;
  let time = NONE;
  let message = NONE;
  const end = tokens[2] ?? 0;
  for (let token = 1; token < end; token = next(tokens, token)) {
    const name = nameAt(tokens, token);
    if (name === TYPE) type = token;
    else if (name === ID) id = token;
    else if (name === PARENT_ID) parentId = token;
    else if (name === TIMESTAMP) time = token;
    else if (name === MESSAGE) message = token;
  }
  if (!isText(line, type, "message") || kindAt(tokens, message) !== OBJECT) return null;
  const timestamp = timestampAt(line, time);
  if (timestamp === null || isUnreadable(tokens, id) || isUnreadable(tokens, parentId)) return null;
  const facts = messageFacts(line, message);
  if (facts === null) return null;
  // The parent is usually the previous line, whose ID is still cached.
  facts.parentId = parentId === NONE ? undefined : textAt(line, parentId, latest.id);
  facts.id = textAt(line, id, latest.id);
  facts.timestamp = timestamp;
  return facts;
}

function messageFacts(line: ScannedLine, message: number): EntryFacts | null {
  const { tokens } = line;
  let role: MessageRole | null = null;
  let content = NONE;
  let toolName = NONE;
  let nestedCalls = NONE;
  let isError = false;
  let model = NONE;
  let provider = NONE;
  let usage = NONE;
  let stopReason = NONE;
  const end = endAt(tokens, message);
  for (let token = message + 1; token < end; token = next(tokens, token)) {
    const name = nameAt(tokens, token);
    if (name === ROLE) role = roleAt(line, token);
    else if (name === CONTENT) content = token;
    else if (name === TOOL_NAME) toolName = token;
    else if (name === NESTED_CALLS) nestedCalls = token;
    else if (name === IS_ERROR) isError = kindAt(tokens, token) === TRUE;
    else if (name === MODEL) model = token;
    else if (name === PROVIDER) provider = token;
    else if (name === USAGE) usage = token;
    else if (name === STOP_REASON) stopReason = token;
  }
  if (role === null) return null;
  const facts: EntryFacts = {
    id: null,
    parentId: undefined,
    conversation: true,
    isMessage: true,
    continues: false,
    role,
    timestamp: null,
    hasText: false,
    excerpt: noExcerpt,
    calledTools: NO_TOOLS,
    nestedTools: NO_TOOLS,
    failedTools: NO_TOOLS,
    model: null,
    provider: null,
    setsModel: role === "assistant",
    usage: null,
    answer: null,
    name: undefined,
    label: undefined,
    editedId: undefined,
  };
  if (role === "tool") {
    if (nestedCalls !== NONE) return null;
    facts.usage = usageAt(line, usage);
    if (!isError) return facts;
    if (isUnreadable(tokens, toolName)) return null;
    facts.failedTools = [textAt(line, toolName, latest.tool)];
    return facts;
  }
  if (role === "assistant") {
    if (isUnreadable(tokens, model) || isUnreadable(tokens, provider) || endsBadly(line, stopReason)) return null;
    facts.model = textAt(line, model, latest.model);
    facts.provider = providerNamed(textAt(line, provider, latest.provider));
    facts.usage = usageAt(line, usage);
  }
  return readContent(line, content, facts) ? facts : null;
}

/** Such messages are rare, and tell more. */
function endsBadly(line: ScannedLine, stopReason: number): boolean {
  const isBad = isText(line, stopReason, "error") || isText(line, stopReason, "aborted");
  return isBad || isUnreadable(line.tokens, stopReason);
}

function noExcerpt(): null {
  return null;
}

/** Reads the text and calls of a message. Returns `false` if it must be parsed. */
function readContent(line: ScannedLine, content: number, facts: EntryFacts): boolean {
  const { tokens } = line;
  /** Tokens become invalid with the next line, but the bytes stay a little longer. */
  const texts: number[] = [];
  if (isString(kindAt(tokens, content))) addText(tokens, content, texts);
  else if (kindAt(tokens, content) === ARRAY) {
    let calledTools: (string | null)[] | null = null;
    const end = endAt(tokens, content);
    for (let block = content + 1; block < end; block = next(tokens, block)) {
      if (kindAt(tokens, block) !== OBJECT) continue;
      let type = NONE;
      let text = NONE;
      let name = NONE;
      const blockEnd = endAt(tokens, block);
      for (let token = block + 1; token < blockEnd; token = next(tokens, token)) {
        const key = nameAt(tokens, token);
        if (key === TYPE) type = token;
        else if (key === TEXT) text = token;
        else if (key === NAME) name = token;
      }
      if (kindAt(tokens, type) === ESCAPED) return false;
      if (isText(line, type, "text")) addText(tokens, text, texts);
      else if (facts.role === "assistant" && isText(line, type, "toolCall")) {
        if (isUnreadable(tokens, name)) return false;
        calledTools ??= [];
        calledTools.push(textAt(line, name, latest.tool));
      }
    }
    if (calledTools !== null) facts.calledTools = calledTools;
  }
  if (texts.length > 0 && hasLetters(line, texts)) {
    facts.hasText = true;
    facts.excerpt = () => excerptOfText(joined(line, texts));
  }
  return true;
}

/** Of a text: kind, start and end. */
const TEXT_NUMBERS = 3;

function addText(tokens: Int32Array, token: number, texts: number[]): void {
  const kind = kindAt(tokens, token);
  const start = startAt(tokens, token);
  const end = endAt(tokens, token);
  if (isString(kind) && end > start) texts.push(kind, start, end);
}

/** Whether there is anything but white space. */
function hasLetters(line: ScannedLine, texts: number[]): boolean {
  const first = line.bytes[texts[1] ?? 0] ?? 0;
  const isLetter = first > 0x20 && first < 0x80 && first !== 0x5c;
  return isLetter || joined(line, texts).trim() !== "";
}

function joined(line: ScannedLine, texts: number[]): string {
  const pieces: string[] = [];
  for (let at = 0; at < texts.length; at += TEXT_NUMBERS) {
    pieces.push(decoded(line, texts[at] ?? 0, texts[at + 1] ?? 0, texts[at + 2] ?? 0));
  }
  return pieces.join("\n");
}

function usageAt(line: ScannedLine, usage: number): Usage | null {
  const { tokens } = line;
  if (kindAt(tokens, usage) !== OBJECT) return null;
  let input = 0;
  let output = 0;
  let cacheRead = 0;
  let cacheWrite = 0;
  let cacheWrite1h = 0;
  let reasoning = 0;
  let cost: number | null = null;
  const end = endAt(tokens, usage);
  for (let token = usage + 1; token < end; token = next(tokens, token)) {
    const name = nameAt(tokens, token);
    if (name === INPUT) input = amount(numberAt(line, token));
    else if (name === OUTPUT) output = amount(numberAt(line, token));
    else if (name === CACHE_READ) cacheRead = amount(numberAt(line, token));
    else if (name === CACHE_WRITE) cacheWrite = amount(numberAt(line, token));
    else if (name === CACHE_WRITE_1H) cacheWrite1h = amount(numberAt(line, token));
    else if (name === REASONING) reasoning = amount(numberAt(line, token));
    else if (name === COST) cost = costAt(line, token);
    else if (name === COUNTED_ELSEWHERE && kindAt(tokens, token) === TRUE) return null;
  }
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    cache_write_1h_tokens: cacheWrite1h,
    reasoning_tokens: reasoning,
    total_tokens: input + output + cacheRead + cacheWrite,
    cost_usd: cost,
    estimated_cost_usd: null,
  };
}

function costAt(line: ScannedLine, cost: number): number | null {
  const { tokens } = line;
  if (kindAt(tokens, cost) !== OBJECT) return null;
  let total = NONE;
  const end = endAt(tokens, cost);
  for (let token = cost + 1; token < end; token = next(tokens, token)) {
    if (nameAt(tokens, token) === TOTAL) total = token;
  }
  return numberAt(line, total) ?? sumOfCosts(line, cost);
}

function sumOfCosts(line: ScannedLine, cost: number): number | null {
  const { tokens } = line;
  const parts = new Map<number, number | null>([INPUT, OUTPUT, CACHE_READ, CACHE_WRITE].map((name) => [name, null]));
  const end = endAt(tokens, cost);
  for (let token = cost + 1; token < end; token = next(tokens, token)) {
    const name = nameAt(tokens, token);
    if (parts.has(name)) parts.set(name, numberAt(line, token));
  }
  const amounts = [...parts.values()];
  return amounts.some((part) => part !== null) ? amounts.reduce<number>((sum, part) => sum + amount(part), 0) : null;
}

function amount(value: number | null): number {
  return value !== null && Number.isFinite(value) ? value : 0;
}

function roleAt(line: ScannedLine, token: number): MessageRole | null {
  for (const [written, role] of ROLES) if (isText(line, token, written)) return role;
  return null;
}

/** Whether a token is a string that must be parsed. */
function isUnreadable(tokens: Int32Array, token: number): boolean {
  const kind = kindAt(tokens, token);
  return kind === ESCAPED || kind === UTF8;
}
