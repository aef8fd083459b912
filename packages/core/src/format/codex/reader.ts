import { isJsonObject, type JsonObject } from "../../json.ts";
import type { Usage } from "../../session/record.ts";
import { cut } from "../../session/text.ts";
import { parseTimestamp } from "../../session/timestamp.ts";
import type { EntryFacts, LineFacts, LineReader, SessionHeader, SessionSoFar } from "../format.ts";
import { text, textOrNull } from "../json-fields.ts";
import type { ScannedLine } from "../scanned-line.ts";
import { pushInto } from "../window.ts";
import { codexFacts } from "./facts.ts";
import { payloadOf, type Tokens, type Told, timestampOf, tokensOf, told, usageOf } from "./record.ts";
import { isSilent, shortItem } from "./scanned.ts";

/** Calls without a result. */
const MAX_CALLS = 24;
/** Turns that can be taken back: to go back further is to go back to the oldest of them. */
const MAX_TURNS = 48;
const MAX_NAME_LENGTH = 64;
const MAX_TITLE_LENGTH = 200;
/** Of a prompt that may come again. */
const MAX_PROMPT_LENGTH = 200;

/** What of the lines before decides about the next ones. Windows keep it small, whatever the size of the file. */
export type ReaderState = {
  /** Of the thread; `null` before the first line about it. */
  thread: string | null;
  /**
   * Whether the lines are of the thread itself or copied from its parent: `null` where nothing has told, `false` for
   * good once a turn of its own has begun.
   */
  isCopy: boolean | null;
  /** Whether prompts come as events, and what the model reads as the user's is only a repetition. */
  hasEvents: boolean;
  /** Before the first event, whether one is to come. */
  expectsEvents: boolean;
  /** Beginnings of what was taken for a prompt before the first event: how many, and the newest one. */
  taken: [count: number, newest: string] | null;
  isReviewing: boolean;
  /** Whether the title is the session's own, and not of the index. */
  hasTitle: boolean;
  model: string | null;
  /** The newest cumulative count. */
  totals: Tokens | null;
  /** IDs and tools of open calls, newest last. */
  calls: [id: string, tool: string | null][];
  /** The entry before each living turn, newest last; `null` before the first entry. */
  turns: (string | null)[];
  /** The entry before the turn that begins; `undefined` is no JSON. */
  beforeTurn: [entry: string | null] | null;
};

export function codexReader(state: JsonObject | null): LineReader {
  return new CodexReader((state as ReaderState | null) ?? emptyState());
}

function emptyState(): ReaderState {
  return {
    thread: null,
    isCopy: null,
    hasEvents: false,
    expectsEvents: false,
    taken: null,
    isReviewing: false,
    hasTitle: false,
    model: null,
    totals: null,
    calls: [],
    turns: [],
    beforeTurn: null,
  };
}

class CodexReader implements LineReader {
  readonly state: ReaderState;

  constructor(state: ReaderState) {
    this.state = state;
  }

  read(line: JsonObject, session: SessionSoFar): LineFacts {
    const what = told(line);
    const header = what.kind === "meta" ? this.#metaOf(what.payload, session) : this.#headerOf(what, line, session);
    const payload = payloadOf(line);
    this.#turnBegins(what, payload, session, header?.relation ?? session.header?.relation ?? null);
    const entry = this.#entryOf(what, line, session);
    if (entry === null || this.state.isCopy !== true) return { header, entry };
    return { header, entry: what.kind === "usage" ? null : asCopy(entry) };
  }

  readScanned(line: ScannedLine, session: SessionSoFar): LineFacts | null {
    if ((session.header?.timestamp ?? null) === null) return null;
    if (isSilent(line)) return { header: null, entry: null };
    const item = shortItem(line);
    return item === null ? null : this.read(item, session);
  }

  indexedTitle({ thread_name }: JsonObject): string | null {
    return this.state.hasTitle ? null : cut(text(thread_name).trim(), MAX_TITLE_LENGTH) || null;
  }

