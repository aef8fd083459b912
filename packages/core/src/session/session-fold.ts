import type { EntryFacts, EntryTitle, LineReader, SessionFormat, SessionHeader } from "../format/format.ts";
import { formatNamed, formats } from "../format/formats.ts";
import type { ScannedLine } from "../format/scanned-line.ts";
import { pushInto } from "../format/window.ts";
import { type JsonObject, ownValue, setOwn } from "../json.ts";
import { NOT_ESTIMATED, priceTierOf } from "../prices/context-size.ts";
import { addUnpriced, tokensOf } from "../prices/unpriced-usage.ts";
import type { Activity } from "../stats/activity.ts";
import { hashOf, identityOf } from "../stats/identity.ts";
import { SessionActivity } from "../stats/session-activity.ts";
import { syntheticId } from "./entry-ids.ts";
import { emptyState, type FoldState, type SpokenText } from "./fold-state.ts";
import { type ModelName, NamedModels } from "./named-models.ts";
import { Outline } from "./outline.ts";
import type { PlacedAnswer } from "./placed-answer.ts";
import type { SessionRecord } from "./record.ts";
import type { OutlineRole } from "./roles.ts";
import { recordOf, type SessionFileFacts, type SessionSummary } from "./summary.ts";
import { branchEnds, isOnBranch, withoutCycles } from "./tree.ts";
import { addUsage } from "./usage.ts";

/** Maximum settings before a conversation whose first message counts as an origin. */
const MAX_BEFORE_ORIGIN = 64;
/** Maximum models and providers of a record: each message may name another one. */
export const MAX_MODELS = 50;
/** Titles of other sessions that are taken from a file at once; the last ones. */
const MAX_OTHER_TITLES = 200;

/** A stored fold. */
export interface KeptFold {
  state: FoldState;
  outline: Outline;
  activity: SessionActivity;
}

/**
 * Folds the lines of a session file into the record, the outline, and its contribution to statistics. It can be stored
 * after any line and resumed when the file has grown, so that an append only costs the new lines.
 */
export class SessionFold {
  readonly outline: Outline;
  readonly activity: SessionActivity;
  readonly state: FoldState;
  readonly #models: NamedModels;
  #answers: PlacedAnswer[] = [];
  #otherTitles: EntryTitle[] = [];
  /** Number of keys in `missing_parents`: counting them takes linear time. */
  #missingParents: number;
  #format: SessionFormat | null;
  #reader: LineReader | null;
  /** The latest text, not decoded yet. */
  #latest: { ordinal: number; role: SpokenText["role"]; facts: EntryFacts } | null = null;

  constructor(kept?: KeptFold) {
    this.state = kept?.state ?? emptyState();
    this.outline = kept?.outline ?? new Outline();
    this.activity = kept?.activity ?? new SessionActivity();
    this.#models = new NamedModels(this.state.named_models);
    this.#missingParents = Object.keys(this.state.missing_parents).length;
    this.#format = this.state.format === null ? null : formatNamed(this.state.format);
    this.#reader = this.#format?.reader(this.state.reader) ?? null;
  }

  /** Whether any line was a header or an entry of a known format. */
  get isSession(): boolean {
    return this.#format !== null;
  }

  get header(): SessionHeader | null {
    return this.state.header;
  }

  get newestId(): string | null {
    const newest = this.outline.count - 1;
    return newest < 0 ? null : this.outline.id(newest);
  }

  has(id: string): boolean {
    return this.outline.ordinalOf(id) >= 0;
  }

  /** Usage of answers that other sessions may have, too, since the session was read or saved. */
  get newAnswers(): readonly PlacedAnswer[] {
    return this.#answers;
  }

  /** Must be called when all new answers were saved. */
  answersKept(): void {
    this.#answers = [];
  }

  /** Titles of other sessions that were read since this was called last. */
  takeOtherTitles(): EntryTitle[] {
    const titles = this.#otherTitles;
    this.#otherTitles = [];
    return titles;
  }

  addMalformed(): void {
    this.state.malformed_lines++;
  }

  /** Adds one line of the file at `offset` with `length` bytes, without LF. */
  add(line: JsonObject, offset: number, length: number): void {
    const reader = this.#reader ?? this.#recognise(line);
    if (reader === null) return;
    const { header, entry, otherTitle } = reader.read(line, this);
    if (header !== null) this.#addHeader(header, offset, length);
    if (otherTitle !== undefined) pushInto(this.#otherTitles, otherTitle, MAX_OTHER_TITLES);
    if (entry === null) return;
    this.#addEntry(entry, offset, length);
    this.settle();
  }

  #recognise(line: JsonObject): LineReader | null {
    const format = formats.find((candidate) => candidate.recognises(line));
    if (format === undefined) return null;
    this.#format = format;
    this.#reader = format.reader(null);
    this.state.format = format.name;
    this.state.reader = this.#reader.state;
    return this.#reader;
  }

