/// <reference types="node" preserve="true" />
import { Worker } from "node:worker_threads";
import type { DirectoriesAhead } from "./tasks.ts";

/**
 * V8 would take 48. Each thread has one, and keeps what it once took; with this, indexing takes no more processor time
 * (measured), since what a thread reads is garbage after each line.
 */
const YOUNG_GENERATION_MB = 8;
/**
 * Of a thread that answers and then rests, which gives it back: what a search reads is garbage after its answer only,
 * and one of two common words takes a sixth longer with the other size (measured).
 */
const YOUNG_GENERATION_TO_ANSWER_MB = 32;

/** A worker that runs already and does not know yet what for. */
let spare: Worker | null = null;

/** Starts a worker that nobody waits for. Its first message has to be its {@link ThreadSetting}. */
export function newWorker(maxYoungGenerationSizeMb = YOUNG_GENERATION_MB): Worker {
  const worker = new Worker(workerFile(), { resourceLimits: { maxYoungGenerationSizeMb } });
  worker.unref();
  return worker;
}

/** Starts a worker for the first thread that is to come: starting one takes longer than loading a program. */
export function startSpareWorker(): void {
  if (spare === null) keepSpareWorker(newWorker());
}

/** Keeps a worker for the first thread that is to come. */
export function keepSpareWorker(worker: Worker): void {
  spare = worker;
  // Nobody waits for it yet. Whoever does later starts another, and is told why that one fails.
  worker.once("error", () => {
    if (spare === worker) spare = null;
  });
}

/** Has the worker that was kept look into directories meanwhile, since the first thread compares them with the index. */
export function lookAhead(directories: string[]): void {
  spare?.postMessage({ ahead: directories } satisfies DirectoriesAhead);
}

/** Starts a worker for a thread that rests when it has answered. */
export function answeringWorker(): Worker {
  return newWorker(YOUNG_GENERATION_TO_ANSWER_MB);
}

/** Gives the worker away that was kept, or else a new one. */
export function takeWorker(): Worker {
  const worker = spare ?? newWorker();
  spare = null;
  return worker;
}

/** The worker is a file of its own beside this code; Node 20 cannot run it from TypeScript, so there it is the built one. */
function workerFile(): URL {
  return import.meta.url.endsWith(".ts")
    ? new URL("../../../dist/worker.js", import.meta.url)
    : new URL("./worker.js", import.meta.url);
}
