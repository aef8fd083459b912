import { setTimeout as delay } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { AppError } from "../../errors.ts";
import { errorCode } from "../files/file-errors.ts";
import type { SessionPlaces } from "../session-file/session-roots.ts";
import { AnswerDesk } from "./answer-desk.ts";
import { type CacheBytes, NO_CACHE_BYTES } from "./cache-budget.ts";
import { newWorker, takeWorker } from "./spare-worker.ts";
import { errorOf, type TaskFailure } from "./task-failure.ts";
import type { InputOf, NameOf, OutputOf, PlacesMessage, TaskMap, ThreadSetting, WorkerSetting } from "./tasks.ts";
import { noneUnwanted, setUnwanted, UnwantedError } from "./unwanted.ts";

export interface TaskRequest {
  id: number;
  name: string;
  input: unknown;
  /** Whether it may ask the thread that has started this one. */
  asks: boolean;
}

export type TaskOutcome =
  | { id: number; output: unknown }
  | { id: number; failure: TaskFailure }
  /** The task was cancelled in time. */
  | { id: number; isUnwanted: true };

/** The outcome of a task, and what the thread's caches hold after it. */
export type TaskReply = TaskOutcome & { cacheBytes: CacheBytes };

/** Time to wait for a thread to end. */
const MAX_TASK_MS = 5_000;

/** Where sessions are; `null` if unknown yet. */
export type KnownPlaces = () => SessionPlaces | null;

export interface ThreadOptions {
  /** Idle time after which the thread ends to release memory; the next task restarts it. */
  idleMs?: number | null;
  /** Size of the heap for new objects; default: that of threads that read. */
  youngGenerationMb?: number | undefined;
  /** Called before each task. */
  places?: KnownPlaces | undefined;
  /** Whether its tasks ask for what they read, see `RunOptions.source`; default: they read files. */
  asks?: boolean | undefined;
  /** Whether other threads go first where processors are scarce; default: all are equal. */
  isBackground?: boolean | undefined;
}

export interface RunOptions {
  /** Aborted to cancel the task, see `CurrentTask`. */
  signal?: AbortSignal | undefined;
  /** Answers what the task asks. */
  source?: object | undefined;
}

interface Pending {
  name: string;
  resolve(output: unknown): void;
  reject(error: Error): void;
}

/** The error for requests after the end. */
export function stoppedError(): AppError {
  return new AppError("UNAVAILABLE", "The service is stopping or rebuilding its index; try again in a moment.");
}

function isOutOfMemory(error: unknown): boolean {
  return errorCode(error) === "ERR_WORKER_OUT_OF_MEMORY";
}

function outOfMemoryError(cause: unknown): AppError {
  const message =
    "This takes more memory than a thread of the service may have; ask for less, such as fewer entries or a narrower search.";
  return new AppError("UNAVAILABLE", message, { cause });
}

/** A worker thread that starts with its first task and runs tasks sequentially. */
export class Thread<Tasks extends TaskMap<Tasks>> {
  readonly #setting: ThreadSetting;
  readonly #unwanted = noneUnwanted();
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  readonly #asks: boolean;
  readonly #isBackground: boolean;
  /** Of the worker, if its tasks ask. */
  #desk: AnswerDesk | null = null;
  /** Resolves when the last ending worker has ended. */
  #end: Promise<void> = Promise.resolve();
  #isStopped = false;
  #lastId = 0;
  #onIdle = (): void => undefined;
  readonly #idleMs: number | null;
  readonly #youngGenerationMb: number | undefined;
  #idleTimer: NodeJS.Timeout | null = null;
  readonly #places: KnownPlaces;
  /** Known to the worker. */
  #toldPlaces: SessionPlaces | null = null;
  #cacheBytes: Readonly<CacheBytes> = NO_CACHE_BYTES;
  /** Time of the last message to or from a busy worker; see {@link Thread.silence}. */
  #heardAt = 0;

  constructor(
    setting: ThreadSetting,
    { idleMs = null, youngGenerationMb, places = () => null, asks = false, isBackground = false }: ThreadOptions = {},
  ) {
    this.#setting = setting;
    this.#asks = asks;
    this.#isBackground = isBackground;
    this.#idleMs = idleMs;
    this.#youngGenerationMb = youngGenerationMb;
    this.#places = places;
  }

