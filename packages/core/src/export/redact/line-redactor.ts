import { isJsonObject, isTooDeep, type JsonValue } from "../../json.ts";
import { parseLine } from "../../session/jsonl.ts";
import type { Numbering } from "./placeholders.ts";
import { Redactor } from "./redactor.ts";
import { OwnWords } from "./words.ts";

export interface LineRedactorOptions {
  /** Of the user's own. */
  words: readonly string[];
  /** Paths below home directories whose users are not to be named. */
  paths: readonly string[];
  /** The number of a placeholder, up to nine digits: equal for equal values, and nothing to guess the value by. */
  numberOf(type: string, value: string): number;
}

/** Members that formats are read by: names of their own, ids and times. Words of the user's own are left in them. */
const STRUCTURE: ReadonlySet<string> = new Set(
  (
    "type subtype role id parentId parent_id uuid parentUuid sessionId session_id timestamp version toolCallId toolUseId " +
    "tool_use_id call_id api provider model modelId stopReason stop_reason thinkingLevel customType mimeType media_type"
  ).split(" "),
);
/** Below these, members have any names. */
const DATA: ReadonlySet<string> = new Set(["arguments", "input", "details", "toolUseResult", "output", "result"]);
const IMAGE: ReadonlySet<string> = new Set(["data", "image_url", "url"]);
const IMAGE_DATA = /^(?:data:[\w/+.-]{1,100};base64,)?[A-Za-z0-9+/\s]{1000,}={0,2}$/;
/** Deeper there is no structure. */
const DEEPEST = 12;

/**
 * Redacts a session file line by line. What becomes of a line depends on it alone, so that a file that only grows does so
 * redacted, too. The lines keep their structure.
 */
export class LineRedactor {
  readonly #words: OwnWords | null;
  readonly #paths: readonly string[];
  readonly #numbering: Numbering;

  constructor({ words, paths, numberOf }: LineRedactorOptions) {
    this.#words = words.length === 0 ? null : new OwnWords(words);
    this.#paths = paths;
    const placeholder = (type: string, value: string) => `[redacted:${type}-${numberOf(type, value)}]`;
    this.#numbering = { of: placeholder, cut: placeholder };
  }

  /** A line without its end; one that is no JSON object is redacted as a text. */
  line(line: string): string {
    const value = parseLine(line);
    // Written again, it would need too much stack.
    if (value === null || isTooDeep(value)) return this.text(line);
    const all = this.#redactor(this.#words);
    const withoutWords = this.#words === null ? all : this.#redactor(null);
    return JSON.stringify(redactedStructure(value, { all, withoutWords }, DEEPEST));
  }

  text(text: string): string {
    return this.#redactor(this.#words).text(text, null);
  }

  /** One that has learnt nothing of other lines. */
  #redactor(words: OwnWords | null): Redactor {
    const redactor = new Redactor(words ?? [], undefined, this.#numbering);
    for (const path of this.#paths) redactor.learn(path);
    return redactor;
  }
}

interface Redactors {
  all: Redactor;
  withoutWords: Redactor;
}

function redactedStructure(value: JsonValue, redactors: Redactors, levels: number): JsonValue {
  if (levels === 0) return redactors.all.value(value, null);
  if (Array.isArray(value)) return value.map((element) => redactedStructure(element, redactors, levels - 1));
  if (!isJsonObject(value)) return redactors.all.value(value, null);
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [
    name,
    member === undefined ? null : redactedMember(name, member, redactors, levels),
  ]);
  return Object.fromEntries(members);
}

function redactedMember(name: string, member: JsonValue, redactors: Redactors, levels: number): JsonValue {
  if (DATA.has(name)) return redactors.all.value(member, null);
  if (typeof member !== "string") return redactedStructure(member, redactors, levels - 1);
  if (STRUCTURE.has(name)) return redactors.withoutWords.text(member, null);
  if (IMAGE.has(name) && IMAGE_DATA.test(member)) return member;
  // What the name says of the value counts, too.
  const redacted = redactors.all.value({ [name]: member }, null);
  return Object.values(redacted as Record<string, JsonValue>)[0] ?? null;
}
