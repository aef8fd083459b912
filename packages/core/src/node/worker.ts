import { parentPort } from "node:worker_threads";
import { AppError } from "../errors.ts";
import { fileError } from "./file-errors.ts";
import { Catalog } from "./index/catalog.ts";
import { catalogPath, type IndexPlace, openCatalog, openShard } from "./index/databases.ts";
import { IndexError } from "./index/index-error.ts";
import { scanFiles } from "./index/scanner.ts";
import { Searcher } from "./index/searcher.ts";
import { TextIndex } from "./index/text-index.ts";
import { walk } from "./index/walk.ts";
import { SessionReader } from "./reader.ts";
import { isCorrupt, isUnwritable } from "./sqlite.ts";
import type { TaskHandlers, ThreadSetting } from "./threads/tasks.ts";
import type { TaskFailure, TaskReply, TaskRequest } from "./threads/thread.ts";
import { work } from "./work.ts";

/** The first message of the `Thread` that this worker belongs to. */
let index: IndexPlace | null = null;

/** Makes a value when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function place() {
  if (index === null) throw new AppError("UNAVAILABLE", "There is no index: its folder cannot be written.");
  return index;
}

const writableCatalog = once(() => new Catalog(openCatalog(place())));
const readableCatalog = once(() => new Catalog(openCatalog(place(), true)));
const reader = once(() => new SessionReader(index === null ? null : readableCatalog()));
const searcher = once(() => {
  const shards = Array.from({ length: place().shards }, (_, shard) => openShard(place(), shard, true));
  for (const shard of shards) shard.prepare("ATTACH ? AS catalog").run(catalogPath(place()));
  return new Searcher(readableCatalog(), shards);
});
const textIndexes = new Map<number, TextIndex>();
const streams = new Map<number, AsyncGenerator<Uint8Array>>();
let lastStream = 0;

function textIndex(shard: number): TextIndex {
  let open = textIndexes.get(shard);
  if (open === undefined) {
    open = new TextIndex(openShard(place(), shard), writableCatalog());
    textIndexes.set(shard, open);
  }
  return open;
}

/** Runs an action on a session file; what the file system says is put into words. */
function inWords<T>(doing: "read" | "write", path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw fileError(error, doing, path) ?? error;
  }
}

const handlers: TaskHandlers = {
  walk: ({ directories }) => walk(directories, index === null ? null : writableCatalog()),
  scan: ({ files }) => scanFiles(files, writableCatalog()),
  index: ({ shard, sessions }) => textIndex(shard).index(sessions),
  forget: ({ paths }) =>
    writableCatalog().write(() => paths.filter((path) => writableCatalog().remove(path)?.status === "session")),
  sweep: ({ shard }) => {
    textIndex(shard).sweep(shard);
    return null;
  },
  tidy: ({ shard, isFirst }) => textIndex(shard).tidy(isFirst),
  rank: ({ task, shard }) => searcher().rank(task, shard),
  search: ({ task, ranked }) => searcher().search(task, ranked),
  entries: (options) => inWords("read", options.path, () => reader().entries(options)),
  tree: ({ path }) => inWords("read", path, () => reader().tree(path)),
  rename: ({ path, name }) => {
    inWords("write", path, () => reader().rename(path, name));
    return null;
  },
  fork: ({ path, entryId }) => inWords("write", path, () => reader().fork(path, entryId)),
  exportStart: (options) => {
    const { title, chunks } = inWords("read", options.path, () => reader().export(options));
    streams.set(++lastStream, chunks);
    return { stream: lastStream, title };
  },
  exportNext: async ({ stream }) => {
    const next = await streams.get(stream)?.next();
    if (next !== undefined && next.done !== true) return next.value;
    streams.delete(stream);
    return null;
  },
  exportStop: async ({ stream }) => {
    await streams.get(stream)?.return(undefined);
    streams.delete(stream);
    return null;
  },
  work: () => ({ ...work }),
};

function failureOf(error: unknown): TaskFailure {
  const known = error instanceof AppError ? error : null;
  const failure = error instanceof Error ? error : new Error(String(error));
  return {
    code: known?.code ?? null,
    message: failure.message,
    details: known?.details ?? null,
    stack: failure.stack ?? null,
    index:
      error instanceof IndexError
        ? error.kind
        : isCorrupt(error)
          ? "damaged"
          : isUnwritable(error)
            ? "unwritable"
            : null,
  };
}

async function answer(request: TaskRequest): Promise<TaskReply> {
  try {
    // `Thread.run` sends to each task the input of its type.
    const handler = handlers[request.name] as (input: unknown) => unknown;
    return { id: request.id, output: await handler(request.input) };
  } catch (error) {
    return { id: request.id, failure: failureOf(error) };
  }
}

parentPort?.on("message", async (message: ThreadSetting | TaskRequest) => {
  if ("index" in message) index = message.index;
  else parentPort?.postMessage(await answer(message));
});
