import type { JsonObject, JsonValue } from "../json.ts";
import { cut, oneLine } from "../session/text.ts";
import type { MessageItem, TranscriptItem } from "../session/transcript.ts";
import { wordsOf } from "./words.ts";

/** Words of an entry, before secrets are replaced. */
export interface Said {
  entryId: string;
  text: string;
}

export interface ToDo {
  text: string;
  isDone: boolean;
}

/** Prompts that are remembered: the first ones say what it is about, the last ones what is wanted now. */
const FIRST_PROMPTS = 3;
const LAST_PROMPTS = 60;
const MOST_DECISIONS = 40;
const MOST_TODOS = 40;
/** Characters of a prompt or a summary that are kept. */
const MOST_OF_TEXT = 12_000;
/** Of an answer, as much is looked through for decisions. */
const MOST_OF_ANSWER = 20_000;
const SHORTEST_SENTENCE = 20;
const LONGEST_SENTENCE = 320;

/** What people and models write where something is decided. */
const DECIDES =
  /\b(?:decid(?:ed?|ing)|decision|instead of|rather than|chose|chosen|opted|agreed|settled on|switch(?:ed|ing)? to|go(?:ing)? with|went with|let'?s (?:use|keep|go)|we(?:'ll| will| should) (?:use|keep|not)|trade-?off)\b|决定|改用|采用|选择了|不再使用|而不是/iu;
/** Between sentences. A point in a name, a number or a secret ends none. */
const SENTENCE_ENDS = /(?<=[.!?])\s+|(?<=[。！？])|\n/u;
/** Code, which decides nothing. */
const FENCED = /^[^\S\n]*`{3,}[\s\S]*?(?:^[^\S\n]*`{3,}|$(?![\s\S]))/gm;
/** Lists, quotes and the like at the beginning of a line. */
const MARKERS = /^[\s>*#\-\d.)]+/;

/**
 * What was said in a session that whoever goes on with it should know. A fold over its entries, the newest first, by
 * rules and without a model.
 */
export class ConversationNotes {
  /** The oldest first, of what was read. */
  readonly firstPrompts: Said[] = [];
  /** The newest first. */
  readonly lastPrompts: Said[] = [];
  /** Sentences, the newest first. */
  readonly decisions: Said[] = [];
  /** The newest list of things to do; empty without one. */
  todos: ToDo[] = [];
  /** The newest summary of what came before. */
  summary: Said | null = null;
  /** The newest prompt, if nothing was answered to it. */
  unanswered: Said | null = null;
  /** Why the newest answer failed; `null` if it did not. */
  error: Said | null = null;
  prompts = 0;
  #isAnswered = false;
  #hasTodos = false;
  readonly #decided = new Set<string>();

  /** Adds the entry before those that were added. */
  add(item: TranscriptItem): void {
    if (item.kind === "summary" && item.reason === "compaction" && this.summary === null) {
      this.summary = { entryId: item.id, text: cut(item.text, MOST_OF_TEXT) };
    }
    if (item.kind !== "message" || item.hidden) return;
    if (item.role === "user") this.#addPrompt(item);
    if (item.role === "assistant") this.#addAnswer(item);
  }

  #addPrompt(item: MessageItem): void {
    const said = { entryId: item.id, text: cut(wordsOf(item), MOST_OF_TEXT) };
    if (said.text.trim() === "") return;
    this.prompts += 1;
    if (!this.#isAnswered) {
      this.unanswered ??= said;
      this.#isAnswered = true;
    }
    if (this.lastPrompts.length < LAST_PROMPTS) this.lastPrompts.push(said);
    this.firstPrompts.unshift(said);
    if (this.firstPrompts.length > FIRST_PROMPTS) this.firstPrompts.pop();
    this.#addDecisions(said);
  }

  #addAnswer(item: MessageItem): void {
    const text = wordsOf(item);
    if (item.error_message !== null && !this.#isAnswered) {
      // A prompt whose answer has failed has none.
      this.error ??= { entryId: item.id, text: cut(item.error_message, MOST_OF_TEXT) };
    } else if (item.blocks.length > 0) this.#isAnswered = true;
    this.#addDecisions({ entryId: item.id, text: cut(text, MOST_OF_ANSWER) });
    for (const block of item.blocks) {
      if (block.kind !== "tool_call" || this.#hasTodos) continue;
      const todos = todosIn(block.arguments);
      if (todos === null) continue;
      this.#hasTodos = true;
      this.todos = todos;
    }
  }

  #addDecisions({ entryId, text }: Said): void {
    if (this.decisions.length >= MOST_DECISIONS || !DECIDES.test(text)) return;
    for (const found of text.replace(FENCED, "\n").split(SENTENCE_ENDS)) {
      const sentence = found.replace(MARKERS, "").trim();
      if (sentence.length < SHORTEST_SENTENCE || sentence.length > LONGEST_SENTENCE || !DECIDES.test(sentence))
        continue;
      const decision = oneLine(sentence, LONGEST_SENTENCE);
      if (this.#decided.has(decision)) continue;
      this.#decided.add(decision);
      this.decisions.push({ entryId, text: decision });
      if (this.decisions.length >= MOST_DECISIONS) return;
    }
  }
}

/** The list that a call sets, as `TodoWrite` of Claude Code and `update_plan` of Codex do; `null` if it sets none. */
function todosIn({ todos, plan }: JsonObject): ToDo[] | null {
  const list = Array.isArray(todos) ? todos : Array.isArray(plan) ? plan : null;
  if (list === null) return null;
  const read = list.slice(0, MOST_TODOS).flatMap((todo) => todoOf(todo) ?? []);
  return read.length === 0 && list.length > 0 ? null : read;
}

function todoOf(value: JsonValue): ToDo | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const text = value.content ?? value.step ?? value.text ?? value.title;
  if (typeof text !== "string" || text.trim() === "") return null;
  return { text: cut(text, 1_000), isDone: value.status === "completed" || value.status === "done" };
}
