import { setImmediate as turn } from "node:timers/promises";
import { formats } from "../../format/formats.ts";
import type { ListOptions } from "../../library.ts";
import type { LibraryLog } from "../../library-log.ts";
import { isAgentNamed } from "../../search/agent-name.ts";
import type { SessionOutcome, SessionRecord } from "../../session/record.ts";
import { titleOfName } from "../../session/session-title.ts";
import type { SessionKey } from "../catalog/found-files.ts";
import type { MarkedPaths } from "../catalog/listing.ts";
import type { MarkedKey } from "../catalog/record-pages.ts";
import { type SharedPaths, sharePaths } from "../search/shared-paths.ts";
import { findMoves, type Move } from "../state/moved-sessions.ts";
import type { BookmarkStore, NearSessions, SessionIdentity, SessionMarks, StateStore } from "../state/ports.ts";
import type { Notes } from "./notes.ts";

export interface MarkingOptions {
  marks: StateStore;
  log: LibraryLog;
  /** Path and ID of every session with one of these paths or IDs. */
  identities(wanted: SessionIdentity[]): Promise<SessionIdentity[]>;
  notes: Pick<Notes, "matching" | "paths">;
  bookmarks: Pick<BookmarkStore, "paths">;
  /** Paths of the sessions with a running agent. */
  live(): ReadonlySet<string>;
  /** Paths of the sessions whose files their agents will delete soon. */
  expiring(): Promise<string[]>;
  /** Paths of the sessions whose last run has ended so. */
  ended(outcome: SessionOutcome): Promise<string[]>;
}

/** List options without marks, and the sessions selected by the marks. */
export interface MarkedList extends MarkedPaths {
  options: ListOptions;
}

/** A few milliseconds. */
const SESSIONS_AT_ONCE = 250;

const NO_MARKS: SessionMarks = { tag_ids: [], is_favorite: false, archived_at: null, note_count: 0 };

const STATE = /^-?(?:is:(?:favorite|bookmarked|live|archived|expiring|failed|aborted)|has:note)$/;
const NOTE = /^note:(.+)$/i;
const AGENT = /^agent:(.+)$/i;

/** Adds to sessions what is not in their files: tags, favorites, names, running agents. */
export class Marking {
  readonly #options: MarkingOptions;
  #shared: { paths: ReadonlySet<string>; shared: SharedPaths } | null = null;

  constructor(options: MarkingOptions) {
    this.#options = options;
  }

  async marked(records: SessionRecord[]): Promise<SessionRecord[]> {
    if (records.length === 0) return records;
    const [marks, names] = await this.#marksOf(records);
    const live = this.#options.live();
    return records.map((record) => {
      const { path } = record;
      return { ...record, ...marks.get(path), ...named(names.get(path)), is_live: live.has(path) };
    });
  }

  /** The same for sessions of which no records are read yet. */
  async keys(sessions: readonly SessionKey[]): Promise<MarkedKey[]> {
    const [marks, names] = await this.#marksOf(sessions);
    const live = this.#options.live();
    return sessions.map(({ key, path }) => {
      const given = marks.get(path) ?? (live.has(path) ? NO_MARKS : null);
      if (given === null) return { key, path, marks: null };
      return { key, path, marks: { ...given, ...named(names.get(path)), is_live: live.has(path) } };
    });
  }

  /** Names that sessions have apart from their files, by path. */
  names(): Promise<ReadonlyMap<string, string>> {
    return this.#options.marks.names();
  }

  /** Paths of archived sessions. */
  archived(): Promise<ReadonlySet<string>> {
    return this.#options.marks.archived();
  }

  /** The same for other threads. */
  async sharedArchived(): Promise<SharedPaths> {
    const paths = await this.archived();
    if (this.#shared?.paths !== paths) this.#shared = { paths, shared: sharePaths(paths) };
    return this.#shared.shared;
  }

  #marksOf(sessions: readonly { path: string }[]) {
    const { marks } = this.#options;
    return Promise.all([marks.marks(sessions), marks.names()]);
  }

