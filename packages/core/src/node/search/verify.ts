import {
  add,
  type Bitset,
  type CostBudget,
  documentsOf,
  emptyBitset,
  remove,
  type SegmentView,
  topKThreshold,
} from "@sm/text-index";
import type { TextPieces } from "@sm/text-index/analysis";
import type { CurrentTask } from "../threads/unwanted.ts";
import { byTime } from "./match-page.ts";
import type { TextReader } from "./texts.ts";

/** Maximum documents read per search for verification: about 25 µs each, for 2 KB. */
const MAX_DOCUMENTS = 4_000;
/** Those that are read together. */
const BATCH = 200;
/** Bytes of their lines. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Reads documents for which the index cannot decide whether they match. */
export class Verifier {
  readonly #views: readonly SegmentView[];
  readonly #texts: TextReader;
  readonly #budget: CostBudget;
  readonly #current: Pick<CurrentTask, "check">;
  #documents = MAX_DOCUMENTS;
  #bytes = MAX_BYTES;

  constructor(
    views: readonly SegmentView[],
    texts: TextReader,
    budget: CostBudget,
    current: Pick<CurrentTask, "check">,
  ) {
    this.#views = views;
    this.#texts = texts;
    this.#budget = budget;
    this.#current = current;
  }

  /**
   * Returns the candidates whose text matches. If there are too many, verifies the newest ones, and `others` decides
   * about the rest.
   *
   * @throws UnwantedError
   */
  readonly verify = (
    candidates: readonly Bitset[],
    passes: (text: TextPieces) => boolean,
    others: "in" | "out",
  ): Bitset[] => {
    const verified = candidates.map((bits) =>
      others === "in" ? Uint32Array.from(bits) : new Uint32Array(bits.length),
    );
    for (const { place, view, document } of this.#expected(this.#choose(candidates))) {
      this.#current.check();
      const size = this.#texts.sizeOf(view.documents, document);
      if (size > this.#bytes) {
        this.#budget.leaveOut();
        continue;
      }
      this.#bytes -= size;
      const found = this.#texts.read(view.documents, document);
      // That of an output in a file of its own is longer than its line.
      if (typeof found?.text === "string") this.#bytes -= Math.max(0, found.text.length - size);
      const bits = verified[place] ?? NONE;
      if (found !== null && passes(found.text)) add(bits, document);
      else remove(bits, document);
    }
    return verified;
  };

  *#expected(candidates: readonly Candidate[]): Generator<Candidate> {
    for (let at = 0; at < candidates.length; at += BATCH) {
      const batch = candidates.slice(at, at + BATCH);
      this.#texts.expect(batch.map(({ view, document }) => ({ documents: view.documents, document })));
      yield* batch;
    }
  }

  /** File by file. */
  #choose(candidates: readonly Bitset[]): Candidate[] {
    const found = this.#views.map((view, place) => byTime({ view, documents: documentsOf(candidates[place] ?? NONE) }));
    const count = found.reduce((sum, { documents }) => sum + documents.length, 0);
    if (count > this.#documents) this.#budget.leaveOut();
    if (this.#documents === 0) return [];
    const chosen: Candidate[] = [];
    const least = topKThreshold(found, this.#documents, Number.NEGATIVE_INFINITY);
    for (const [place, { view, documents, values }] of found.entries()) {
      const { keys, ordinals } = view.documents;
      for (let at = 0; at < documents.length; at++) {
        const document = documents[at] ?? 0;
        const time = values[at] ?? 0;
        if (time < least) continue;
        chosen.push({ place, view, document, time, key: keys[document] ?? 0, ordinal: ordinals[document] ?? 0 });
      }
    }
    const newest = chosen
      .sort((a, b) => b.time - a.time || b.key - a.key || b.ordinal - a.ordinal)
      .slice(0, this.#documents);
    this.#documents -= newest.length;
    return newest.sort((a, b) => b.key - a.key || b.ordinal - a.ordinal);
  }
}

const NONE: Bitset = emptyBitset(0);

interface Candidate {
  place: number;
  view: SegmentView;
  document: number;
  time: number;
  key: number;
  ordinal: number;
}