  /** The first line about a thread counts; one about another begins a copy of that. */
  #metaOf(payload: JsonObject, { header }: SessionSoFar): Partial<SessionHeader> | null {
    const { state } = this;
    const id = textOrNull(payload.id);
    if (state.thread !== null) {
      if (id !== null && id !== state.thread && state.isCopy === null) state.isCopy = true;
      // What the desktop application tells again of the same thread is known but for its directory.
      const cwd = textOrNull(payload.cwd);
      return id === state.thread && cwd !== null && (header?.cwd ?? null) === null ? { cwd } : null;
    }
    state.thread = id;
    const found: Partial<SessionHeader> = { id, timestamp: parseTimestamp(payload.timestamp) };
    const cwd = textOrNull(payload.cwd);
    if (cwd !== null) found.cwd = cwd;
    state.expectsEvents = /^codex/i.test(textOrNull(payload.originator) ?? "");
    return { ...found, ...parentOf(payload) };
  }

  #headerOf(what: Told, line: JsonObject, { header }: SessionSoFar): Partial<SessionHeader> | null {
    const found: Partial<SessionHeader> = {};
    if ((header?.timestamp ?? null) === null) {
      const timestamp = timestampOf(line);
      if (timestamp !== null) found.timestamp = timestamp;
    }
    if (what.kind === "turn" && (header?.cwd ?? null) === null) {
      const cwd = textOrNull(what.payload.cwd);
      if (cwd !== null) found.cwd = cwd;
    }
    if (what.kind === "title" && this.state.isCopy !== true) {
      const { thread } = this.state;
      const isOwn = what.thread === null || thread === null || what.thread === thread;
      if (isOwn) {
        found.title = what.title === "" ? null : cut(what.title, MAX_TITLE_LENGTH);
        this.state.hasTitle = true;
      }
    }
    // Those of a copy are of its time.
    if (what.kind === "usage" && what.limits !== undefined && this.state.isCopy !== true) {
      found.rateLimits = what.limits;
    }
    return header === null || Object.keys(found).length > 0 ? found : null;
  }

  /** IDs of turns and threads tell when they were made: a turn older than its thread was copied into it. */
  #turnBegins(what: Told, payload: JsonObject, session: SessionSoFar, relation: SessionHeader["relation"]): void {
    const { state } = this;
    const begins = what.kind === "turn" || payload.type === "task_started" || payload.type === "turn_started";
    if (!begins) return;
    if (what.kind !== "turn") state.beforeTurn = [session.newestId];
    // Agents are given their tasks with or without an event.
    if (relation === "subagent") state.expectsEvents = false;
    if (state.isCopy === false || (state.isCopy === null && relation === null)) return;
    const own = timeOfId(state.thread);
    const turn = timeOfId(textOrNull(payload.turn_id));
    state.isCopy = own !== null && turn !== null && turn < own;
  }

  #entryOf(what: Told, line: JsonObject, session: SessionSoFar): EntryFacts | null {
    const { state } = this;
    const facts = codexFacts(line, what);
    switch (what.kind) {
      case "nothing":
      case "meta":
        return null;
      case "turn": {
        const model = textOrNull(what.payload.model);
        if (model === null || model === state.model) return null;
        state.model = model;
        facts.model = model;
        facts.setsModel = true;
        return facts;
      }
      case "usage": {
        const usage = this.#usageOf(what.info);
        if (usage === null) return null;
        facts.usage = usage;
        // The current model may be of a turn that was taken back.
        return this.#byCurrentModel(facts);
      }
      case "prompt":
        return this.#promptOf(facts, what.text, session);
      case "input":
        return this.#inputOf(facts, what.text, session);
      case "context":
        state.beforeTurn ??= [session.newestId];
        return facts;
      case "call": {
        const tool = what.call.name === "" ? null : cut(what.call.name, MAX_NAME_LENGTH);
        this.#called(what.call.id, tool);
        state.beforeTurn = null;
        facts.calledTools = [tool];
        facts.model = state.model;
        return facts;
      }
      case "result": {
        const tool = this.#answered(what.result.id);
        if (facts.failedTools.length > 0) facts.failedTools = [tool];
        return facts;
      }
      case "change":
        // The call shows it.
        return this.#isOfOpenCall(what.id) ? null : facts;
      case "answer":
        state.beforeTurn = null;
        return this.#byCurrentModel(facts);
      case "reasoning":
        state.beforeTurn = null;
        facts.model = state.model;
        return facts;
      case "rollback":
        return this.#rolledBack(facts, what.turns);
      case "note":
        if (what.type === "entered_review_mode") state.isReviewing = true;
        else if (what.type === "exited_review_mode") state.isReviewing = false;
        return facts;
      default:
        return facts;
    }
  }

  #byCurrentModel(facts: EntryFacts): EntryFacts {
    facts.model = this.state.model;
    facts.setsModel = this.state.model !== null;
    return facts;
  }

  #promptOf(facts: EntryFacts, said: string, session: SessionSoFar): EntryFacts | null {
    const { state } = this;
    // The client's own prompt for a review, which it writes twice.
    if (state.isReviewing) return asContext(facts);
    const { taken } = state;
    state.hasEvents = true;
    state.taken = null;
    if (taken !== null && (taken[0] === 1 || taken[1] === cut(said, MAX_PROMPT_LENGTH))) return null;
    this.#turnOf(session);
    return facts;
  }

  #inputOf(facts: EntryFacts, said: string, session: SessionSoFar): EntryFacts {
    const { state } = this;
    if (state.hasEvents || state.expectsEvents || state.isReviewing) {
      state.beforeTurn ??= [session.newestId];
      return asContext(facts);
    }
    state.taken = [(state.taken?.[0] ?? 0) + 1, cut(said, MAX_PROMPT_LENGTH)];
    this.#turnOf(session);
    return facts;
  }

  #turnOf(session: SessionSoFar): void {
    const { state } = this;
    pushInto(state.turns, (state.beforeTurn ?? [session.newestId])[0], MAX_TURNS);
    state.beforeTurn = null;
  }

  /** What follows continues the entry before the turns that were taken back. */
  #rolledBack(facts: EntryFacts, count: number): EntryFacts {
    const { turns } = this.state;
    this.state.beforeTurn = null;
    if (count === 0 || turns.length === 0) return facts;
    const from = Math.max(0, turns.length - count);
    const [before = null] = turns.splice(from);
    return { ...facts, parentId: before };
  }

  /** What a request has used: files tell each one twice, and the sum of all. */
  #usageOf(info: JsonObject | null): Usage | null {
    const { state } = this;
    if (info === null) return null;
    const before = state.totals;
    const totals = tokensOf(info.total_token_usage);
    if (totals !== null) state.totals = totals;
    if (totals !== null && before !== null && totals.every((count, at) => count === before[at])) return null;
    const last = tokensOf(info.last_token_usage);
    if (last !== null || totals === null) return usageOf(last);
    // A smaller sum is that of a new count.
    const isReset = before === null || totals.some((count, at) => count < (before[at] ?? 0));
    return usageOf(isReset ? totals : (totals.map((count, at) => count - (before[at] ?? 0)) as Tokens));
  }

  #called(id: string | null, tool: string | null): void {
    if (id !== null && id.length <= MAX_NAME_LENGTH) pushInto(this.state.calls, [id, tool], MAX_CALLS);
  }

  /** @returns the tool of an open call, which is closed. */
  #answered(id: string | null): string | null {
    const { calls } = this.state;
    const at = id === null ? -1 : calls.findLastIndex(([open]) => open === id);
    return at < 0 ? null : (calls.splice(at, 1)[0]?.[1] ?? null);
  }

  /** Scripts apply patches by calls of their own, which have no lines. */
  #isOfOpenCall(id: string | null): boolean {
    return this.state.calls.some(([open, tool]) => open === id || tool === "apply_patch");
  }
}

