import type { CommandOutput, SessionRecord } from "@sm/router/client";
import type { Service } from "./service.ts";

/** All sessions that the service knows, as far as they have been loaded. */
export interface Sessions {
  /** By path. A map of its own for every change. */
  readonly records: ReadonlyMap<string, SessionRecord>;
  /** `failed` keeps what there is. */
  readonly state: "loading" | "complete" | "failed";
  readonly error: Error | null;
  /** How many there will be. */
  readonly total: number;
  /** Files that the service has not read yet. */
  readonly pending: number;
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
  apply(diff: SessionsDiff): void;
  /** Changes records before the service has, and returns what undoes it. Events win over both. */
  patch(paths: Iterable<string>, change: (record: SessionRecord) => SessionRecord): () => void;
}

/** The service's maximum page size. The first page is small, for a fast display. */
const PAGE = 500;
const FIRST_PAGE = 60;

type Page = CommandOutput<"list_sessions">;

const NOTHING: Sessions = { records: new Map(), state: "loading", error: null, total: 0, pending: 0 };

export function createSessionStore(service: Pick<Service, "call">): SessionStore {
  const listeners = new Set<() => void>();
  let sessions = NOTHING;
  let loads = 0;
  /** What events have told since the load began: newer than any of its pages. */
  let told = new Map<string, SessionRecord | null>();

  return {
    get: () => sessions,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    async load() {
      loads += 1;
      const load = loads;
      told = new Map();
      const isReload = sessions.records.size > 0;
      // A list that is shown is replaced by a whole one, not by its first page.
      const loaded = new Map<string, SessionRecord>();
      let cursor: string | null = null;
      set({ state: "loading", error: null });
      try {
        do {
          const page: Page = await service.call("list_sessions", {
            sort: "modified",
            limit: cursor === null ? FIRST_PAGE : PAGE,
            ...(cursor === null ? {} : { cursor }),
          });
          if (load !== loads) return;
          for (const record of page.sessions) loaded.set(record.path, record);
          cursor = page.next_cursor;
          const progress = { total: page.total, pending: page.pending };
          set(isReload && cursor !== null ? progress : { ...progress, records: withTold(loaded, told) });
        } while (cursor !== null);
        set({ state: "complete", total: sessions.records.size });
      } catch (error) {
        if (load === loads) set({ state: "failed", error: error as Error });
      }
    },

    apply({ added, updated, removed }) {
      const news = new Map<string, SessionRecord | null>();
      for (const path of removed) news.set(path, null);
      for (const record of [...added, ...updated]) news.set(record.path, record);
      for (const [path, record] of news) told.set(path, record);
      const records = withTold(sessions.records, news);
      set({ records, total: sessions.state === "complete" ? records.size : Math.max(sessions.total, records.size) });
    },

    patch(paths, change) {
      const before = new Map<string, { was: SessionRecord; is: SessionRecord }>();
      const records = new Map(sessions.records);
      for (const path of paths) {
        const was = records.get(path);
        if (was === undefined) continue;
        const is = change(was);
        before.set(path, { was, is });
        records.set(path, is);
      }
      set({ records });
      return () => {
        const undone = new Map(sessions.records);
        for (const [path, { was, is }] of before) if (undone.get(path) === is) undone.set(path, was);
        set({ records: undone });
      };
    },
  };

  function set(change: Partial<Sessions>): void {
    sessions = { ...sessions, ...change };
    for (const listener of [...listeners]) listener();
  }
}

/** Adds what events have told to records, which stay as they are. */
function withTold(
  records: ReadonlyMap<string, SessionRecord>,
  told: ReadonlyMap<string, SessionRecord | null>,
): ReadonlyMap<string, SessionRecord> {
  const all = new Map(records);
  for (const [path, record] of told) {
    if (record === null) all.delete(path);
    else all.set(path, record);
  }
  return all;
}
