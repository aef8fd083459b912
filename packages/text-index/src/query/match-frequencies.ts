/** Of so many documents, a list takes less room than a byte for each one of a segment. */
const MAX_LISTED = 1024;
/** Higher frequencies do not rank higher. */
export const HIGHEST_FREQUENCY = 255;

/** How often the documents of a segment have what a query looks for. Of a phrase these are few, of a word nearly all. */
export class MatchFrequencies {
  readonly #documentCount: number;
  readonly #listed = new Map<number, number>();
  #all: Uint8Array | null = null;

  constructor(documentCount: number) {
    this.#documentCount = documentCount;
  }

  /** By document, where there are many. */
  get all(): Uint8Array | null {
    return this.#all;
  }

  /** Otherwise those of which there are any. */
  get listed(): ReadonlyMap<number, number> {
    return this.#listed;
  }

  /** @param frequency added to what the document has already. */
  add(document: number, frequency: number): void {
    if (this.#all !== null) {
      this.#all[document] = Math.min(HIGHEST_FREQUENCY, (this.#all[document] as number) + frequency);
      return;
    }
    this.#listed.set(document, Math.min(HIGHEST_FREQUENCY, (this.#listed.get(document) ?? 0) + frequency));
    if (this.#listed.size <= MAX_LISTED) return;
    this.#all = new Uint8Array(this.#documentCount);
    for (const [listed, times] of this.#listed) this.#all[listed] = times;
    this.#listed.clear();
  }
}
