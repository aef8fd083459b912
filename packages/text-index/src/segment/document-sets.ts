/** Keeps the documents of terms as sets: words of a language come again and again. */
export class DocumentSets {
  readonly #mostBytes: number;
  /** By name, the least recently asked for first. */
  readonly #kept = new Map<string, Uint32Array>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** `null` where it is not kept. */
  find(name: string): Uint32Array | null {
    const set = this.#kept.get(name);
    if (set === undefined) return null;
    this.#kept.delete(name);
    this.#kept.set(name, set);
    return set;
  }

  /** Keeps a set that is not kept yet, instead of those that were not asked for the longest. */
  keep(name: string, set: Uint32Array): void {
    if (set.byteLength > this.#mostBytes) return;
    for (const [oldest, { byteLength }] of this.#kept) {
      if (this.#bytes + set.byteLength <= this.#mostBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= byteLength;
    }
    this.#kept.set(name, set);
    this.#bytes += set.byteLength;
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }
}
