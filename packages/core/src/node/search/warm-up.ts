import type { Postings, Segment } from "../postings/segment.ts";
import { Allowance } from "./allowance.ts";
import { fullBitset } from "./bitset.ts";
import { matchPhrase } from "./phrase.ts";
import { termsFrom } from "./terms.ts";

/** Terms that are looked at in one step: some milliseconds. */
const TERMS_OF_STEP = 2_000;
/** Words that are prepared, fewer where their sets would take more than these bytes. */
const MOST_WORDS = 64;
const MOST_SET_BYTES = 3 * 1024 * 1024;
/** Rarer words have no set. */
const LEAST_SHARE = 1 / 64;
/** Of each of the phrases that are looked for. */
const WORDS_OF_PHRASE = 4;
/** What such a phrase may cost, see `Allowance`. */
const MOST_STEPS = 500_000;

/**
 * Prepares a segment for phrases: decodes which documents have its most common words, and looks for some phrases of
 * them, so that the code is optimized too. Without it, the first fifty phrases took up to twice as long as later ones
 * (1 GB of sessions); it takes some 150 ms.
 *
 * @yields after each step of some milliseconds.
 */
export function* warmUp(segment: Segment): Generator<void> {
  const words: Postings[] = [];
  let looked = 0;
  for (const postings of termsFrom(segment, "")) {
    if (postings.documentCount >= segment.documentCount * LEAST_SHARE) words.push(postings);
    if (++looked % TERMS_OF_STEP === 0) yield;
  }
  const room = Math.floor((MOST_SET_BYTES * 8) / Math.max(1, segment.documentCount));
  words.sort((a, b) => b.documentCount - a.documentCount).splice(Math.min(MOST_WORDS, room));
  for (const word of words) {
    word.set(true);
    yield;
  }
  const all = fullBitset(segment.documentCount);
  // Of words that are far from each other in their order: two of the most common ones take the longest.
  const distance = Math.floor(words.length / WORDS_OF_PHRASE);
  for (let first = 0; first < distance; first++) {
    const phrase = words.filter((_, place) => place % distance === first);
    const slots = phrase.map((word) => [word]);
    matchPhrase(slots, all, new Allowance(MOST_STEPS), () => undefined);
    yield;
  }
}
