import { setTimeout as delay } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { IndexError } from "@sm/text-index/storage";
import { AppError, type ErrorCode, type ErrorDetails } from "../../errors.ts";
import type { SessionRoot } from "../session-file/session-roots.ts";
import { answeringWorker, takeWorker } from "./spare-worker.ts";
import type { InputOf, NameOf, OutputOf, RootsMessage, TaskMap, ThreadSetting, WorkerSetting } from "./tasks.ts";
import { noneUnwanted, setUnwanted, UnwantedError } from "./unwanted.ts";

export interface TaskRequest {
  id: number;
  name: string;
  input: unknown;
}

/** Why a task failed, in a form that survives the way between threads. */
export interface TaskFailure {
  code: ErrorCode | null;
  message: string;
  details: ErrorDetails;
  stack: string | null;
  /** The index itself is at fault: it is damaged, or it cannot be written. */
  index: "damaged" | "unwritable" | null;
}

export type TaskReply =
  | { id: number; output: unknown }
  | { id: number; failure: TaskFailure }
  /** Nobody waited for the task any more, which was noticed in time. */
  | { id: number; isUnwanted: true };

/** A thread that is to end is waited for so long. */
const MAX_TASK_MS = 5_000;

/** The directories in which session files are opened; `null` where that is not known yet. */
export type SessionRoots = () => readonly SessionRoot[] | null;

export interface ThreadOptions {
  /** After so long without a task the thread gives its memory back; the next task starts it again. */
  idleMs?: number | null;
  /** Asked before each task. */
  roots?: SessionRoots | undefined;
}

export interface RunOptions {
  /** Aborted when nobody waits for the task any more, see `CurrentTask`. */
  signal?: AbortSignal | undefined;
}

interface Pending {
  name: string;
  resolve(output: unknown): void;
  reject(error: Error): void;
}

/** What is told to those who ask when there is nobody left to answer. */
export function stoppedError(): AppError {
  return new AppError("UNAVAILABLE", "The service is stopping or rebuilding its index; try again in a moment.");
}

/** One worker thread that is started with its first task and answers one task after the other. */
export class Thread<Tasks extends TaskMap<Tasks>> {
  readonly #setting: ThreadSetting;
  readonly #unwanted = noneUnwanted();
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  /** Of the last worker that was told to end. */
  #end: Promise<void> = Promise.resolve();
  #isStopped = false;
  #lastId = 0;
  #onIdle = (): void => undefined;
  readonly #idleMs: number | null;
  #idleTimer: NodeJS.Timeout | null = null;
  readonly #roots: SessionRoots;
  /** Those that the worker knows. */
  #toldRoots: readonly SessionRoot[] | null = null;
  /** When the worker was given something to do, or has last done something of that; see {@link Thread.silence}. */
  #heardAt = 0;

  constructor(setting: ThreadSetting, { idleMs = null, roots = () => null }: ThreadOptions = {}) {
    this.#setting = setting;
    this.#idleMs = idleMs;
    this.#roots = roots;
  }