  #addHeader(header: Partial<SessionHeader>, offset: number, length: number): void {
    this.state.header = { ...(this.state.header ?? NO_HEADER), ...header };
    this.state.header_line ??= { offset, length };
  }

  /**
   * Adds a line with placeholders for long strings.
   *
   * @returns `false` if nothing was added: it is not an entry, or its facts contain a placeholder.
   */
  addNamed(line: JsonObject, isNamedIn: (text: string) => boolean, offset: number, length: number): boolean {
    // What a reader keeps of a line might be a placeholder.
    if (this.#reader === null || this.#reader.state !== null) return false;
    const { entry } = this.#reader.read(line, this);
    if (entry === null || isNamedIn(JSON.stringify([entry, entry.excerpt()]))) return false;
    this.#addEntry(entry, offset, length);
    this.settle();
    return true;
  }

  /**
   * Adds a line without parsing it, if the format can read it. {@link settle} must be called before its bytes become
   * invalid.
   *
   * @returns whether the line was added; otherwise it must be parsed.
   */
  addScanned(line: ScannedLine, offset: number, length: number): boolean {
    const facts = this.#reader?.readScanned?.(line, this) ?? null;
    if (facts === null) return false;
    const { header, entry } = facts;
    if (header !== null) this.#addHeader(header, offset, length);
    if (entry !== null) this.#addEntry(entry, offset, length);
    return true;
  }

  /** Where the agent keeps titles besides its sessions; `null` if nowhere. */
  titleIndex(path: string): string | null {
    return this.#format?.agent.titleIndex?.(path) ?? null;
  }

  /** Takes what such a file says of the session, as far as the session does not say it itself. */
  addIndexed(line: JsonObject): void {
    const title = this.#reader?.indexedTitle?.(line) ?? null;
    if (title !== null && this.state.header !== null) this.state.header = { ...this.state.header, title };
  }

  /** Decodes what is needed of the added lines: only the latest text. */
  settle(): void {
    if (this.#latest === null) return;
    const { ordinal, role, facts } = this.#latest;
    this.#latest = null;
    this.state.latest_text = { ordinal, role, text: facts.excerpt() ?? "" };
  }

  #addEntry(facts: EntryFacts, offset: number, length: number): void {
    const ordinal = this.outline.count;
    const id = facts.id ?? syntheticId(ordinal);
    if (this.has(id)) return;
    const { state } = this;
    const parent = this.#parentOf(facts, ordinal);
    const timestamp = facts.timestamp ?? Number.NaN;
    const inForce = this.outline.model(parent);
    const namesModel = facts.model !== null || facts.provider !== null;
    const model = namesModel ? this.#models.numberOf(facts) : inForce;
    this.outline.add({
      offset,
      length,
      parent,
      timestamp,
      id,
      role: outlineRole(facts),
      conversation: facts.conversation,
      hasText: facts.hasText,
      model: facts.setsModel ? model : inForce,
    });
    this.#adopt(id, ordinal);
    if (facts.name !== undefined) state.name = facts.name === "" ? null : facts.name;
    if (facts.label !== undefined) {
      const { targetId, label } = facts.label;
      if (label === null) delete state.labels[targetId];
      else setOwn(state.labels, targetId, label);
    }
    if (facts.isMessage) this.#countMessage(facts);
    if (facts.isMessage || facts.continues) this.#addContent(facts, ordinal);
    this.#addEnding(facts, ordinal);
    const tier = priceTierOf(facts.usage, facts.contextTokens);
    if (facts.usage !== null) {
      const { usage, answer } = facts;
      addUsage(state.usage, usage);
      if (tier !== NOT_ESTIMATED) addUnpriced(state.unpriced, { model, tier, ...tokensOf(usage) });
      if (answer !== null) this.#answers.push({ ordinal, identity: answer, model, tier, usage });
    }
    if (facts.isMessage || facts.continues || facts.usage !== null) {
      this.activity.add(ordinal, timestamp, activityOf(facts, this.#models.at(model), tier));
    }
    if ((facts.conversation || facts.usage !== null) && facts.id !== null && this.#isOrigin(parent)) {
      this.activity.addOrigin(ordinal, hashOf(identityOf(facts.id, timestamp)));
    }
  }

  /** Whether a conversation starts after this entry: a fork copies branches from their roots. */
  #isOrigin(parent: number): boolean {
    let ordinal = parent;
    for (let step = 0; ordinal >= 0 && step < MAX_BEFORE_ORIGIN; step++) {
      if (this.outline.isConversation(ordinal)) return false;
      ordinal = this.outline.parent(ordinal);
    }
    return true;
  }

  #countMessage({ role }: EntryFacts): void {
    const { state } = this;
    state.message_count++;
    if (role === "user") state.user_message_count++;
    else if (role === "assistant") state.assistant_message_count++;
  }

  #addEnding({ ending, isMessage, continues, role }: EntryFacts, ordinal: number): void {
    const beginsAnew = (isMessage || continues) && (role === "user" || role === "assistant");
    if (ending === undefined && !beginsAnew) return;
    this.state.ending = ending === undefined || ending === null ? null : { ...ending, ordinal };
  }

  #addContent(facts: EntryFacts, ordinal: number): void {
    const { state } = this;
    state.tool_call_count += facts.calledTools.length;
    addModel(state.models, facts.model);
    addModel(state.providers, facts.provider);
    const { role } = facts;
    if (role !== "user" && role !== "assistant") return;
    if (facts.timestamp !== null) {
      state.newest_message_time = Math.max(state.newest_message_time ?? Number.NEGATIVE_INFINITY, facts.timestamp);
    }
    if (!facts.hasText) return;
    this.#latest = { ordinal, role, facts };
    if (role === "user") state.first_message ??= facts.excerpt();
  }

  #parentOf(facts: EntryFacts, ordinal: number): number {
    const inSequence = facts.parentId === undefined || this.state.header?.hasTree === false;
    if (inSequence) return ordinal - 1;
    const { parentId } = facts;
    if (parentId === null || parentId === undefined) return -1;
    const parent = this.outline.ordinalOf(parentId);
    if (parent >= 0) return parent;
    const waiting = ownValue(this.state.missing_parents, parentId);
    if (waiting === undefined) {
      setOwn(this.state.missing_parents, parentId, [ordinal]);
      this.#missingParents++;
    } else waiting.push(ordinal);
    return -1;
  }

  /** Attaches orphans when their parent appears later in the file. */
  #adopt(id: string, ordinal: number): void {
    // Faster than looking up an unknown key.
    if (this.#missingParents === 0) return;
    const waiting = ownValue(this.state.missing_parents, id);
    if (waiting === undefined) return;
    for (const child of waiting) if (child !== ordinal) this.outline.setParent(child, ordinal);
    delete this.state.missing_parents[id];
    this.#missingParents--;
  }

  /**
   * Location of the newest message with text on the current branch, if its text is not in memory because the branch was
   * changed: the caller reads that line and passes it to {@link recall}. `null` if nothing is missing.
   */
  forgottenText(): { offset: number; length: number } | null {
    const ordinal = this.#spokenLeaf();
    if (ordinal < 0 || this.state.latest_text?.ordinal === ordinal) return null;
    const { offset, length } = this.outline.at(ordinal);
    return { offset, length };
  }

  recall(line: JsonObject): void {
    const ordinal = this.#spokenLeaf();
    const facts = this.#format?.facts(line);
    const text = facts?.excerpt() ?? null;
    if (facts === undefined || text === null) return;
    if (facts.role !== "user" && facts.role !== "assistant") return;
    this.state.latest_text = { ordinal, role: facts.role, text };
  }

  #spokenLeaf(): number {
    const { outline } = this;
    if (outline.count === 0 || this.state.latest_text === null) return -1;
    const newest = outline.count - 1;
    if (this.state.latest_text.ordinal === newest) return newest;
    const parents = withoutCycles(outline.parents());
    let ordinal = newest;
    while (ordinal >= 0 && !outline.hasText(ordinal)) ordinal = parents[ordinal] ?? -1;
    return ordinal;
  }

  summary(): SessionSummary {
    const { state, outline } = this;
    const parents = withoutCycles(outline.parents());
    return {
      state,
      branch_count: branchEnds(parents, (ordinal) => outline.isConversation(ordinal)).length,
      first_time: this.#firstTime(),
      has_last_text: state.latest_text !== null && state.latest_text.ordinal === this.#spokenLeaf(),
      has_ending: state.ending !== null && isOnBranch(parents, outline.count - 1, state.ending.ordinal),
    };
  }

  record(file: SessionFileFacts): SessionRecord {
    return recordOf(this.summary(), file);
  }

  #firstTime(): number | null {
    const time = this.outline.count > 0 ? this.outline.at(0).timestamp : Number.NaN;
    return Number.isNaN(time) ? null : time;
  }
}

