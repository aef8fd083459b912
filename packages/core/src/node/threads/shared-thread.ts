import type { Requester } from "../../requester.ts";
import { noRoomError, Turns } from "../../turns.ts";
import type { InputOf, NameOf, OutputOf, TaskMap } from "./tasks.ts";
import { type RunOptions, stoppedError, type Thread } from "./thread.ts";

/** One task runs and one is queued in the thread; tasks waiting here can be cancelled at no cost. */
const AT_ONCE = 2;

/** Who wants a task to be run, and what answers its questions. */
export type TaskRequester = Requester & Pick<RunOptions, "source">;

interface Waiting<Tasks extends TaskMap<Tasks>> {
  /** Runs the task; resolves when the thread has finished it, successfully or not. */
  begin(thread: Thread<Tasks>): Promise<void>;
  fail(error: unknown): void;
}

/** A thread shared fairly by clients. */
export class SharedThread<Tasks extends TaskMap<Tasks>> {
  #current: { thread: Thread<Tasks>; handedOver: number };
  readonly #turns: Turns<Waiting<Tasks>>;

  /** @param mostOfClient maximum waiting tasks per client. */
  constructor(thread: Thread<Tasks>, mostOfClient: number) {
    this.#current = { thread, handedOver: 0 };
    this.#turns = new Turns(mostOfClient);
  }

  /** For tasks without queueing, because they are quick: counts, and the end of streams. */
  get thread(): Thread<Tasks> {
    return this.#current.thread;
  }

  get busy(): boolean {
    return this.thread.busy || this.#turns.size > 0;
  }

  /** Number of tasks that were given and have not ended. */
  get size(): number {
    return this.#current.handedOver + this.#turns.size;
  }

  /**
   * Runs a task in its turn.
   *
   * @param isBegun whether it continues an admitted task, so that it must not be rejected.
   * @throws AppError UNAVAILABLE if too many tasks of the client wait, the signal's reason, and errors of `Thread.run`.
   */
  run<Name extends NameOf<Tasks>>(
    name: Name,
    input: InputOf<Tasks, Name>,
    requester: TaskRequester = {},
    isBegun = false,
  ): Promise<OutputOf<Tasks, Name>> {
    const { signal, source } = requester;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stopWaiting = () => signal?.removeEventListener("abort", onAbort);
      const task: Waiting<Tasks> = {
        begin(thread) {
          stopWaiting();
          return thread.run(name, input, { signal, source }).then(resolve, reject);
        },
        fail(error) {
          stopWaiting();
          reject(error);
        },
      };
      const onAbort = () => {
        if (this.#turns.delete(task)) task.fail(signal?.reason);
      };
      if (!isBegun && !this.#turns.hasRoom(requester)) throw noRoomError();
      signal?.addEventListener("abort", onAbort);
      this.#turns.add(task, requester);
      this.#advance();
    });
  }

  /** Moves waiting and future tasks to another thread. */
  replace(thread: Thread<Tasks>): void {
    this.#current = { thread, handedOver: 0 };
    this.#advance();
  }

  /** Rejects waiting tasks and ends the thread; it can be replaced. */
  async stop(): Promise<void> {
    for (let task = this.#turns.next(); task !== null; task = this.#turns.next()) task.fail(stoppedError());
    await this.thread.stop();
  }

  #advance(): void {
    const current = this.#current;
    while (current.handedOver < AT_ONCE) {
      const task = this.#turns.next();
      if (task === null) return;
      current.handedOver += 1;
      void task.begin(current.thread).then(() => {
        current.handedOver -= 1;
        if (current === this.#current) this.#advance();
      });
    }
  }
}
