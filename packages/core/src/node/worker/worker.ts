import { parentPort } from "node:worker_threads";
import { AppError } from "../../errors.ts";
import type { TreeEntry } from "../../library.ts";
import { Catalog } from "../catalog/catalog.ts";
import type { FoundFile } from "../catalog/found-files.ts";
import { openCatalog, openShard } from "../catalog/index-databases.ts";
import { type CatalogTasks, RecordPages } from "../catalog/record-pages.ts";
import { LookAhead, walk } from "../catalog/walk.ts";
import { describeFileErrors } from "../files/file-errors.ts";
import { readFirstPage } from "../indexing/first-page.ts";
import type { IndexingTasks } from "../indexing/indexing-tasks.ts";
import { isListed, scanFiles } from "../indexing/scanner.ts";
import type { TextIndex } from "../indexing/text-indexing.ts";
import type { KeepingTasks } from "../keeping/keeping-tasks.ts";
import type { ExportPiece, PreviewPiece } from "../reading/export-session.ts";
import type { SessionReader } from "../reading/reader.ts";
import type { ReadingTasks } from "../reading/reading-tasks.ts";
import type { RemoteReading } from "../remote/remote-reading.ts";
import type { SearchTasks } from "../search/search-tasks.ts";
import { SENDING_TASKS, type SendingTasks } from "../sending/sending-tasks.ts";
import { openSessionBytes, setKeptSessions } from "../session-file/session-bytes.ts";
import { setSessionRoots } from "../session-file/session-roots.ts";
import { work } from "../session-file/work.ts";
import type { StatisticsTasks } from "../statistics/statistics-tasks.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import type { DeskLink } from "../threads/answer-desk.ts";
import { type CacheBytes, cacheShare } from "../threads/cache-budget.ts";
import { yieldToOthers } from "../threads/low-priority.ts";
import { Streams } from "../threads/streams.ts";
import { failureOf } from "../threads/task-failure.ts";
import type { DirectoriesAhead, PlacesMessage, TaskHandlers, WorkerSetting } from "../threads/tasks.ts";
import type { TaskOutcome, TaskReply, TaskRequest } from "../threads/thread.ts";
import { CurrentTask, noneUnwanted, UnwantedError } from "../threads/unwanted.ts";
import { KeptSessions } from "../vault/kept-sessions.ts";
import { Vault } from "../vault/vault.ts";

/** The first message of this worker's `Thread`. */
let index: IndexPlace | null = null;
let caches = cacheShare("verification", 1);
let unwanted = noneUnwanted();
let desk: DeskLink | null = null;
/** Of a thread that asks for its sessions, from its first such task on. */
let remote: RemoteReading | null = null;

/** Caches the result of the first call. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The same with a module loaded on demand: loading all would make every thread start a fifth longer. */
function onceLoaded<Module, T>(load: () => Promise<Module>, make: (module: Module) => T): () => Promise<T> {
  let made: { value: T } | null = null;
  return async () => {
    const module = await load();
    made ??= { value: make(module) };
    return made.value;
  };
}

function place() {
  if (index === null) throw new AppError("UNAVAILABLE", "There is no index: its folder cannot be written.");
  return index;
}

/** What a thread keeps of text indexes that are elsewhere: a fifth is one user's of 1 GB of sessions. */
const REMOTE_TEXT_BYTES = 192 * 1024 * 1024;

/** What is open and has caches. */
const cached: Record<"folds" | "text", { readonly cachedBytes: number }[]> = { folds: [], text: [] };
/** What SQLite may keep of the databases that are open. */
let pageCacheBytes = 0;

function withCache<Opened extends { readonly cachedBytes: number }>(name: keyof typeof cached, opened: Opened): Opened {
  cached[name].push(opened);
  return opened;
}

function cacheBytes(): CacheBytes {
  const sum = (name: keyof typeof cached) => cached[name].reduce((total, { cachedBytes }) => total + cachedBytes, 0);
  return { pages: pageCacheBytes, folds: sum("folds"), text: sum("text") };
}

function openedCatalog(queryOnly: boolean) {
  pageCacheBytes += caches.catalog;
  return openCatalog(place(), queryOnly, { cacheBytes: caches.catalog });
}

function openedShard(shard: number, queryOnly: boolean) {
  pageCacheBytes += caches.shard;
  return openShard(place(), shard, queryOnly, { cacheBytes: caches.shard });
}

