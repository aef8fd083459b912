import { threadId } from "node:worker_threads";
import { AppError } from "../../errors.ts";

/** Streams of this thread, read piece by piece by other threads. */
export class Streams<Piece> {
  readonly #open = new Map<string, Iterator<Piece> | AsyncIterator<Piece>>();
  #last = 0;

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** @returns the ID of the stream, unique across threads, because a thread may end and be replaced. */
  add(pieces: Iterator<Piece> | AsyncIterator<Piece>): string {
    const stream = `${threadId}.${++this.#last}`;
    this.#open.set(stream, pieces);
    return stream;
  }

  /**
   * Reads the next piece; `null` at the end.
   *
   * @throws AppError UNAVAILABLE if the thread of the stream has ended.
   */
  async next(stream: string): Promise<Piece | null> {
    const pieces = this.#open.get(stream);
    if (pieces === undefined) {
      throw new AppError("UNAVAILABLE", "The service was interrupted while it read the session; try again.");
    }
    try {
      const next = await pieces.next();
      if (next.done !== true) return next.value;
    } catch (error) {
      this.#open.delete(stream);
      throw error;
    }
    this.#open.delete(stream);
    return null;
  }

  async stop(stream: string): Promise<null> {
    await this.#open.get(stream)?.return?.();
    this.#open.delete(stream);
    return null;
  }
}