  /** The running task and the milliseconds since its last message; `null` if idle. */
  get silence(): { name: string; ms: number } | null {
    const [oldest] = this.#pending.values();
    return oldest === undefined ? null : { name: oldest.name, ms: performance.now() - this.#heardAt };
  }

  get busy(): boolean {
    return this.#pending.size > 0;
  }

  /** What its caches held after the last task; nothing when it rests. */
  get cacheBytes(): Readonly<CacheBytes> {
    return this.#worker === null ? NO_CACHE_BYTES : this.#cacheBytes;
  }

  get started(): boolean {
    return this.#worker !== null;
  }

  /**
   * @throws AppError from the task, or UNAVAILABLE after `stop` and where the thread died for want of memory; IndexError;
   * the error of a thread that died otherwise; the signal's reason if cancelled.
   */
  async run<Name extends NameOf<Tasks>>(
    name: Name,
    input: InputOf<Tasks, Name>,
    { signal, source }: RunOptions = {},
  ): Promise<OutputOf<Tasks, Name>> {
    const worker = this.start();
    const desk = this.#desk;
    const id = ++this.#lastId;
    const asks = desk !== null && source !== undefined;
    if (asks) desk.begin(id, source);
    const onAbort = () => {
      setUnwanted(this.#unwanted, id);
      desk?.wake();
    };
    signal?.addEventListener("abort", onAbort);
    const answer = new Promise<OutputOf<Tasks, Name>>((resolve, reject) => {
      if (!this.busy) this.#heardAt = performance.now();
      // The reply to a task has that task's output type.
      this.#pending.set(id, { name, resolve: resolve as (output: unknown) => void, reject });
      // A thread keeps the process alive only while it works.
      worker.ref();
      this.#tellPlaces(worker);
      worker.postMessage({ id, name, input, asks } satisfies TaskRequest);
    });
    if (signal === undefined) return answer;
    return answer
      .catch((error: unknown) => {
        throw error instanceof UnwantedError ? signal.reason : error;
      })
      .finally(() => signal.removeEventListener("abort", onAbort));
  }

  /**
   * Ends the thread permanently after its current tasks; fails them after {@link MAX_TASK_MS}. A later task must not
   * start a worker that would never end.
   */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.rest();
  }

  /** Ends the worker like `stop`, until the next task. */
  rest(): Promise<void> {
    // Also waits for one that is already ending: it has open files.
    this.#end = Promise.all([this.#end, this.#endWorker()]).then(() => undefined);
    return this.#end;
  }

  async #endWorker(): Promise<void> {
    const worker = this.#worker;
    const lastId = this.#lastId;
    this.#worker = null;
    this.#stopIdleTimer();
    if (worker === null) return;
    this.#closeDesk();
    // SQLite's binding aborts the process if its thread is terminated during a call.
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      if (!this.busy) resolve();
    });
    await Promise.race([idle, delay(MAX_TASK_MS, undefined, { ref: false })]);
    await worker.terminate();
    this.#failAll(stoppedError(), lastId);
  }

  /**
   * Starts the worker in advance: it takes about 50 ms.
   *
   * @throws AppError UNAVAILABLE after `stop`.
   */
  start(): Worker {
    if (this.#isStopped) throw stoppedError();
    if (this.#worker !== null) return this.#worker;
    const worker = this.#youngGenerationMb === undefined ? takeWorker() : newWorker(this.#youngGenerationMb);
    const desk = this.#asks ? new AnswerDesk() : null;
    worker.postMessage(
      {
        ...this.#setting,
        ...{ unwanted: this.#unwanted, desk: desk?.link ?? null, isBackground: this.#isBackground },
      } satisfies WorkerSetting,
      desk === null ? [] : [desk.link.port],
    );
    this.#desk = desk;
    this.#toldPlaces = null;
    this.#cacheBytes = NO_CACHE_BYTES;
    worker.on("message", (reply: TaskReply) => {
      if (this.#worker === worker) this.#cacheBytes = reply.cacheBytes;
      this.#settle(reply);
    });
    worker.on("error", (error) => this.#lost(worker, isOutOfMemory(error) ? outOfMemoryError(error) : error));
    worker.on("exit", (code) => this.#lost(worker, new Error(`A worker thread ended with code ${code}.`)));
    this.#worker = worker;
    return worker;
  }

  #tellPlaces(worker: Worker): void {
    const places = this.#places();
    if (places === null || places === this.#toldPlaces) return;
    worker.postMessage(places satisfies PlacesMessage);
    this.#toldPlaces = places;
  }

  #settle(reply: TaskReply): void {
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    this.#pending.delete(reply.id);
    this.#desk?.end(reply.id);
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

  /** Restarts the idle time. One timer is reused: creating one per task costs a tenth of its overhead. */
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
    // The end of the current task restarts the timer.
    if (this.busy) return;
    // A stream of the thread may still be open.
    const isFree = await this.run("isFree", null as InputOf<Tasks, "isFree">).catch(() => false);
    if (isFree && !this.busy) await this.rest();
  }

  #lost(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#closeDesk();
    this.#stopIdleTimer();
    this.#failAll(error instanceof Error ? error : new Error(String(error)));
  }

  #closeDesk(): void {
    this.#desk?.close();
    this.#desk = null;
  }

  /** Tasks after `lastId` belong to another worker. */
  #failAll(error: Error, lastId = this.#lastId): void {
    for (const [id, task] of [...this.#pending]) {
      if (id > lastId) continue;
      this.#pending.delete(id);
      task.reject(error);
    }
  }
}
