import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { Usage } from "../../session/record.ts";
import { cut } from "../../session/text.ts";
import type { EntryFacts, EntryTitle, LineFacts, LineReader, SessionHeader, SessionSoFar } from "../format.ts";
import { text, textOrNull } from "../json-fields.ts";
import type { ScannedLine } from "../scanned-line.ts";
import { pushInto } from "../window.ts";
import { callsIn, claudeFacts } from "./facts.ts";
import { timestampOf, told } from "./record.ts";
import { shortRecord } from "./scanned.ts";

/** Answers that may go on: those of parallel agents in the file, too. */
const MAX_ANSWERS = 16;
/** Calls without a result. */
const MAX_CALLS = 64;
/** Titles whose record did not come yet: old versions wrote those of all sessions of the folder first. */
const MAX_SUMMARIES = 32;
const MAX_LINKS = 8;
const MAX_TITLE_LENGTH = 200;
const MAX_ID_LENGTH = 128;

/** What of the lines before decides about the next ones. Windows keep it small, whatever the size of the file. */
export type ReaderState = {
  /** Whether there was a record with a UUID. */
  hasRecord: boolean;
  /** Whether the title comes from the agent, and not from a summary. */
  hasTitle: boolean;
  /** The newest name, to leave out its repetitions. */
  name: string | null;
  /** The latest answers, newest last. */
  answers: KnownAnswer[];
  /** IDs and tools of open calls, newest last. */
  calls: [id: string, tool: string | null][];
  /** Last records and titles of summaries. */
  summaries: [leaf: string, title: string][];
  /** The latest pull requests. */
  links: string[];
  /** The last record that was written again; `null` after the next new one. */
  repeated: string | null;
  /** The entry before those of another agent, if the newest one is of it. */
  beforeAgent: string | null;
  /** The entry before notes without a place in the tree; `null` after the next record. */
  beforeNotes: string | null;
};

/** ID, request, and the greatest usage so far. */
type KnownAnswer = [id: string, request: string | null, usage: (number | null)[] | null];

export function claudeReader(state: JsonObject | null): LineReader {
  return new ClaudeReader((state as ReaderState | null) ?? emptyState());
}

function emptyState(): ReaderState {
  return {
    hasRecord: false,
    hasTitle: false,
    name: null,
    answers: [],
    calls: [],
    summaries: [],
    links: [],
    repeated: null,
    beforeAgent: null,
    beforeNotes: null,
  };
}

class ClaudeReader implements LineReader {
  readonly state: ReaderState;

  constructor(state: ReaderState) {
    this.state = state;
  }

  read(line: JsonObject, session: SessionSoFar): LineFacts {
    const header = this.#headerOf(line, session);
    const title = this.#titleOf(line, session);
    if (title !== null) header.title = title;
    const entry = this.#entryOf(line, session, header.relation ?? session.header?.relation ?? null);
    // The first line begins the session, whatever it says.
    const facts = { header: session.header === null || Object.keys(header).length > 0 ? header : null, entry };
    const otherTitle = otherTitleOf(line, session);
    return otherTitle === null ? facts : { ...facts, otherTitle };
  }

  readScanned(line: ScannedLine, session: SessionSoFar): LineFacts | null {
    const { header } = session;
    // The first records tell of the session.
    if (!this.state.hasRecord || header === null || header.cwd === null || header.timestamp === null) return null;
    const short = shortRecord(line);
    if (short === null) return null;
    const title = this.#titleOf(short.record, session);
    const entry = this.#entryOf(short.record, session, header.relation);
    if (entry !== null) entry.timestamp = short.timestamp;
    return { header: title === null ? null : { title }, entry };
  }