const writableCatalog = once(() => withCache("folds", new Catalog(openedCatalog(false), caches.folds)));
const readableDatabase = once(() => openedCatalog(true));
const readableCatalog = once(() => new Catalog(readableDatabase()));
const reader = onceLoaded(
  () => Promise.all([import("../reading/reader.ts"), import("../reading/known-fold.ts")]),
  ([{ SessionReader }, { foldsIn }]) => {
    if (remote !== null) return new SessionReader(remote.findFold);
    return index === null ? new SessionReader() : new SessionReader(foldsIn(readableCatalog()));
  },
);
const searcher = onceLoaded(
  () => import("../search/searcher.ts"),
  ({ Searcher }) => {
    const shards = Array.from({ length: place().shards }, (_, shard) => openedShard(shard, true));
    return withCache("text", new Searcher(readableDatabase(), shards, caches.text));
  },
);
const remoteSearcher = onceLoaded(
  () => import("../search/remote-searcher.ts"),
  ({ RemoteSearcher }) => withCache("text", new RemoteSearcher(REMOTE_TEXT_BYTES)),
);
const recordPages = once(() => new RecordPages(readableDatabase()));
const statisticsReader = onceLoaded(
  async () => ({
    ...(await import("../statistics/statistics-reader.ts")),
    ...(await import("../statistics/sqlite-statistics.ts")),
  }),
  ({ StatisticsReader, SqliteStatistics }) => new StatisticsReader(new SqliteStatistics(readableDatabase())),
);
const remoteStatistics = onceLoaded(
  () => import("../statistics/remote-statistics.ts"),
  ({ RemoteStatisticsReader }) => new RemoteStatisticsReader(),
);
const ahead = new LookAhead();
const keptSessions = new KeptSessions();
const textIndexes = new Map<number, TextIndex>();
/** Of the tasks that write to the vault. */
const keeping = onceLoaded(
  () => import("../keeping/keeping-handlers.ts"),
  ({ keepingHandlers }) => {
    if (keptSessions.path === null) throw new AppError("UNAVAILABLE", "There is no vault.");
    return keepingHandlers(Vault.open(keptSessions.path));
  },
);
const remoteReading = onceLoaded(
  () => import("../remote/remote-reading.ts"),
  ({ RemoteReading }) => {
    if (desk === null) throw new Error("A thread that reads files was given a task for remote sessions.");
    remote = new RemoteReading(desk);
    return remote;
  },
);
/** Of the tasks that prepare what is sent to a hub. */
const sending = onceLoaded(
  () => import("../sending/sending-handlers.ts"),
  ({ sendingHandlers }) => sendingHandlers(),
);
const foundFiles = new Streams<FoundFile[]>();
const treeStreams = new Streams<TreeEntry[]>();
const exportStreams = new Streams<ExportPiece>();
const previewStreams = new Streams<PreviewPiece>();

async function textIndex(shard: number): Promise<TextIndex> {
  const { TextIndex } = await import("../indexing/text-indexing.ts");
  let open = textIndexes.get(shard);
  if (open === undefined) {
    open = withCache("text", new TextIndex(openedShard(shard, false), writableCatalog(), caches.text));
    textIndexes.set(shard, open);
  }
  return open;
}

function* pieces<Item>(items: readonly Item[], start: number, size: number): Generator<Item[], void> {
  for (let at = start; at < items.length; at += size) yield items.slice(at, at + size);
}

/** Runs an action on a session file and converts file system errors. */
async function onSession<T>(
  doing: "read" | "write",
  path: string,
  action: (sessions: SessionReader) => T | Promise<T>,
): Promise<T> {
  if (remote !== null && doing === "write") {
    throw new AppError("CONFLICT", `${path} cannot be written here: it is a file of another machine.`);
  }
  const opened = await reader();
  return describeFileErrors(doing, path, () => action(opened));
}

/** All tasks of a thread. */
type Tasks = IndexingTasks & CatalogTasks & SearchTasks & StatisticsTasks & ReadingTasks;

