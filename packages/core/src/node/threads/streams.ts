import { threadId } from "node:worker_threads";
import { AppError } from "../../errors.ts";

/** Answers of this thread that are handed over piece by piece, as whoever asked comes for the next one. */
export class Streams<Piece> {
  readonly #open = new Map<string, Iterator<Piece> | AsyncIterator<Piece>>();
  #last = 0;

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** @returns the name of the stream, which no other thread gives: a thread may end, and another take its place. */
  add(pieces: Iterator<Piece> | AsyncIterator<Piece>): string {
    const stream = `${threadId}.${++this.#last}`;
    this.#open.set(stream, pieces);
    return stream;
  }

  /**
   * Reads the next piece; `null` where there are no more.
   *
   * @throws AppError UNAVAILABLE where the thread that began the stream has ended.
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
