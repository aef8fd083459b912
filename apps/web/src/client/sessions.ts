import type { CommandInput, CommandOutput, SessionRecord } from "@sm/router/client";
import { FIRST_SESSIONS } from "./first-questions.ts";
import type { Service } from "./service.ts";

/** The sessions of the service, as far as they have been loaded. */
export interface Sessions {
  /** By path. A map of its own for every change. */
  readonly records: ReadonlyMap<string, SessionRecord>;
  /** Sessions of agents that others have started, as far as they were asked for: lists show them below those. */
  readonly subagents: ReadonlyMap<string, SessionRecord>;
  /** Archived sessions, once they were asked for, and those that were archived here. */
  readonly archived: ReadonlyMap<string, SessionRecord>;
  /** `null` until they are asked for. */
  readonly archivedState: "loading" | "complete" | "failed" | null;
  /** `failed` keeps what there is. */
  readonly state: "loading" | "complete" | "failed";
  readonly error: Error | null;
  /** How many there are. */
  readonly total: number;
  /** Files that the service has not read yet. */
  readonly pending: number;
  /** Whether `records` are not all sessions, but the newest ones and those of the list that is shown. */
  readonly isPart: boolean;
  /** The list that the service was asked for, where `isPart`; `null` until it answers. */
  readonly list: LoadedList | null;
}

/** What a list shows, but for what the page filters alone. */
export type ListQuery = Omit<CommandInput<"list_sessions">, "limit" | "cursor">;

/** A list of the service, as far as it has been loaded: from its beginning. */
export interface LoadedList {
  readonly key: string;
  readonly records: ReadonlyMap<string, SessionRecord>;
  /** How many sessions the list had when it was asked for; `null`: all. */
  readonly total: number | null;
  readonly hasMore: boolean;
}

export interface SessionsDiff {
  added: readonly SessionRecord[];
  updated: readonly SessionRecord[];
  removed: readonly string[];
}

/** The sessions of the page: loaded once, then kept up to date by events. */
export interface SessionStore {
  get(): Sessions;
  subscribe(listener: () => void): () => void;
  /** Reloads everything. Current data stays until it is replaced. */
  load(): Promise<void>;
  /** Names the list that is shown: where not all sessions are here, the service is asked for its first page. */
  show(query: ListQuery): void;
  /** Loads the next page of the list that is shown. */
  more(): void;
  /** Loads a session that is not here. */
  find(path: string): void;
  /** Loads the subagents of a session, and keeps them up to date from then on. */
  loadSubagents(path: string): Promise<void>;
  /** Loads the archived sessions, the newest of very many, and keeps them up to date from then on. */
  loadArchived(): Promise<void>;
  apply(diff: SessionsDiff): void;
  /** Changes records before the service has, and returns what undoes it. Events win over both. */
  patch(paths: Iterable<string>, change: (record: SessionRecord) => SessionRecord): () => void;
}

/** The service's maximum page size. */
const PAGE = 500;
/**
 * Sessions that are loaded without being looked at. Up to so many lists need no service and a key is answered within a
 * frame; 100,000 took 40 s to load, 88 MB of JSON and 230 MB of memory.
 */
export const MOST_LOADED = 5_000;

/** Subagents of a session that are shown: as many as a page has. */
const MAX_SUBAGENTS = PAGE;

type Page = CommandOutput<"list_sessions">;
type Records = ReadonlyMap<string, SessionRecord>;

const OLDEST: ListQuery = { sort: "created", order: "asc" };
const ARCHIVED: ListQuery = { sort: "modified", order: "desc", archived: "only" };
const { limit: FIRST_PAGE, ...NEWEST } = FIRST_SESSIONS;
const NOTHING: Sessions = {
  records: new Map(),
  subagents: new Map(),
  archived: new Map(),
  archivedState: null,
  state: "loading",
  error: null,
  total: 0,
  pending: 0,
  isPart: false,
  list: null,
};