const handlers: TaskHandlers<Tasks> = {
  walk: ({ isReading, most, ...directories }) => {
    const catalog = writableCatalog();
    const found = readFirstPage(walk(directories, catalog, ahead, keptSessions), catalog, place().shards, isReading);
    const { changed } = found;
    const related = catalog.takeRelated();
    if (changed.length <= most) return { ...found, related, more: null };
    const more = foundFiles.add(pieces(changed, most, most));
    return { ...found, related, changed: changed.slice(0, most), more };
  },
  walkNext: ({ stream }) => foundFiles.next(stream),
  scan: ({ files }) => {
    const catalog = writableCatalog();
    return { files: scanFiles(files, catalog), related: catalog.takeRelated() };
  },
  index: async ({ shard, sessions }) => (await textIndex(shard)).index(sessions),
  forget: ({ paths }) => {
    const catalog = writableCatalog();
    const sessions = catalog.write(() => paths.filter((path) => isListed(catalog.remove(path))));
    return { sessions, related: catalog.takeRelated() };
  },
  mergeNeed: async ({ shard }) => (await textIndex(shard)).mergeNeed,
  sweep: async ({ shard }) => (await textIndex(shard)).sweep(shard),
  tidy: async ({ shard }) => (await textIndex(shard)).tidy(),
  records: ({ sessions, prices, cleaned }) => recordPages().page(sessions, prices, cleaned),
  search: async (search, task) => (await searcher()).search(search, task),
  searchRemote: async ({ index, task: search }, task) => {
    const searcher = await remoteSearcher();
    return searcher.search(index, search, task, (await remoteReading()).ask);
  },
  namedFilesRemote: async ({ index, task: wanted }, task) => {
    const searcher = await remoteSearcher();
    return searcher.namedFiles(index, wanted, task, (await remoteReading()).ask);
  },
  namedFiles: async (wanted, task) => (await searcher()).namedFiles(wanted, task),
  statisticsRemote: async ({ index, task: question }, task) => {
    const reader = await remoteStatistics();
    return reader.statistics(index, question, task, (await remoteReading()).askStatistics);
  },
  statistics: async (question, task) => (await statisticsReader()).statistics(question, task),
  verify: async () => {
    const { verifyIndex } = await import("../indexing/verify-index.ts");
    verifyIndex(place());
    return null;
  },
  entries: (options) => onSession("read", options.path, (sessions) => sessions.entries(options)),
  transcript: (options) => onSession("read", options.path, (sessions) => sessions.transcript(options)),
  toolOutput: ({ path, entry_id }) => onSession("read", path, (sessions) => sessions.toolOutput(path, entry_id)),
  keptBytes: ({ path, offset, length }) => {
    const kept = remote === null ? keptSessions.open(path) : openSessionBytes(path);
    if (kept === null) return null;
    const buffer = Buffer.allocUnsafeSlow(length);
    return buffer.subarray(0, kept.read(buffer, 0, offset));
  },
  find: (options, task) => onSession("read", options.path, (sessions) => sessions.find(options, task)),
  changes: (options, task) => onSession("read", options.path, (sessions) => sessions.changes(options, task)),
  changeCounts: ({ path }, task) => onSession("read", path, (sessions) => sessions.changeCounts(path, task)),
  treeStart: async ({ path, subagents }) => ({
    stream: treeStreams.add(await onSession("read", path, (sessions) => sessions.tree(path, subagents))),
  }),
  treeNext: ({ stream }) => treeStreams.next(stream),
  treeStop: ({ stream }) => treeStreams.stop(stream),
  rename: async ({ path, name }) => {
    await onSession("write", path, (sessions) => sessions.rename(path, name));
    return null;
  },
  label: async ({ path, entryId, label }) => {
    await onSession("write", path, (sessions) => sessions.label(path, entryId, label));
    return null;
  },
  fork: ({ path, entryId }) => onSession("write", path, (sessions) => sessions.fork(path, entryId)),
  convert: ({ path, ...task }) => onSession("write", path, (sessions) => sessions.convert(path, task)),
  brief: ({ path, ...task }) => onSession("read", path, (sessions) => sessions.brief(path, task)),
  exportStart: async (options) => {
    const { pieces, ...begun } = await onSession("read", options.path, (sessions) => sessions.export(options));
    return { stream: exportStreams.add(pieces), ...begun };
  },
  exportNext: ({ stream }) => exportStreams.next(stream),
  exportStop: ({ stream }) => exportStreams.stop(stream),
  previewStart: async (options) => ({
    stream: previewStreams.add(
      await onSession("read", options.path, (sessions) => sessions.previewRedactions(options)),
    ),
  }),
  previewNext: ({ stream }) => previewStreams.next(stream),
  previewStop: ({ stream }) => previewStreams.stop(stream),
  work: () => ({ ...work }),
  isFree: () => foundFiles.isEmpty && treeStreams.isEmpty && exportStreams.isEmpty && previewStreams.isEmpty,
};

/** `Thread.run` sends the input type of each task. */
type Handler = (input: unknown, task: CurrentTask) => unknown;

async function loadedHandler(name: string): Promise<Handler> {
  if (SENDING_TASKS.has(name)) return (await sending())[name as keyof SendingTasks] as Handler;
  return (await keeping())[name as keyof KeepingTasks] as Handler;
}

/** Handlers of what all threads do are at hand; others are loaded with what they need. */
async function handlerOf(name: string): Promise<Handler> {
  const known = (handlers as Record<string, Handler>)[name] ?? (remote?.handlers as Record<string, Handler>)?.[name];
  return known ?? loadedHandler(name);
}

async function answer(request: TaskRequest): Promise<TaskOutcome> {
  try {
    const task = new CurrentTask(unwanted, request.id);
    task.check();
    const reading = request.asks ? await remoteReading() : null;
    const handler = await handlerOf(request.name);
    const run = () => handler(request.input, task);
    return { id: request.id, output: await (reading === null ? run() : reading.run(task, run)) };
  } catch (error) {
    if (error instanceof UnwantedError) return { id: request.id, isUnwanted: true };
    return { id: request.id, failure: failureOf(error) };
  }
}

function setPlaces({ roots, vault }: PlacesMessage): void {
  setSessionRoots(roots);
  keptSessions.path = vault;
  setKeptSessions((path) => keptSessions.open(path));
}

parentPort?.on("message", async (message: DirectoriesAhead | PlacesMessage | WorkerSetting | TaskRequest) => {
  if ("ahead" in message) ahead.look(message.ahead);
  else if ("roots" in message) setPlaces(message);
  else if ("index" in message) {
    ({ index, caches, unwanted, desk } = message);
    if (message.isBackground) yieldToOthers();
  } else parentPort?.postMessage({ ...(await answer(message)), cacheBytes: cacheBytes() } satisfies TaskReply);
});
