import type { Requester } from "../../requester.ts";
import { noRoomError, Turns } from "../../turns.ts";
import type { InputOf, NameOf, OutputOf, TaskMap } from "./tasks.ts";
import { stoppedError, type Thread } from "./thread.ts";

/** One task runs and one is at hand for when it ends; what waits here costs nothing to cancel, and its turn may come. */
const AT_ONCE = 2;

interface Waiting<Tasks extends TaskMap<Tasks>> {
  /** Runs the task; resolves when the thread is through with it, however that has ended. */
  begin(thread: Thread<Tasks>): Promise<void>;
  fail(error: unknown): void;
}

/** A thread that clients take turns at. */
export class SharedThread<Tasks extends TaskMap<Tasks>> {
  #current: { thread: Thread<Tasks>; handedOver: number };
  readonly #turns: Turns<Waiting<Tasks>>;

  /** @param mostOfClient tasks of one client that may wait. */
  constructor(thread: Thread<Tasks>, mostOfClient: number) {
    this.#current = { thread, handedOver: 0 };
    this.#turns = new Turns(mostOfClient);
  }

  /** For what takes no turn, because it takes no time: counts, and the ends of what was begun. */
  get thread(): Thread<Tasks> {
    return this.#current.thread;
  }

  get busy(): boolean {
    return this.thread.busy || this.#turns.size > 0;
  }

  /**
   * Runs a task when its turn comes.
   *
   * @param isBegun whether the task goes on with one that was let in before, so that it is not refused.
   * @throws AppError UNAVAILABLE where too much of the client waits, the signal's reason, and what `Thread.run` throws.
   */
  run<Name extends NameOf<Tasks>>(
    name: Name,
    input: InputOf<Tasks, Name>,
    requester: Requester = {},
    isBegun = false,
  ): Promise<OutputOf<Tasks, Name>> {
    const { signal } = requester;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stopWaiting = () => signal?.removeEventListener("abort", onAbort);
      const task: Waiting<Tasks> = {
        begin(thread) {
          stopWaiting();
          return thread.run(name, input, { signal }).then(resolve, reject);
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

  /** Has another thread do what waits, and what is asked from now on. */
  replace(thread: Thread<Tasks>): void {
    this.#current = { thread, handedOver: 0 };
    this.#advance();
  }

  /** Refuses what waits and ends the thread for good; another one may replace it. */
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
