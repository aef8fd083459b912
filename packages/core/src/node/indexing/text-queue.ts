import type { SessionKey } from "../catalog/found-files.ts";

/** A session with text that is not searchable yet. */
export interface TextToIndex extends SessionKey {
  /** That are not searchable yet. */
  bytes: number;
}

/** `fresh` is what has just been written: somebody may look for it, while the `bulk` of a first start waits. */
export type Urgency = "fresh" | "bulk";

/** As much as one task has time for, so that its segment is as large as can be: small ones would have to be merged. */
const BATCH_BYTES = 64 * 1024 * 1024;

/** The sessions that wait for one text database, in the order in which they came. */
export class TextQueue {
  readonly #fresh = new Map<number, TextToIndex>();
  readonly #bulk = new Map<number, TextToIndex>();
  #bytes = 0;

  get size(): number {
    return this.#fresh.size + this.#bulk.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A session that waits already may have grown: it is another one from now on. */
  add({ key, path, bytes }: TextToIndex, urgency: Urgency): void {
    const isFresh = urgency === "fresh" || this.#fresh.has(key);
    const before = this.#fresh.get(key) ?? this.#bulk.get(key);
    this.#bytes += bytes - (before?.bytes ?? 0);
    (isFresh ? this.#bulk : this.#fresh).delete(key);
    (isFresh ? this.#fresh : this.#bulk).set(key, { key, path, bytes });
  }

  /** What is to be indexed next: so many sessions at most. They stay here until they are removed. */
  next(limit: number): TextToIndex[] {
    const batch: TextToIndex[] = [];
    let bytes = 0;
    for (const text of (this.#fresh.size > 0 ? this.#fresh : this.#bulk).values()) {
      if (batch.length === limit || bytes >= BATCH_BYTES) break;
      batch.push(text);
      bytes += text.bytes;
    }
    return batch;
  }

  /** Takes note of bytes of a session that are searchable now. */
  indexed(text: TextToIndex, bytes: number): void {
    const left = Math.max(0, text.bytes - bytes);
    if (this.#has(text)) this.#bytes += left - text.bytes;
    text.bytes = left;
  }

  /** @returns whether it was still waiting: `false` where it has grown since it was next. */
  remove(text: TextToIndex): boolean {
    if (!this.#has(text)) return false;
    this.#bytes -= text.bytes;
    return this.#fresh.delete(text.key) || this.#bulk.delete(text.key);
  }

  clear(): void {
    this.#fresh.clear();
    this.#bulk.clear();
    this.#bytes = 0;
  }

  #has(text: TextToIndex): boolean {
    return this.#fresh.get(text.key) === text || this.#bulk.get(text.key) === text;
  }
}
