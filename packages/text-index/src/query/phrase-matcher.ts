import type { PositionCursor, PostingList } from "../segment/segment.ts";
import { add, type Bitset, documentsOf, has, hasAtLeast, intersect } from "./bitset.ts";
import type { CostBudget } from "./cost-budget.ts";
import type { ListPositions } from "./expected.ts";
import { gallop } from "./gallop.ts";

/** Cost to reach the positions of a term in a document, by skipping those of others. */
const STEPS_OF_DOCUMENT = 20;
/** Cost to store the possible starts of a phrase in a document. */
const STEPS_OF_PLACES = 20;

/** One position of a phrase: matches any of these terms. */
export type Slot = readonly PostingList[];

/** Called with a document and the frequency of a match. */
export type OnMatch = (document: number, frequency: number) => void;

/** A slot with its offset in the phrase. */
interface PlacedSlot {
  slot: Slot;
  offset: number;
  documentCount: number;
}

/** A phrase that is still to be compared in the documents of a segment. */
export interface PhraseComparison {
  /** The positions that are compared first. */
  first: readonly ListPositions[];
  run(): void;
}

/** The rarest two slots decide about most documents. */
const FIRST_SLOTS = 2;

/** Finds the documents of `mask` with the slots at consecutive positions. */
export function matchPhrase(slots: readonly Slot[], mask: Bitset, budget: CostBudget, onMatch: OnMatch): void {
  beginPhrase(slots, mask, budget, onMatch)?.run();
}

/**
 * Begins to look for the documents of `mask` with the slots at consecutive positions: what is left is to compare these.
 *
 * Slots with one term are compared first: the two rarest with each other, the others only in documents where these are
 * adjacent, so that phrases of common words need little memory. Slots with many terms follow, term by term, against the
 * remaining positions.
 */
export function beginPhrase(
  slots: readonly Slot[],
  mask: Bitset,
  budget: CostBudget,
  onMatch: OnMatch,
): PhraseComparison | null {
  const [first] = slots;
  if (slots.length === 1 && first !== undefined) {
    matchAny(first, mask, budget, onMatch);
    return null;
  }
  const placed = slots
    .map((slot, offset) => ({ slot, offset, documentCount: documentCountOf(slot) }))
    .sort((a, b) => a.documentCount - b.documentCount);
  const single = placed.filter(isSingle);
  const open = placed.filter((each) => !isSingle(each));
  const [rarest] = single;
  if (rarest === undefined) return { first: [], run: () => compareOpen(open, mask, null, budget, onMatch) };
  const lists = placed.filter((each) => isSingle(each) || each.documentCount < rarest.documentCount);
  const narrowed = narrow(lists, mask, budget);
  if (narrowed === null || narrowed.length === 0) return null;
  return {
    first: single.slice(0, FIRST_SLOTS).flatMap(({ slot }) => slot.map((list) => ({ list, documents: narrowed }))),
    run() {
      if (open.length === 0) {
        compareSingle(single, narrowed, budget, (document, starts) => onMatch(document, starts.length));
        return;
      }
      const found = new Map<number, number[]>();
      compareSingle(single, narrowed, budget, (document, starts) => found.set(document, Array.from(starts)));
      compareOpen(open, mask, found, budget, onMatch);
    },
  };
}

/** Compares slots with many terms. @param before possible starts by document; `null`: in all documents of `mask`. */
function compareOpen(
  open: readonly PlacedSlot[],
  mask: Bitset,
  before: Map<number, number[]> | null,
  budget: CostBudget,
  onMatch: OnMatch,
): void {
  let places = before;
  for (const { slot, offset } of open) {
    places = placesOf(slot, offset, places === null ? mask : bitsetOf(places, mask.length), places, budget);
  }
  for (const [document, starts] of places ?? []) onMatch(document, starts.length);
}

function bitsetOf(places: ReadonlyMap<number, unknown>, words: number): Bitset {
  const bits = new Uint32Array(words);
  for (const document of places.keys()) add(bits, document);
  return bits;
}

/** Matches a phrase with one slot. */
function matchAny(slot: Slot, mask: Bitset, budget: CostBudget, onMatch: OnMatch): void {
  for (const postings of slot) {
    if (!budget.spend(postings.documentCount)) return;
    const { documents, frequencies } = postings.list();
    for (let place = 0; place < documents.length; place++) {
      const document = documents[place] as number;
      if (has(mask, document)) onMatch(document, frequencies[place] as number);
    }
  }
}

/** Upper bound of the documents with a term of the slot. */
export function documentCountOf(slot: Slot): number {
  return slot.reduce((sum, postings) => sum + postings.documentCount, 0);
}

function isSingle({ slot }: PlacedSlot): boolean {
  return slot.length === 1;
}

/** A lookup of one document costs as much as decoding this many. */
const DECODED_BY_LOOKUP = 16;
/** Reused sets: allocating new ones for each phrase would burden the garbage collector. */
const spare: [Bitset, Bitset] = [new Uint32Array(0), new Uint32Array(0)];

function spareBitset(number: 0 | 1, words: number): Bitset {
  if (spare[number].length < words) spare[number] = new Uint32Array(words);
  return spare[number].subarray(0, words);
}