  /** The list filter interprets search fields about marks; all other words go to the index. */
  async list(options: ListOptions): Promise<MarkedList> {
    const words = options.query?.split(/\s+/) ?? [];
    const states = new Set(words.filter((word) => STATE.test(word)));
    const favoritesOnly = options.favorites_only === true || states.has("is:favorite");
    const marked = await this.paths({ ...options, favorites_only: favoritesOnly });
    const archived = states.has("is:archived") ? "only" : states.has("-is:archived") ? "exclude" : options.archived;
    const agents = words.flatMap((word) => AGENT.exec(word)?.[1] ?? []);
    const named = formats.filter(({ name }) => agents.every((agent) => isAgentNamed(agent, name, false)));
    const format = agents.length === 0 ? options.format : named[0]?.name;
    const query = words.filter((word) => !STATE.test(word) && !AGENT.test(word) && !NOTE.test(word)).join(" ");
    let paths = marked;
    const leaveOver = (others: Iterable<string>) => {
      const isLeft = paths === null ? null : new Set(paths);
      paths = [...others].filter((path) => isLeft?.has(path) ?? true);
    };
    const without = states.has("-is:favorite") ? [...(await this.#options.marks.favorites())] : [];
    for (const [state, having] of this.#having()) {
      if (states.has(state)) leaveOver(await having());
      if (states.has(`-${state}`)) without.push(...(await having()));
    }
    for (const word of words) {
      const value = NOTE.exec(word)?.[1];
      if (value !== undefined) leaveOver(await this.#options.notes.matching({ value, prefix: true }));
    }
    const isNone = agents.length > 0 && (format === undefined || format !== (options.format ?? format));
    return { options: { ...options, format, query, archived }, paths: isNone ? [] : paths, without };
  }

  /** States that a word of the list filter asks for, and the paths of the sessions in them. */
  #having(): [state: string, paths: () => Iterable<string> | Promise<Iterable<string>>][] {
    const { live, bookmarks, expiring, ended, notes } = this.#options;
    return [
      ["is:live", live],
      ["is:bookmarked", () => bookmarks.paths()],
      ["is:expiring", expiring],
      ["is:failed", () => ended("failed")],
      ["is:aborted", () => ended("aborted")],
      ["has:note", () => notes.paths()],
    ];
  }

  /** Paths selected by tags and favorites, `null` if neither is given. */
  async paths(options: {
    tag_ids?: string[] | undefined;
    favorites_only?: boolean | undefined;
  }): Promise<readonly string[] | null> {
    const { marks } = this.#options;
    const tagIds = options.tag_ids ?? [];
    const tagged = tagIds.length === 0 ? null : await marks.sessionsWithTags(tagIds);
    if (options.favorites_only !== true) return tagged;
    const favorites = await marks.favorites();
    if (tagged === null) return favorites;
    const isTagged = new Set(tagged);
    return favorites.filter((path) => isTagged.has(path));
  }

  /** Removes the marks of sessions in a directory that has been missing for too long. */
  async drop(paths: string[]): Promise<void> {
    if (paths.length === 0) return;
    const { marks, log } = this.#options;
    log.warn({ sessions: paths.length }, "Forgetting sessions of a directory that has been missing for a day");
    try {
      await marks.forget(paths);
    } catch (error) {
      log.error({ err: error }, "Could not remove the marks of forgotten sessions");
    }
  }

  /**
   * Transfers the marks of moved files; returns the paths whose marks changed.
   *
   * @param changed files that came, went or changed since the last time; `null` to compare all.
   */
  async followMoves(changed: readonly string[] | null): Promise<string[]> {
    const { marks } = this.#options;
    const areFew = changed !== null && changed.length <= SESSIONS_AT_ONCE;
    const marked = await marks.marked(areFew ? await this.#near(changed) : undefined);
    if (marked.length === 0) return [];
    return marks.follow(await this.#identities(marked), marked);
  }

  /** Finds where marks of these sessions belong now. */
  async moved(sessions: readonly SessionIdentity[]): Promise<Move[]> {
    return findMoves(sessions, await this.#identities(sessions));
  }

  async #near(paths: readonly string[]): Promise<NearSessions> {
    // No id is a path.
    const there = await this.#identities(paths.map((path) => ({ path, id: path })));
    return { paths, ids: there.map(({ id }) => id) };
  }

  /** Others have their turn in between. */
  async #identities(wanted: readonly SessionIdentity[]): Promise<SessionIdentity[]> {
    const sessions = new Map<string, SessionIdentity>();
    for (let start = 0; start < wanted.length; start += SESSIONS_AT_ONCE) {
      const found = await this.#options.identities(wanted.slice(start, start + SESSIONS_AT_ONCE));
      for (const session of found) sessions.set(session.path, session);
      await turn();
    }
    return [...sessions.values()];
  }
}

/** What a name given apart from the file makes of a record. */
function named(name: string | undefined): Partial<Pick<SessionRecord, "name" | "title">> {
  const title = titleOfName(name ?? "");
  return name === undefined ? {} : title === "" ? { name } : { name, title };
}
