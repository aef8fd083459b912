import { setTimeout as delay } from "node:timers/promises";
import type { TransferListItem, Worker } from "node:worker_threads";
import { AppError, type ErrorCode, type ErrorDetails } from "../../errors.ts";
import { IndexError } from "../index/index-error.ts";
import { answeringWorker, takeWorker } from "./spare-worker.ts";
import type { TaskName, Tasks, ThreadSetting } from "./tasks.ts";

export interface TaskRequest {
  id: number;
  name: TaskName;
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

export type TaskReply = { id: number; output: unknown } | { id: number; failure: TaskFailure };

/** A thread that is to end is waited for so long. */
const LONGEST_TASK_MS = 5_000;

interface Pending {
  resolve(output: unknown): void;
  reject(error: Error): void;
}

/** What is told to those who ask when there is nobody left to answer. */
export function stoppedError(): AppError {
  return new AppError("UNAVAILABLE", "The service is stopping or builds its index anew; try again in a moment.");
}

/** One worker thread that is started with its first task and answers one task after the other. */
export class Thread {
  readonly #setting: ThreadSetting;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  /** Of the last worker that was told to end. */
  #end: Promise<void> = Promise.resolve();
  #isStopped = false;
  #lastId = 0;
  #onIdle = (): void => undefined;
  readonly #idleMs: number | null;
  #idleTimer: NodeJS.Timeout | null = null;

  /** @param idleMs after so long without a task the thread gives its memory back; the next task starts it again. */
  constructor(setting: ThreadSetting, idleMs: number | null = null) {
    this.#setting = setting;
    this.#idleMs = idleMs;
  }

  get busy(): boolean {
    return this.#pending.size > 0;
  }

  get started(): boolean {
    return this.#worker !== null;
  }

  /**
   * @param transfer of the input: is not copied.
   * @throws AppError from the task or UNAVAILABLE after `stop`, IndexError, or the error of a thread that died.
   */
  async run<Name extends TaskName>(
    name: Name,
    input: Tasks[Name]["input"],
    transfer: readonly TransferListItem[] = [],
  ): Promise<Tasks[Name]["output"]> {
    const worker = this.start();
    const id = ++this.#lastId;
    return new Promise<Tasks[Name]["output"]>((resolve, reject) => {
      // The reply to a task named `Name` is that task's output.
      this.#pending.set(id, { resolve: resolve as (output: unknown) => void, reject });
      // A thread keeps the process alive while it works, never while it idles.
      worker.ref();
      worker.postMessage({ id, name, input } satisfies TaskRequest, transfer);
    });
  }

  /**
   * Ends the thread for good when what it is at is done; after {@link LONGEST_TASK_MS} tasks under way fail. Who has
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
    await Promise.race([idle, delay(LONGEST_TASK_MS, undefined, { ref: false })]);
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
    worker.postMessage(this.#setting);
    worker.on("message", (reply: TaskReply) => this.#settle(reply));
    worker.on("error", (error) => this.#lost(worker, error));
    worker.on("exit", (code) => this.#lost(worker, new Error(`A worker thread ended with code ${code}.`)));
    this.#worker = worker;
    return worker;
  }

  #settle(reply: TaskReply): void {
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    this.#pending.delete(reply.id);
    if (this.#pending.size === 0) {
      this.#worker?.unref();
      this.#onIdle();
      this.#startIdleTimer();
    }
    if ("failure" in reply) pending.reject(errorOf(reply.failure));
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
    const isFree = await this.run("isFree", null).catch(() => false);
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