/** @param named the model named by the entry, else the current one on its branch. */
function activityOf(facts: EntryFacts, named: ModelName, tier: number): Activity {
  const { isMessage, role, usage, calledTools, nestedTools, failedTools: failed } = facts;
  const speaker = !isMessage ? null : role === "user" || role === "assistant" ? role : "other";
  const { provider, model } = speaker === "assistant" || usage !== null ? named : NO_MODEL;
  const calls = nestedTools.length === 0 ? calledTools : [...calledTools, ...nestedTools];
  return { role: speaker, provider, model, tier, usage, calls, failed };
}

const NO_HEADER: SessionHeader = {
  id: null,
  timestamp: null,
  cwd: null,
  parentSessionPath: null,
  parentSessionId: null,
  relation: null,
  title: null,
  rateLimits: null,
  hasTree: true,
};
const NO_MODEL: ModelName = { provider: null, model: null };

function outlineRole(facts: EntryFacts): OutlineRole {
  if (facts.name !== undefined) return "name";
  if (facts.label !== undefined) return "label";
  if (facts.editedId !== undefined) return "context_edit";
  return facts.role;
}

/** Adds a model or provider to the record, up to the limit. */
function addModel(names: string[], name: string | null): void {
  if (name !== null && names.length < MAX_MODELS && !names.includes(name)) names.push(name);
}