/** The entry is shown and not counted. */
function asCopy(facts: EntryFacts): EntryFacts {
  const { ending: _, ...rest } = facts;
  return { ...rest, isMessage: false, continues: false, hasText: false, calledTools: [], failedTools: [] };
}

function asContext(facts: EntryFacts): EntryFacts {
  return { ...facts, conversation: false, isMessage: false, role: null, hasText: false };
}

function parentOf(payload: JsonObject): Partial<SessionHeader> {
  const { source, history_base } = payload;
  const subagent = isJsonObject(source) ? source.subagent : undefined;
  const spawned = isJsonObject(subagent) && isJsonObject(subagent.thread_spawn) ? subagent.thread_spawn : {};
  const starter = textOrNull(spawned.parent_thread_id) ?? textOrNull(payload.parent_thread_id);
  if (subagent !== undefined || payload.thread_source === "subagent") {
    const parentSessionId = starter ?? textOrNull(payload.forked_from_id);
    return parentSessionId === null ? {} : { relation: "subagent", parentSessionId };
  }
  const base = isJsonObject(history_base) ? textOrNull(history_base.thread_id) : null;
  const origin = textOrNull(payload.forked_from_id) ?? base;
  return origin === null ? {} : { relation: "fork", parentSessionId: origin };
}

const UUID_7 = /^([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/i;

/** When a UUID of version 7 was made, in milliseconds; `null` for other IDs. */
function timeOfId(id: string | null): number | null {
  const parts = id === null ? null : UUID_7.exec(id);
  return parts === null ? null : Number.parseInt(`${parts[1]}${parts[2]}`, 16);
}