/**
 * The documents of `mask` that have all slots, as far as this pays off: narrowed slot by slot until few are left.
 * `null` if it would take too long.
 */
function narrow(placed: readonly PlacedSlot[], mask: Bitset, budget: CostBudget): Uint32Array | null {
  if (placed.some(({ documentCount }) => documentCount === 0)) return null;
  let candidates = spareBitset(0, mask.length);
  let found = spareBitset(1, mask.length);
  candidates.set(mask);
  for (const { slot, documentCount } of placed) {
    // Few documents are looked up when their positions are compared; only an existing set is cheaper.
    const isDecoded = hasAtLeast(candidates, documentCount / DECODED_BY_LOOKUP);
    if (isDecoded && !budget.spend(documentCount)) return null;
    const set = slot.length === 1 ? slot[0]?.set(isDecoded) : null;
    if (set) intersect(candidates, set);
    else if (isDecoded) {
      found.fill(0);
      for (const postings of slot) addCommon(found, candidates, postings.list().documents);
      [candidates, found] = [found, candidates];
    }
  }
  return documentsOf(candidates);
}

/** Adds those `documents` that are candidates. */
function addCommon(found: Bitset, candidates: Bitset, documents: Uint32Array): void {
  for (let place = 0; place < documents.length; place++) {
    // Casts: all documents have a bit.
    const document = documents[place] as number;
    const word = document >>> 5;
    found[word] = (found[word] as number) | ((candidates[word] as number) & (1 << (document & 31)));
  }
}

/** Called with a document and the possible starts of a phrase in it. */
type OnStarts = (document: number, starts: ArrayLike<number>) => void;

/** Positions of a term with its offset in a phrase. */
interface PlacedCursor {
  cursor: PositionCursor;
  offset: number;
}

function cursorsOf(placed: readonly PlacedSlot[]): PlacedCursor[] {
  return placed.flatMap(({ slot, offset }) => slot.map((term) => ({ cursor: term.positions(), offset })));
}

/** Compares slots with one term in the remaining documents. */
function compareSingle(
  placed: readonly PlacedSlot[],
  documents: Uint32Array,
  budget: CostBudget,
  onStarts: OnStarts,
): void {
  const [first, ...others] = cursorsOf(placed);
  if (first === undefined) return;
  for (const document of documents) {
    const positions = first.cursor.in(document);
    if (!budget.spend(positions.length + STEPS_OF_DOCUMENT)) return;
    const starts = follow(document, startsOf(positions, first.offset), others, budget);
    if (starts === null) return;
    if (starts.length > 0) onStarts(document, starts);
  }
  for (const { cursor } of [first, ...others]) cursor.close();
}

/** The `starts` at which the other terms follow too; `null` if it would take too long. */
function follow(
  document: number,
  starts: ArrayLike<number>,
  others: readonly PlacedCursor[],
  budget: CostBudget,
): ArrayLike<number> | null {
  let left = starts;
  for (const { cursor, offset } of others) {
    if (left.length === 0) break;
    const positions = cursor.in(document);
    if (!budget.spend(positions.length + STEPS_OF_DOCUMENT)) return null;
    left = startsIn(left, positions, offset);
  }
  return left;
}

/** Possible starts of phrases with one of these terms at `offset`, among the remaining `places`. */
function placesOf(
  slot: Slot,
  offset: number,
  candidates: Bitset,
  places: Map<number, number[]> | null,
  budget: CostBudget,
): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const postings of slot) {
    if (!budget.spend(postings.documentCount)) break;
    let cursor: PositionCursor | null = null;
    const { documents } = postings.list();
    for (let place = 0; place < documents.length; place++) {
      const document = documents[place] as number;
      if (!has(candidates, document)) continue;
      cursor ??= postings.positions();
      const positions = cursor.in(document);
      if (!budget.spend(positions.length + STEPS_OF_DOCUMENT + STEPS_OF_PLACES)) break;
      const before = places?.get(document);
      const starts = before === undefined ? startsOf(positions, offset) : startsIn(before, positions, offset);
      if (starts.length === 0) continue;
      const others = found.get(document);
      if (others === undefined) found.set(document, starts);
      else for (const start of starts) others.push(start);
    }
    cursor?.close();
  }
  for (const starts of found.values()) starts.sort((a, b) => a - b);
  return found;
}

function startsOf(positions: Uint32Array, offset: number): number[] {
  const starts: number[] = [];
  for (const position of positions) if (position >= offset) starts.push(position - offset);
  return starts;
}

/** The `starts` with one of `positions` at `offset`; both ascending. */
function startsIn(starts: ArrayLike<number>, positions: Uint32Array, offset: number): number[] {
  let found = NO_STARTS;
  let index = 0;
  for (let place = 0; place < positions.length; place++) {
    const wanted = (positions[place] as number) - offset;
    index = gallop(starts, index, wanted);
    if (index === starts.length) break;
    if (starts[index] !== wanted) continue;
    if (found === NO_STARTS) found = [wanted];
    else found.push(wanted);
  }
  return found;
}

/** Shared: in most documents the two rarest words are not adjacent. Immutable. */
const NO_STARTS: number[] = [];
