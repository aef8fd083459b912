import { capabilitiesOf } from "../format/agent.ts";
import type { EntryFacts, EntryTitle, LineReader, SessionFormat, SessionHeader } from "../format/format.ts";
import { formatNamed, formats } from "../format/formats.ts";
import type { ScannedLine } from "../format/scanned-line.ts";
import { pushInto } from "../format/window.ts";
import { type JsonObject, ownValue } from "../json.ts";
import { NOT_ESTIMATED, priceTierOf } from "../prices/context-size.ts";
import { addUnpriced, tokensOf, type UnpricedUsage } from "../prices/unpriced-usage.ts";
import type { Activity } from "../stats/activity.ts";
import { hashOf, identityOf } from "../stats/identity.ts";
import { SessionActivity } from "../stats/session-activity.ts";
import { type ModelName, NamedModels } from "./named-models.ts";
import { Outline } from "./outline.ts";
import type { PlacedAnswer } from "./placed-answer.ts";
import type { Ending, SessionFormatName, SessionRecord, SessionSource, Usage } from "./record.ts";
import type { OutlineRole } from "./roles.ts";
import { cut, oneLine } from "./text.ts";
import { formatTimestamp } from "./timestamp.ts";
import { branchEnds, withoutCycles } from "./tree.ts";
import { addUsage, noUsage } from "./usage.ts";

const TITLE_LENGTH = 200;
/** Maximum settings before a conversation whose first message counts as an origin. */
const MAX_BEFORE_ORIGIN = 64;
/** Maximum models and providers of a record: each message may name another one. */
export const MAX_MODELS = 50;
/** Titles of other sessions that are taken from a file at once; the last ones. */
const MAX_OTHER_TITLES = 200;

interface SpokenText {
  ordinal: number;
  role: "user" | "assistant";
  text: string;
}

/** State of a fold without its outline, stored as JSON. */
export interface FoldState {
  format: SessionFormatName | null;
  /** See `LineReader.state`. */
  reader: JsonObject | null;
  header: SessionHeader | null;
  /** Location of the header in the file. */
  header_line: { offset: number; length: number } | null;
  name: string | null;
  malformed_lines: number;
  message_count: number;
  user_message_count: number;
  assistant_message_count: number;
  tool_call_count: number;
  first_message: string | null;
  latest_text: SpokenText | null;
  /** The latest run that failed or was aborted, and the entry that says so; `null` after whatever begins anew. */
  ending: (Ending & { ordinal: number }) | null;
  newest_message_time: number | null;
  models: string[];
  providers: string[];
  /** See {@link NamedModels}. */
  named_models: ModelName[];
  usage: Usage;
  /** What of it has no recorded cost, by model and prices. */
  unpriced: UnpricedUsage[];
  labels: Record<string, string>;
  /** Missing parents: ID, and the ordinals of the children that refer to it. */
  missing_parents: Record<string, number[]>;
  /** The title that another session tells of this one. */
  told_title: string | null;
}

/** What the record of a session is made from. */
export interface SessionSummary {
  state: FoldState;
  branch_count: number;
  /** Of the first entry, in milliseconds since 1970. */
  first_time: number | null;
  /** Whether `latest_text` is the newest text on the current branch. */
  has_last_text: boolean;
  /** Whether `ending` is on the current branch. */
  has_ending: boolean;
}

/** File system data about a session file. */
export interface SessionFileFacts {
  path: string;
  size: number;
  /** Milliseconds since 1970. */
  modifiedAt: number;
  /** Default: the file. */
  source?: SessionSource;
}

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

