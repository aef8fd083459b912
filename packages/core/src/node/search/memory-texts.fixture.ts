import { CHUNK_BYTES, COMPONENTS } from "@sm/text-index";
import { OUTLINE_CHUNK } from "../../session/outline.ts";
import type { SessionRecord } from "../../session/record.ts";
import { RemoteTextIndexing } from "../indexing/remote-text-indexing.ts";
import { withSessionFile } from "../session-file/session-file.ts";
import { CurrentTask, noneUnwanted } from "../threads/unwanted.ts";
import type { NewChunk, NewSegment } from "./new-segment.ts";
import { mergeRemote } from "./remote-merging.ts";
import { RemoteSearcher } from "./remote-searcher.ts";
import type { AskTexts, RemoteSegment, RemoteTexts } from "./remote-texts.ts";
import type { SearchTask } from "./search-tasks.ts";
import { sharePaths } from "./shared-paths.ts";

interface KeptSession {
  key: number;
  record: SessionRecord;
  outline: Uint8Array[];
  entryCount: number;
  bytes: number;
  indexed: number;
}

/** What the source of `AskTexts` answers, without waiting. */
type Answers = {
  [Name in keyof RemoteTexts]: (...input: Parameters<RemoteTexts[Name]>) => Awaited<ReturnType<RemoteTexts[Name]>>;
};

/** A text index in the memory of a test, with the answers that a hub gives. The files are on this machine. */
export class MemoryTexts {
  readonly #sessions = new Map<string, KeptSession>();
  readonly #segments = new Map<number, RemoteSegment & { chunks: NewChunk[] }>();
  readonly #indexing = new RemoteTextIndexing();
  readonly #searcher = new RemoteSearcher(1_000_000);
  readonly task = new CurrentTask(noneUnwanted(), 1);
  /** Questions by name. */
  readonly asked: string[] = [];
  #lastKey = 0;
  #lastSegment = 2 ** 40;

  readonly #answers: Answers = {
    textState: ({ segments, sessions }) => {
      const keys = [...this.#sessions.values()].map(({ key }) => key);
      const version = keys.join(" ");
      const added = [...this.#segments.values()].filter(({ id }) => !segments.includes(id));
      return { segments: [...this.#segments.keys()], added, sessions: version === sessions ? null : { version, keys } };
    },
    textBytes: (wanted) =>
      wanted.map(({ segment, component, offset, length }) => {
        const chunks = (this.#segments.get(segment)?.chunks ?? []).filter((chunk) => chunk.component === component);
        const bytes = Buffer.concat(chunks.sort((a, b) => a.chunk - b.chunk).map((chunk) => chunk.bytes));
        return Uint8Array.from(bytes.subarray(offset, offset + length));
      }),
    sessionKeys: (paths) => paths.flatMap((path) => this.#sessions.get(path)?.key ?? []),
    sessionKeysBelow: (paths) => paths.flatMap((path) => this.#sessions.get(path)?.key ?? []),
    sessionFacts: (keys) =>
      this.#withKeys(keys).map(({ key, record }) => ({ key, project: record.cwd, format: record.format })),
    textPlaces: (places) =>
      places.map(({ key, place }) => {
        const [kept] = this.#withKeys([key]);
        if (kept === undefined) return { session: null, outline: null };
        const { path, id, title, cwd, format } = kept.record;
        return { session: { content: key, path, id, title, cwd, format }, outline: kept.outline[place] ?? null };
      }),
    outlineChunks: (places) => places.map(({ key, place }) => this.#withKeys([key])[0]?.outline[place] ?? null),
    lines: (places) =>
      places.map(({ content, offset, length }) => {
        const [session] = this.#withKeys([content]);
        return session === undefined
          ? new Uint8Array()
          : withSessionFile(session.record.path, (file) => file.bytes(offset, length));
      }),
  };

  readonly ask: AskTexts = (name, ...input) => {
    this.asked.push(name);
    return this.#answers[name](...input);
  };

  get segmentCount(): number {
    return this.#segments.size;
  }

  /** Indexes a session, or what was added to it. */
  index(path: string): void {
    const { fold, progress, stamp } = withSessionFile(path, (file) => file.read());
    const { outline } = fold;
    const chunks = Math.ceil(outline.count / OUTLINE_CHUNK);
    const session = {
      key: this.#sessions.get(path)?.key ?? ++this.#lastKey,
      record: fold.record({ path, size: stamp.size, modifiedAt: stamp.mtime }),
      outline: Array.from({ length: chunks }, (_, place) => outline.encodeChunk(place * OUTLINE_CHUNK)),
      entryCount: outline.count,
      bytes: progress.bytes,
      indexed: this.#sessions.get(path)?.indexed ?? 0,
    };
    this.#sessions.set(path, session);
    const { key, record, entryCount, bytes, indexed: firstEntry } = session;
    const wanted = [{ key, path, format: record.format, firstEntry, entryCount, bytes }];
    const { segment, superseded, read } = this.#indexing.read(wanted, this.task, this.ask);
    session.indexed = read[0]?.entries ?? 0;
    if (segment !== null) this.#store(segment, superseded);
  }

  remove(path: string): void {
    this.#sessions.delete(path);
  }

  /** @returns whether anything was merged. */
  merge(worn = false): boolean {
    const early: NewChunk[] = [];
    const { replaced, segment, superseded } = mergeRemote(worn, this.task, this.ask, (chunks) => early.push(...chunks));
    if (segment !== null) this.#store({ ...segment, chunks: [...early, ...segment.chunks] }, superseded);
    for (const id of replaced) this.#segments.delete(id);
    return replaced.length > 0;
  }

  search(query: string, more: Partial<SearchTask> = {}) {
    const nothing = { tagged: [], noted: [], withNotes: [], named: [], renamed: [], favorite: [], bookmarked: [] };
    const task: SearchTask = {
      ...{ query, role: "all", sort: "relevance", limit: 20, per_session: 3, now: Date.now(), paths: null },
      ...nothing,
      ...{ live: [], expiring: [], failed: [], aborted: [], archived: "exclude", archivedPaths: sharePaths(new Set()) },
      ...more,
    };
    return this.#searcher.search("user", task, this.task, this.ask);
  }

  namedFiles(prefix: string) {
    const wanted = { prefix, limit: 10, archivedPaths: sharePaths(new Set<string>()) };
    return this.#searcher.namedFiles("user", wanted, this.task, this.ask);
  }

  #store({ documentCount, sizes, content, chunks }: NewSegment, superseded: number[]): void {
    const id = ++this.#lastSegment;
    const total = COMPONENTS.reduce((sum, component) => sum + sizes[component], 0);
    if ((content === null) !== total > CHUNK_BYTES)
      throw new Error("A short segment is in chunks, or a long one is not.");
    this.#segments.set(id, { id, documentCount, sizes, content, superseded, chunks });
  }

  #withKeys(keys: readonly number[]): KeptSession[] {
    return [...this.#sessions.values()].filter(({ key }) => keys.includes(key));
  }
}
