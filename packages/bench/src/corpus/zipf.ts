import type { Random } from "./random.ts";

/** A power of two, so that a draw is one shift and one look-up; rank 10,000 still gets a share of its own. */
const SLOT_BITS = 18;
const SLOTS = 2 ** SLOT_BITS;

/** Draws ranks with the frequencies of natural language: rank r about as 1 / (r + 2.7), after Zipf and Mandelbrot. */
export class ZipfSampler {
  readonly #ranks = new Uint32Array(SLOTS);

  constructor(size: number) {
    const weights = Array.from({ length: size }, (_, rank) => 1 / (rank + 2.7));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    let slot = 0;
    let reached = 0;
    weights.forEach((weight, rank) => {
      reached += weight;
      const end = Math.round((reached / total) * SLOTS);
      this.#ranks.fill(rank, slot, end);
      slot = end;
    });
  }

  draw(random: Random): number {
    return this.#ranks[random.next() >>> (32 - SLOT_BITS)] ?? 0;
  }
}
