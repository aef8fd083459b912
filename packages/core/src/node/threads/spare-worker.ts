/// <reference types="node" preserve="true" />
import { getHeapStatistics } from "node:v8";
import { Worker } from "node:worker_threads";
import type { DirectoriesAhead } from "./tasks.ts";

/**
 * V8's default is 48. Each thread keeps what it once allocated; a smaller size costs no CPU time in indexing
 * (measured), because each line becomes garbage immediately.
 */
const YOUNG_GENERATION_MB = 8;
/**
 * For the thread that searches and rests in between, which releases the memory: the data of a search becomes garbage only
 * at its end, and a search for two common words takes a sixth longer with the other size (measured).
 */
export const YOUNG_GENERATION_TO_SEARCH_MB = 32;
/**
 * Limit for what else a thread's heap holds, or less where the process may have less. The largest line that is parsed as
 * a whole (32 MB) takes about 250 MB; where a request takes more, the thread ends and not the process, see `Thread`.
 */
export const OLD_GENERATION_MB = Math.min(512, Math.floor(getHeapStatistics().heap_size_limit / (1024 * 1024)));

/** A running worker without a purpose yet. */
let spare: Worker | null = null;

/** Starts a worker that does not keep the process alive. Its first message must be its {@link ThreadSetting}. */
export function newWorker(maxYoungGenerationSizeMb = YOUNG_GENERATION_MB): Worker {
  const resourceLimits = { maxYoungGenerationSizeMb, maxOldGenerationSizeMb: OLD_GENERATION_MB };
  const worker = new Worker(workerFile(), { resourceLimits });
  worker.unref();
  return worker;
}

/** Starts a worker for the first thread in advance: starting one takes longer than loading a program. */
export function startSpareWorker(): void {
  if (spare === null) keepSpareWorker(newWorker());
}

/** Keeps a worker for the first thread. */
export function keepSpareWorker(worker: Worker): void {
  spare = worker;
  // Errors are ignored until it is used; the user of the worker then starts another.
  worker.once("error", () => {
    if (spare === worker) spare = null;
  });
}

/** Makes the spare worker read directories, because the first thread will scan them. */
export function lookAhead(directories: string[]): void {
  spare?.postMessage({ ahead: directories } satisfies DirectoriesAhead);
}

/** Returns the spare worker, or a new one. */
export function takeWorker(): Worker {
  const worker = spare ?? newWorker();
  spare = null;
  return worker;
}

/**
 * The worker is a separate file beside this code; Node 20 cannot run it from TypeScript, so the built one is used
 * there.
 */
function workerFile(): URL {
  return import.meta.url.endsWith(".ts")
    ? new URL("../../../dist/worker.js", import.meta.url)
    : new URL("./worker.js", import.meta.url);
}