  /** Directory and time are those of the first record that has them. */
  #headerOf(line: JsonObject, { header }: SessionSoFar): Partial<SessionHeader> {
    const found: Partial<SessionHeader> = {};
    const cwd = textOrNull(line.cwd);
    if (cwd !== null && (header?.cwd ?? null) === null) found.cwd = cwd;
    const timestamp = timestampOf(line);
    if (timestamp !== null && (header?.timestamp ?? null) === null) found.timestamp = timestamp;
    if (this.state.hasRecord || textOrNull(line.uuid) === null) return found;
    this.state.hasRecord = true;
    const { forkedFrom } = line;
    const origin = isJsonObject(forkedFrom) ? textOrNull(forkedFrom.sessionId) : null;
    if (origin !== null) return { ...found, relation: "fork", parentSessionId: origin };
    // In its own file, an agent names its parent's session as the session. Old versions had agents in the parent's
    // file, without their ID.
    if (line.isSidechain !== true || textOrNull(line.agentId) === null) return found;
    return { ...found, relation: "subagent", parentSessionId: textOrNull(line.sessionId) };
  }

  /** The newest title of the agent; without one, that of a summary of this session. */
  #titleOf(line: JsonObject, session: SessionSoFar): string | null {
    const { state } = this;
    if (line.type === "ai-title" && text(line.aiTitle).trim() !== "") {
      state.hasTitle = true;
      state.summaries = [];
      return cut(text(line.aiTitle).trim(), MAX_TITLE_LENGTH);
    }
    if (state.hasTitle) return null;
    if (line.type === "summary") {
      const summary = summaryOf(line);
      if (summary === null) return null;
      if (session.has(summary.entryId)) return summary.title;
      pushInto(state.summaries, [summary.entryId, summary.title], MAX_SUMMARIES);
      return null;
    }
    if (state.summaries.length === 0 || typeof line.uuid !== "string") return null;
    return state.summaries.findLast(([leaf]) => leaf === line.uuid)?.[1] ?? null;
  }

  #entryOf(line: JsonObject, session: SessionSoFar, relation: SessionHeader["relation"]): EntryFacts | null {
    const { state } = this;
    const id = textOrNull(line.uuid);
    if (id !== null && session.has(id)) {
      state.repeated = id;
      return null;
    }
    if (id === null && !this.#isEntry(line)) return null;
    const facts = this.#factsOf(line);
    if (line.isSidechain === true && relation !== "subagent") {
      asOfAnother(facts);
      state.beforeAgent ??= session.newestId;
      // The agent was started by the entry before it.
      if (facts.parentId === null) facts.parentId = state.beforeAgent;
      return facts;
    }
    facts.parentId = this.#parentOf(facts.parentId, id === null, session);
    state.beforeAgent = null;
    return facts;
  }

  /** What follows a repeated record, or notes without a place, follows the newest entry instead. */
  #parentOf(
    parentId: string | null | undefined,
    isWithoutPlace: boolean,
    session: SessionSoFar,
  ): string | null | undefined {
    const { state } = this;
    const newest = state.beforeAgent ?? undefined;
    if (isWithoutPlace) {
      state.beforeNotes ??= newest ?? session.newestId;
      return newest;
    }
    const follows = typeof parentId === "string" && (parentId === state.repeated || parentId === state.beforeNotes);
    state.repeated = null;
    state.beforeNotes = null;
    return follows ? newest : parentId;
  }

  /** Whether a record without a UUID is an entry: it follows the one before it. */
  #isEntry(line: JsonObject): boolean {
    const { state } = this;
    switch (line.type) {
      case "user":
      case "assistant":
        return true;
      case "attachment":
        return told(line).kind !== "note";
      case "custom-title":
        // Written again whenever the client ends or compacts.
        return cut(text(line.customTitle).trim(), MAX_TITLE_LENGTH) !== state.name;
      case "pr-link": {
        const link = cut(text(line.prUrl), MAX_TITLE_LENGTH);
        if (state.links.includes(link)) return false;
        pushInto(state.links, link, MAX_LINKS);
        return true;
      }
      default:
        return false;
    }
  }

  #factsOf(line: JsonObject): EntryFacts {
    const what = told(line);
    const facts = claudeFacts(line, what);
    if (what.kind === "answer") {
      const { message } = what;
      this.#addAnswer(facts, keptId(message.id), keptId(line.requestId));
      if (facts.calledTools.length > 0) facts.calledTools = this.#newlyCalled(callsIn(message.content));
    } else if (what.kind === "reported") {
      this.#addAnswer(facts, keptId(what.message.id), keptId(what.requestId));
      facts.continues = false;
    } else if (what.kind === "results") {
      const failed: (string | null)[] = [];
      for (const { tool_use_id, is_error } of what.results) {
        const tool = this.#answered(keptId(tool_use_id));
        if (is_error === true) failed.push(tool);
      }
      if (failed.length > 0) facts.failedTools = failed;
    } else if (what.kind === "name") this.state.name = cut(what.name, MAX_TITLE_LENGTH);
    return facts;
  }

  #addAnswer(facts: EntryFacts, id: string | null, request: string | null): void {
    // Without an ID each record is an answer of its own.
    if (id === null) return;
    const { answers } = this.state;
    let at = answers.length - 1;
    while (at >= 0 && (answers[at]?.[0] !== id || answers[at]?.[1] !== request)) at--;
    if (at >= 0 || answers.some((answer) => answer[0] === id)) {
      facts.continues = true;
      facts.isMessage = false;
    }
    const known = at < 0 ? undefined : answers[at];
    const before = known?.[2] ?? null;
    const { usage } = facts;
    if (usage !== null) facts.contextTokens = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens;
    if (usage !== null && before !== null) facts.usage = addedUsage(usage, before);
    const greatest = usage === null || (before !== null && facts.usage === null) ? before : numbersOf(usage);
    if (known !== undefined && at === answers.length - 1) known[2] = greatest;
    else {
      if (at >= 0) answers.splice(at, 1);
      pushInto(answers, [id, request, greatest], MAX_ANSWERS);
    }
  }

  /** Tools of those calls that were not counted before. */
  #newlyCalled(blocks: readonly JsonObject[]): (string | null)[] {
    const { calls } = this.state;
    const tools: (string | null)[] = [];
    for (const block of blocks) {
      const id = keptId(block.id);
      const tool = textOrNull(block.name);
      if (id !== null) {
        if (calls.some(([open]) => open === id)) continue;
        pushInto(calls, [id, keptId(tool)], MAX_CALLS);
      }
      tools.push(tool);
    }
    return tools;
  }

  /** @returns the tool of an open call, which is closed. */
  #answered(id: string | null): string | null {
    const { calls } = this.state;
    const at = id === null ? -1 : calls.findLastIndex(([open]) => open === id);
    return at < 0 ? null : (calls.splice(at, 1)[0]?.[1] ?? null);
  }
}

