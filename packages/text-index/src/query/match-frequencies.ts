/** Up to this number, a map takes less memory than one byte per document of a segment. */
const MAX_LISTED = 1024;
/** Higher frequencies do not rank higher. */
export const HIGHEST_FREQUENCY = 255;

/**
 * Frequencies of a query leaf in the documents of a segment. For a phrase these are few documents, for a word nearly
 * all.
 */
export class MatchFrequencies {
  readonly #documentCount: number;
  readonly #listed = new Map<number, number>();
  #all: Uint8Array | null = null;

  constructor(documentCount: number) {
    this.#documentCount = documentCount;
  }

  /** By document, if there are many. */
  get all(): Uint8Array | null {
    return this.#all;
  }

  /** Otherwise, only matching documents. */
  get listed(): ReadonlyMap<number, number> {
    return this.#listed;
  }

  /** @param frequency added to the document's current value. */
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
