import { setImmediate as turn } from "node:timers/promises";
import { formats } from "../../format/formats.ts";
import type { ListOptions } from "../../library.ts";
import type { LibraryLog } from "../../library-log.ts";
import { isAgentNamed } from "../../search/agent-name.ts";
import type { SessionRecord } from "../../session/record.ts";
import { titleOfName } from "../../session/summary.ts";
import type { SessionKey } from "../catalog/found-files.ts";
import type { MarkedKey } from "../catalog/record-pages.ts";
import type { SessionIdentity, SessionMarks, StateStore } from "../state/ports.ts";

export interface MarkingOptions {
  marks: StateStore;
  log: LibraryLog;
  /** Path and ID of every session with one of these paths or IDs. */
  identities(wanted: SessionIdentity[]): Promise<SessionIdentity[]>;
  /** Paths of the sessions with a running agent. */
  live(): ReadonlySet<string>;
}

/** List options without marks, and the sessions selected by the marks: `null` for all. */
export interface MarkedList {
  options: ListOptions;
  paths: readonly string[] | null;
}

/** A few milliseconds. */
const SESSIONS_AT_ONCE = 250;

const NO_MARKS: SessionMarks = { tag_ids: [], is_favorite: false };

const FAVORITE = "is:favorite";
const LIVE = "is:live";
const AGENT = /^agent:(.+)$/i;

/** Adds to sessions what is not in their files: tags, favorites, names, running agents. */
export class Marking {
  readonly #options: MarkingOptions;

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

  #marksOf(sessions: readonly { path: string }[]) {
    const { marks } = this.#options;
    return Promise.all([marks.marks(sessions), marks.names()]);
  }

  /** The list filter interprets search fields about marks; all other words go to the index. */
  async list(options: ListOptions): Promise<MarkedList> {
    const words = options.query?.split(/\s+/) ?? [];
    const favoritesOnly = options.favorites_only === true || words.includes(FAVORITE);
    const marked = await this.paths({ ...options, favorites_only: favoritesOnly });
    const agents = words.flatMap((word) => AGENT.exec(word)?.[1] ?? []);
    const named = formats.filter(({ name }) => agents.every((agent) => isAgentNamed(agent, name, false)));
    const format = agents.length === 0 ? options.format : named[0]?.name;
    const query = words.filter((word) => word !== FAVORITE && word !== LIVE && !AGENT.test(word)).join(" ");
    const paths = words.includes(LIVE)
      ? [...this.#options.live()].filter((path) => marked?.includes(path) ?? true)
      : marked;
    const isNone = agents.length > 0 && (format === undefined || format !== (options.format ?? format));
    return { options: { ...options, format, query }, paths: isNone ? [] : paths };
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
      log.error({ err: error }, "Could not remove tags, favorites and names of forgotten sessions");
    }
  }

  /** Transfers the marks of moved files; returns the paths whose marks changed. */
  async followMoves(): Promise<string[]> {
    const { marks, identities } = this.#options;
    const marked = await marks.marked();
    if (marked.length === 0) return [];
    const sessions = new Map<string, SessionIdentity>();
    for (let start = 0; start < marked.length; start += SESSIONS_AT_ONCE) {
      const found = await identities(marked.slice(start, start + SESSIONS_AT_ONCE));
      for (const session of found) sessions.set(session.path, session);
      await turn();
    }
    return marks.follow([...sessions.values()]);
  }
}

/** What a name given apart from the file makes of a record. */
function named(name: string | undefined): Partial<Pick<SessionRecord, "name" | "title">> {
  const title = titleOfName(name ?? "");
  return name === undefined ? {} : title === "" ? { name } : { name, title };
}