/** @param rest resolves when more than the newest sessions may be loaded; at once if absent. */
export function createSessionStore(service: Pick<Service, "call">, rest?: () => Promise<void>): SessionStore {
  const listeners = new Set<() => void>();
  let sessions = NOTHING;
  let loads = 0;
  /** What events have told since the load began: newer than any of its pages. */
  let told = new Map<string, SessionRecord | null>();
  /** The newest sessions, which stay whatever list is shown, and where their list goes on. */
  let newest: Records = sessions.records;
  let newestCursor: string | null = null;
  /** When the last of them was modified. */
  let floor = "";
  let shown: ListQuery = NEWEST;
  let cursor: string | null = null;
  let isAsking = false;
  /** Sessions that were looked for: also those that are not there, so that they are asked for once. */
  const sought = new Set<string>();
  /** Sessions whose subagents are here. */
  const followed = new Set<string>();

  const store: SessionStore = {
    get: () => sessions,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    async load() {
      loads += 1;
      const load = loads;
      told = new Map();
      sought.clear();
      const isReload = sessions.records.size > 0;
      // A list that is shown is replaced by a whole one, not by its first page.
      const loaded = new Map<string, SessionRecord>();
      let next: string | null = null;
      set({ state: "loading", error: null });
      try {
        do {
          const limit = next === null ? FIRST_PAGE : Math.min(PAGE, MOST_LOADED - loaded.size);
          const page: Page = await ask(NEWEST, limit, next);
          if (load !== loads) return;
          for (const record of page.sessions) loaded.set(record.path, record);
          next = loaded.size < MOST_LOADED ? page.next_cursor : null;
          newestCursor = page.next_cursor;
          floor = page.sessions.at(-1)?.modified_at ?? floor;
          const progress = { total: page.total, pending: page.pending };
          set(isReload && next !== null ? progress : { ...progress, records: withTold(loaded, told) });
          if (next !== null) await rest?.();
        } while (next !== null);
        newest = sessions.records;
        const isPart = newestCursor !== null;
        set({ state: "complete", isPart, list: null, ...(!isPart && { total: newest.size }) });
        if (isPart) await begin();
        for (const path of followed) store.loadSubagents(path).catch(failed);
        if (sessions.archivedState !== null) void store.loadArchived();
      } catch (error) {
        if (load === loads) set({ state: "failed", error: error as Error });
      }
    },

    show(query) {
      if (keyOf(query) === keyOf(shown)) return;
      shown = query;
      if (sessions.isPart) begin().catch(failed);
    },

    more() {
      if (cursor === null || isAsking) return;
      goOn(cursor).catch(failed);
    },

    find(path) {
      const { records, subagents } = sessions;
      if (sessions.state === "loading" || sought.has(path) || records.has(path) || subagents.has(path)) return;
      if (sessions.archived.has(path)) return;
      sought.add(path);
      const name = path.split(/[\\/]/).at(-1) ?? path;
      service
        .call("list_sessions", { query: name, limit: FEW, subagents: "all", archived: "include" })
        .then((page) => {
          const record = page.sessions.find((one) => one.path === path);
          if (record === undefined) return;
          const found = new Map([[path, record]]);
          if (record.archived_at !== null) set({ archived: withTold(sessions.archived, found) });
          else if (isFolded(record)) set({ subagents: withTold(sessions.subagents, found) });
          else set({ records: withTold(sessions.records, found) });
        })
        // Whoever looks shows the session without what is known of it.
        .catch(() => sought.delete(path));
    },

    async loadSubagents(path) {
      followed.add(path);
      const page = await service.call("list_sessions", { ...OLDEST, parent_path: path, limit: MAX_SUBAGENTS });
      const others = [...sessions.subagents].filter(([, { parent_session_path: parent }]) => parent !== path);
      set({ subagents: new Map([...others, ...page.sessions.map((record) => [record.path, record] as const)]) });
    },

    async loadArchived() {
      set({ archivedState: "loading" });
      const loaded = new Map<string, SessionRecord>();
      let next: string | null = null;
      try {
        do {
          const page: Page = await ask(ARCHIVED, PAGE, next);
          for (const record of page.sessions) loaded.set(record.path, record);
          next = loaded.size < MOST_LOADED ? page.next_cursor : null;
        } while (next !== null);
        set({ archived: loaded, archivedState: "complete" });
      } catch (error) {
        set({ archivedState: "failed", error: error as Error });
      }
    },

    apply({ added, updated, removed }) {
      const news = new Map<string, SessionRecord | null>();
      const below = new Map<string, SessionRecord | null>();
      const filed = new Map<string, SessionRecord | null>();
      const { records: listed, archived } = sessions;
      for (const path of removed) {
        news.set(path, null);
        below.set(path, null);
        filed.set(path, null);
      }
      for (const record of [...added, ...updated]) {
        // What has become another one's leaves the list, and the other way round. The service lists one whose parent
        // is gone, although it names it.
        const parent = listed.get(record.path)?.parent_session_path;
        const isBelow = isFolded(record) && parent !== record.parent_session_path;
        const isArchived = record.archived_at !== null && !isBelow;
        news.set(record.path, isBelow || isArchived ? null : record);
        const isWanted = sessions.archivedState !== null || listed.has(record.path) || archived.has(record.path);
        filed.set(record.path, isArchived && isWanted ? record : null);
        below.set(record.path, isBelow && isFollowed(record) ? record : null);
      }
      const [returned, archivedNow] = [
        updated.filter(({ path, archived_at }) => archived_at === null && archived.has(path)),
        updated.filter(({ path, archived_at }) => archived_at !== null && listed.has(path)),
      ];
      const more = added.filter((record) => !isFolded(record) && record.archived_at === null).length + returned.length;
      const isListed = (path: string) => !sessions.subagents.has(path) && !archived.has(path);
      const fewer = removed.filter(isListed).length + archivedNow.length;
      if ([...filed].some(([path, record]) => record !== null || archived.has(path))) {
        set({ archived: withTold(archived, filed) });
      }
      if ([...below].some(([path, record]) => record !== null || sessions.subagents.has(path))) {
        set({ subagents: withTold(sessions.subagents, below) });
      }
      for (const [path, record] of news) told.set(path, record);
      if (sessions.isPart) return applyToPart(news, more - fewer, new Set(returned.map(({ path }) => path)));
      const records = withTold(sessions.records, news);
      // The service has found many since: the newest are loaded anew, and the others let go.
      if (records.size > 2 * MOST_LOADED && sessions.state === "complete") return void store.load();
      set({ records, total: sessions.state === "complete" ? records.size : Math.max(sessions.total, records.size) });
    },

    patch(paths, change) {
      const before = new Map<string, { was: SessionRecord; is: SessionRecord }>();
      const changed = new Map<string, SessionRecord>();
      for (const path of paths) {
        const was = recordIn(sessions, path);
        if (was === undefined) continue;
        const is = change(was);
        before.set(path, { was, is });
        changed.set(path, is);
      }
      put(changed);
      return () => {
        const undone = new Map<string, SessionRecord>();
        for (const [path, { was, is }] of before) {
          if (recordIn(sessions, path) === is) undone.set(path, was);
        }
        put(undone);
      };
    },
  };
  return store;

  function ask(query: ListQuery, limit: number, after: string | null): Promise<Page> {
    return service.call("list_sessions", { ...query, limit, ...(after === null ? {} : { cursor: after }) });
  }

  /** Loads the beginning of the list that is shown. Other records than its own and the newest are let go. */
  async function begin(): Promise<void> {
    const key = keyOf(shown);
    cursor = null;
    if (key === keyOf(NEWEST)) {
      cursor = newestCursor;
      setList({ key, records: newest, total: null, hasMore: cursor !== null });
      return;
    }
    const page = await ask(shown, PAGE, null);
    if (key === keyOf(shown)) take(key, page, new Map());
  }

  async function goOn(after: string): Promise<void> {
    const { list } = sessions;
    if (list === null) return;
    isAsking = true;
    try {
      const page = await ask(shown, PAGE, after);
      if (sessions.list?.key === list.key && cursor === after) take(list.key, page, sessions.list.records);
    } finally {
      isAsking = false;
    }
  }

  function take(key: string, page: Page, before: Records): void {
    cursor = page.next_cursor;
    const records = new Map(before);
    for (const record of page.sessions) if (!records.has(record.path)) records.set(record.path, record);
    setList({ key, records, total: key === keyOf(NEWEST) ? null : page.total, hasMore: cursor !== null });
  }

  function setList(list: LoadedList): void {
    set({ list, records: list.records === newest ? newest : withTold(newest, list.records) });
  }

  /** What is older than all that is here is not taken up: the list has it when one comes there. */
  function applyToPart(
    news: ReadonlyMap<string, SessionRecord | null>,
    more: number,
    returned: ReadonlySet<string>,
  ): void {
    const isKept = (path: string, record: SessionRecord | null) =>
      record === null || sessions.records.has(path) || record.modified_at > floor || returned.has(path);
    const kept = new Map([...news].filter(([path, record]) => isKept(path, record)));
    newest = withTold(newest, kept);
    const total = Math.max(0, sessions.total + more);
    const { list } = sessions;
    set({
      total,
      records: withTold(sessions.records, kept),
      list: list === null ? null : { ...list, records: withTold(list.records, kept) },
    });
  }

  function put(changed: Records): void {
    const { list } = sessions;
    const inside = (records: Records) => new Map([...changed].filter(([path]) => records.has(path)));
    newest = withTold(newest, inside(newest));
    set({
      records: withTold(sessions.records, inside(sessions.records)),
      subagents: withTold(sessions.subagents, inside(sessions.subagents)),
      archived: withTold(sessions.archived, inside(sessions.archived)),
      list: list === null ? null : { ...list, records: withTold(list.records, inside(list.records)) },
    });
  }

  function isFollowed({ path, parent_session_path: parent }: SessionRecord): boolean {
    return sessions.subagents.has(path) || (parent !== null && followed.has(parent));
  }

  function failed(error: unknown): void {
    set({ state: "failed", error: error as Error });
  }

  function set(change: Partial<Sessions>): void {
    sessions = { ...sessions, ...change };
    for (const listener of [...listeners]) listener();
  }
}

/** What is known of a session, listed or not. */
export function recordIn({ records, subagents, archived }: Sessions, path: string): SessionRecord | undefined {
  return records.get(path) ?? subagents.get(path) ?? archived.get(path);
}

/** Whether lists show a session below the one whose agent has started its agent. */
function isFolded({ relation, parent_session_path: parent }: SessionRecord): boolean {
  return relation === "subagent" && parent !== null;
}

/** Sessions with one file name; there is one, but for copies in other directories. */
const FEW = 20;

/** Tells lists apart. */
export function keyOf(query: ListQuery): string {
  return JSON.stringify(Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Adds what events have told to records, which stay as they are. */
function withTold(records: Records, told: ReadonlyMap<string, SessionRecord | null>): Records {
  const all = new Map(records);
  for (const [path, record] of told) {
    if (record === null) all.delete(path);
    else all.set(path, record);
  }
  return all;
}