  /** What the thread has been at without a word, and for how many milliseconds; `null` where it has nothing to do. */
  get silence(): { name: string; ms: number } | null {
    const [oldest] = this.#pending.values();
    return oldest === undefined ? null : { name: oldest.name, ms: performance.now() - this.#heardAt };
  }

  get busy(): boolean {
    return this.#pending.size > 0;
  }

  get started(): boolean {
    return this.#worker !== null;
  }

  /**
   * @throws AppError from the task or UNAVAILABLE after `stop`, IndexError, or the error of a thread that died; the
   *   signal's reason where the task has ended for it.
   */
  async run<Name extends NameOf<Tasks>>(
    name: Name,
    input: InputOf<Tasks, Name>,
    { signal }: RunOptions = {},
  ): Promise<OutputOf<Tasks, Name>> {
    const worker = this.start();
    const id = ++this.#lastId;
    const onAbort = () => setUnwanted(this.#unwanted, id);
    signal?.addEventListener("abort", onAbort);
    const answer = new Promise<OutputOf<Tasks, Name>>((resolve, reject) => {
      if (!this.busy) this.#heardAt = performance.now();
      // The reply to a task named `Name` is that task's output.
      this.#pending.set(id, { name, resolve: resolve as (output: unknown) => void, reject });
      // A thread keeps the process alive while it works, never while it idles.
      worker.ref();
      this.#tellRoots(worker);
      worker.postMessage({ id, name, input } satisfies TaskRequest);
    });
    if (signal === undefined) return answer;
    return answer
      .catch((error: unknown) => {
        throw error instanceof UnwantedError ? signal.reason : error;
      })
      .finally(() => signal.removeEventListener("abort", onAbort));
  }

  /**
   * Ends the thread for good when what it is at is done; after {@link MAX_TASK_MS} tasks under way fail. Who has
   * waited for one of them may want another at once: it would start a thread that nobody ends.
   */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.rest();
  }

  /** Ends the thread as `stop` does, until the next task. */
  rest(): Promise<void> {
    // One that is ending already is waited for too: it has files open.
    this.#end = Promise.all([this.#end, this.#endWorker()]).then(() => undefined);
    return this.#end;
  }

  async #endWorker(): Promise<void> {
    const worker = this.#worker;
    const lastId = this.#lastId;
    this.#worker = null;
    this.#stopIdleTimer();
    if (worker === null) return;
    // SQLite's binding aborts the whole process when its thread is ended in the middle of a call.
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      if (!this.busy) resolve();
    });
    await Promise.race([idle, delay(MAX_TASK_MS, undefined, { ref: false })]);
    await worker.terminate();
    this.#failAll(stoppedError(), lastId);
  }

  /**
   * Starts the thread before it has anything to do: that takes some 50 ms.
   *
   * @throws AppError UNAVAILABLE after `stop`.
   */
  start(): Worker {
    if (this.#isStopped) throw stoppedError();
    if (this.#worker !== null) return this.#worker;
    const worker = this.#idleMs === null ? takeWorker() : answeringWorker();
    worker.postMessage({ ...this.#setting, unwanted: this.#unwanted } satisfies WorkerSetting);
    this.#toldRoots = null;
    worker.on("message", (reply: TaskReply) => this.#settle(reply));
    worker.on("error", (error) => this.#lost(worker, error));
    worker.on("exit", (code) => this.#lost(worker, new Error(`A worker thread ended with code ${code}.`)));
    this.#worker = worker;
    return worker;
  }

  #tellRoots(worker: Worker): void {
    const roots = this.#roots();
    if (roots === null || roots === this.#toldRoots) return;
    worker.postMessage({ roots } satisfies RootsMessage);
    this.#toldRoots = roots;
  }

  #settle(reply: TaskReply): void {
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    this.#pending.delete(reply.id);
    this.#heardAt = performance.now();
    if (this.#pending.size === 0) {
      this.#worker?.unref();
      this.#onIdle();
      this.#startIdleTimer();
    }
    if ("isUnwanted" in reply) pending.reject(new UnwantedError());
    else if ("failure" in reply) pending.reject(errorOf(reply.failure));
    else pending.resolve(reply.output);
  }

  /** Begins to wait anew: to make a timer with each task takes a tenth of the time of handing it over. */
  #startIdleTimer(): void {
    if (this.#idleMs === null || this.#worker === null) return;
    if (this.#idleTimer !== null) this.#idleTimer.refresh();
    else this.#idleTimer = setTimeout(() => void this.#endIfIdle(), this.#idleMs).unref();
  }

  #stopIdleTimer(): void {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
  }

  async #endIfIdle(): Promise<void> {
    // What it is at starts the timer again.
    if (this.busy) return;
    // Somebody may still be on the way with what the thread hands over piece by piece.
    const isFree = await this.run("isFree", null as InputOf<Tasks, "isFree">).catch(() => false);
    if (isFree && !this.busy) await this.rest();
  }

  #lost(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#stopIdleTimer();
    this.#failAll(error instanceof Error ? error : new Error(String(error)));
  }

  /** Tasks after `lastId` are another worker's. */
  #failAll(error: Error, lastId = this.#lastId): void {
    for (const [id, task] of [...this.#pending]) {
      if (id > lastId) continue;
      this.#pending.delete(id);
      task.reject(error);
    }
  }
}

function errorOf(failure: TaskFailure): Error {
  if (failure.index !== null) return new IndexError(failure.index, failure.message);
  if (failure.code !== null) return new AppError(failure.code, failure.message, { details: failure.details });
  const error = new Error(failure.message);
  if (failure.stack !== null) error.stack = failure.stack;
  return error;
}
