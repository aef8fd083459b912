import type { SessionKey } from "../catalog/found-files.ts";

/** A session with text that is not searchable yet. */
export interface TextToIndex extends SessionKey {
  /** That are not searchable yet. */
  bytes: number;
}

/** `fresh` is what has just been written: somebody may look for it, while the `bulk` of a first start waits. */
export type Urgency = "fresh" | "bulk";

/** The sessions that wait for one text database, in the order in which they came. */
export class TextQueue {
  readonly #fresh = new Map<number, TextToIndex>();
  readonly #bulk = new Map<number, TextToIndex>();

  get size(): number {
    return this.#fresh.size + this.#bulk.size;
  }

  get bytes(): number {
    let sum = 0;
    for (const texts of [this.#fresh, this.#bulk]) for (const { bytes } of texts.values()) sum += bytes;
    return sum;
  }

  /** A session that waits already may have grown: it is another one from now on. */
  add({ key, path, bytes }: TextToIndex, urgency: Urgency): void {
    const isFresh = urgency === "fresh" || this.#fresh.has(key);
    (isFresh ? this.#bulk : this.#fresh).delete(key);
    (isFresh ? this.#fresh : this.#bulk).set(key, { key, path, bytes });
  }

  /** What is to be indexed next; it stays here until it is removed. */
  next(limit: number): TextToIndex[] {
    return [...(this.#fresh.size > 0 ? this.#fresh : this.#bulk).values()].slice(0, limit);
  }

  /** @returns whether it was still waiting: `false` where it has grown since it was next. */
  remove(text: TextToIndex): boolean {
    for (const texts of [this.#fresh, this.#bulk]) {
      if (texts.get(text.key) === text) return texts.delete(text.key);
    }
    return false;
  }

  clear(): void {
    this.#fresh.clear();
    this.#bulk.clear();
  }
}