/** The record as far as it depends on the file: the library adds subagents, tags, favorite, live and index state. */
export function recordOf(summary: SessionSummary, file: SessionFileFacts): SessionRecord {
  const { state } = summary;
  const modified = state.newest_message_time ?? state.header?.timestamp ?? file.modifiedAt;
  const last = summary.has_last_text ? state.latest_text : null;
  const ending = summary.has_ending ? state.ending : null;
  const format = state.format ?? "pi";
  const id = state.header?.id ?? idFromFileName(stemOf(file.path));
  const cwd = state.header?.cwd ?? null;
  const { path, source = "file" } = file;
  return {
    path,
    id,
    owner: null,
    machine: null,
    format,
    capabilities: capabilitiesOf(formatNamed(format).agent, { path, id, cwd, source }),
    source,
    name: state.name,
    title: titleOf(state, file.path),
    cwd,
    created_at: timeOf(state.header?.timestamp ?? summary.first_time ?? file.modifiedAt),
    modified_at: timeOf(modified),
    size_bytes: file.size,
    message_count: state.message_count,
    user_message_count: state.user_message_count,
    assistant_message_count: state.assistant_message_count,
    tool_call_count: state.tool_call_count,
    first_message: state.first_message,
    last_message: last?.text ?? null,
    last_role: last?.role ?? null,
    outcome: ending?.outcome ?? null,
    outcome_message: ending?.message ?? null,
    models: state.models,
    providers: state.providers,
    usage: state.usage,
    branch_count: summary.branch_count,
    parent_session_path: state.header?.parentSessionPath ?? null,
    relation: state.header?.relation ?? null,
    subagent_count: 0,
    subagent_usage: null,
    rate_limits: state.header?.rateLimits ?? null,
    tag_ids: [],
    is_favorite: false,
    archived_at: null,
    expires_at: null,
    note_count: 0,
    is_live: false,
    // An unreadable header counts as a malformed line.
    malformed_lines: state.header === null ? Math.max(1, state.malformed_lines) : state.malformed_lines,
    indexed: false,
  };
}

/** The title of a record. */
export function titleOf({ name, header, told_title: told, first_message: first }: FoldState, path: string): string {
  for (const text of [name, header?.title, told, first]) {
    const title = titleOfName(text ?? "");
    if (title !== "") return title;
  }
  return cut(stemOf(path), TITLE_LENGTH);
}

/** The title of a session with this name; empty if it has no visible character. */
export function titleOfName(name: string): string {
  return oneLine(name, TITLE_LENGTH);
}

function stemOf(path: string): string {
  const fileName = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  return fileName.replace(/\.jsonl$/, "");
}

/** ID of an entry without one: its index, which appends do not change. */
export function syntheticId(ordinal: number): string {
  return `@${ordinal}`;
}

/** Files are named `<timestamp>_<id>.jsonl`; without a timestamp the whole name is the ID. */
function idFromFileName(stem: string): string {
  return /^\d{4}-\d\d-\d\dT[\d-]+Z_(.+)$/.exec(stem)?.[1] ?? stem;
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

function timeOf(milliseconds: number): string {
  return formatTimestamp(milliseconds) ?? new Date(0).toISOString();
}

/** Whether an entry is on the branch that ends at a leaf. */
function isOnBranch(parents: Int32Array, leaf: number, wanted: number): boolean {
  let ordinal = leaf;
  while (ordinal >= 0 && ordinal !== wanted) ordinal = parents[ordinal] ?? -1;
  return ordinal === wanted;
}

/** IDs come from transcripts: `__proto__` must be a normal key. */
function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Adds a model or provider to the record, up to the limit. */
function addModel(names: string[], name: string | null): void {
  if (name !== null && names.length < MAX_MODELS && !names.includes(name)) names.push(name);
}

function emptyState(): FoldState {
  return {
    format: null,
    reader: null,
    header: null,
    header_line: null,
    name: null,
    malformed_lines: 0,
    message_count: 0,
    user_message_count: 0,
    assistant_message_count: 0,
    tool_call_count: 0,
    first_message: null,
    latest_text: null,
    ending: null,
    newest_message_time: null,
    models: [],
    providers: [],
    named_models: [],
    usage: noUsage(),
    unpriced: [],
    labels: {},
    missing_parents: {},
    told_title: null,
  };
}
