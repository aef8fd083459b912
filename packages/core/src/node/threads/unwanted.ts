/** How a thread learns that nobody waits for a task any more, also in the middle of one that leaves it no time to listen. */
export type Unwanted = Int32Array<SharedArrayBuffer>;

/** Each task has one by its number. Two in one place take it from each other, which few are: one of them goes on then. */
const PLACES = 16;

export function noneUnwanted(): Unwanted {
  return new Int32Array(new SharedArrayBuffer(PLACES * Int32Array.BYTES_PER_ELEMENT));
}

export function setUnwanted(unwanted: Unwanted, task: number): void {
  Atomics.store(unwanted, task % PLACES, task);
}

/** What ends a task that nobody waits for, see `CurrentTask.check`. */
export class UnwantedError extends Error {
  override readonly message = "The client of this task has gone.";
}

/** The task that a thread is at, for whoever works on it. */
export class CurrentTask {
  readonly #unwanted: Unwanted;
  readonly #task: number;

  constructor(unwanted: Unwanted, task: number) {
    this.#unwanted = unwanted;
    this.#task = task;
  }

  /** Whether somebody still waits for it: asked in a few nanoseconds. */
  get isWanted(): boolean {
    return Atomics.load(this.#unwanted, this.#task % PLACES) !== this.#task;
  }

  /**
   * Ends the task where nobody waits for it any more; to be called between steps that only read.
   *
   * @throws UnwantedError
   */
  check(): void {
    if (!this.isWanted) throw new UnwantedError();
  }
}