/** A title of the session that has a record. */
function summaryOf({ leafUuid, summary }: JsonObject): EntryTitle | null {
  const entryId = keptId(leafUuid);
  const title = cut(text(summary).trim(), MAX_TITLE_LENGTH);
  return entryId === null || title === "" ? null : { entryId, title };
}

/** Old versions wrote the titles of all sessions of the folder into a new one. */
function otherTitleOf(line: JsonObject, session: SessionSoFar): EntryTitle | null {
  const summary = line.type === "summary" ? summaryOf(line) : null;
  return summary === null || session.has(summary.entryId) ? null : summary;
}

/** The work of another agent in the file: it counts as usage, but not as messages, and its task is no prompt. */
function asOfAnother(facts: EntryFacts): void {
  if (facts.role === "user") facts.role = null;
  facts.isMessage = false;
  facts.continues = false;
  facts.hasText = false;
  delete facts.ending;
}

/** An ID or a name for a window; longer ones than an agent makes count as missing. */
function keptId(value: JsonValue | undefined): string | null {
  const id = textOrNull(value);
  return id === null || id.length > MAX_ID_LENGTH ? null : id;
}

function numbersOf(usage: Usage): (number | null)[] {
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, cost_usd } = usage;
  return [input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost_usd, cache_write_1h_tokens];
}

/** What a record adds to its answer: the record with the most output counts. `null` if it is not this one. */
function addedUsage(usage: Usage, before: (number | null)[]): Usage | null {
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0, cost = 0, hourly = 0] = before.map(
    (value) => value ?? 0,
  );
  if (usage.output_tokens <= output) return null;
  return {
    input_tokens: usage.input_tokens - input,
    output_tokens: usage.output_tokens - output,
    cache_read_tokens: usage.cache_read_tokens - cacheRead,
    cache_write_tokens: usage.cache_write_tokens - cacheWrite,
    cache_write_1h_tokens: usage.cache_write_1h_tokens - hourly,
    reasoning_tokens: 0,
    total_tokens: usage.total_tokens - input - output - cacheRead - cacheWrite,
    cost_usd: usage.cost_usd === null ? null : usage.cost_usd - cost,
    estimated_cost_usd: null,
  };
}
