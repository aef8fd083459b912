/** Shared memory that tells a thread which tasks are cancelled, also during a task that does not yield. */
export type Unwanted = Int32Array<SharedArrayBuffer>;

/** Each task uses one by its number. Rare conflicts only mean that a cancelled task continues. */
const PLACES = 16;

export function noneUnwanted(): Unwanted {
  return new Int32Array(new SharedArrayBuffer(PLACES * Int32Array.BYTES_PER_ELEMENT));
}

export function setUnwanted(unwanted: Unwanted, task: number): void {
  Atomics.store(unwanted, task % PLACES, task);
}

/** Ends a cancelled task, see `CurrentTask.check`. */
export class UnwantedError extends Error {
  override readonly message = "The client of this task has gone.";
}

/** The running task of a thread. */
export class CurrentTask {
  readonly #unwanted: Unwanted;
  /** Its number in the thread. */
  readonly id: number;

  constructor(unwanted: Unwanted, id: number) {
    this.#unwanted = unwanted;
    this.id = id;
  }

  /** Whether it is still wanted; takes a few nanoseconds. */
  get isWanted(): boolean {
    return Atomics.load(this.#unwanted, this.id % PLACES) !== this.id;
  }

  /**
   * Ends the task if it was cancelled; call it between read-only steps.
   *
   * @throws UnwantedError
   */
  check(): void {
    if (!this.isWanted) throw new UnwantedError();
  }
}
