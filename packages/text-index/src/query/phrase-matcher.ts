import type { PositionCursor, PostingList } from "../segment/segment.ts";
import { add, type Bitset, documentsOf, has, hasAtLeast, intersect } from "./bitset.ts";
import type { CostBudget } from "./cost-budget.ts";
import { gallop } from "./gallop.ts";

/** To come to the positions of a term in a document, those of other documents are read over. */
const STEPS_OF_DOCUMENT = 20;
/** To remember where a phrase may begin in a document. */
const STEPS_OF_PLACES = 20;

/** One place of a phrase: any of these terms stands there. */
export type Slot = readonly PostingList[];

/** Told of a document and how often something stands in it. */
export type OnMatch = (document: number, frequency: number) => void;

/** A slot with how far it is from the phrase's beginning. */
interface PlacedSlot {
  slot: Slot;
  offset: number;
  documentCount: number;
}

/**
 * Finds the documents of `mask` in which the slots stand one after the other.
 *
 * Slots of one term are compared first: the two rarest together, the others document by document where these stand side
 * by side, so that phrases of common words take little memory. Then follow those of many terms, one term after the other,
 * against the places that are left.
 */
export function matchPhrase(slots: readonly Slot[], mask: Bitset, budget: CostBudget, onMatch: OnMatch): void {
  const [first] = slots;
  if (slots.length === 1 && first !== undefined) {
    matchAny(first, mask, budget, onMatch);
    return;
  }
  const placed = slots
    .map((slot, offset) => ({ slot, offset, documentCount: documentCountOf(slot) }))
    .sort((a, b) => a.documentCount - b.documentCount);
  const single = placed.filter(isSingle);
  const open = placed.filter((each) => !isSingle(each));
  let places: Map<number, number[]> | null = null;
  const [rarest] = single;
  if (rarest !== undefined) {
    const lists = placed.filter((each) => isSingle(each) || each.documentCount < rarest.documentCount);
    const narrowed = narrow(lists, mask, budget);
    if (narrowed === null) return;
    if (open.length === 0) {
      compareSingle(single, narrowed, budget, (document, starts) => onMatch(document, starts.length));
      return;
    }
    const found = new Map<number, number[]>();
    compareSingle(single, narrowed, budget, (document, starts) => found.set(document, Array.from(starts)));
    places = found;
  }
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

/** A phrase of one place. */
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

/** How many documents have a term of the slot, at most. */
export function documentCountOf(slot: Slot): number {
  return slot.reduce((sum, postings) => sum + postings.documentCount, 0);
}

function isSingle({ slot }: PlacedSlot): boolean {
  return slot.length === 1;
}

/** To look a document up in a list costs as much as to decode so many. */
const DECODED_BY_LOOKUP = 16;
/** Sets that each phrase fills anew: to make some for each keeps the garbage collector busy. */
const spare: [Bitset, Bitset] = [new Uint32Array(0), new Uint32Array(0)];

function spareBitset(number: 0 | 1, words: number): Bitset {
  if (spare[number].length < words) spare[number] = new Uint32Array(words);
  return spare[number].subarray(0, words);
}

/**
 * The documents of `mask` that have all slots, as far as it pays to look: narrowed down by one slot after the other until
 * few are left. `null` where that would take too long.
 */
function narrow(placed: readonly PlacedSlot[], mask: Bitset, budget: CostBudget): Uint32Array | null {
  if (placed.some(({ documentCount }) => documentCount === 0)) return null;
  let candidates = spareBitset(0, mask.length);
  let found = spareBitset(1, mask.length);
  candidates.set(mask);
  for (const { slot, documentCount } of placed) {
    // Where few are left, they are looked up when their positions are compared; only a set that is known costs less.
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

/** Adds those of `documents` that are candidates. */
function addCommon(found: Bitset, candidates: Bitset, documents: Uint32Array): void {
  for (let place = 0; place < documents.length; place++) {
    // Casts: all documents have a bit.
    const document = documents[place] as number;
    const word = document >>> 5;
    found[word] = (found[word] as number) | ((candidates[word] as number) & (1 << (document & 31)));
  }
}

/** Told of a document and where in it a phrase may begin. */
type OnStarts = (document: number, starts: ArrayLike<number>) => void;

/** The positions of a term that stands so far from the beginning of a phrase. */
interface PlacedCursor {
  cursor: PositionCursor;
  offset: number;
}

function cursorsOf(placed: readonly PlacedSlot[]): PlacedCursor[] {
  return placed.flatMap(({ slot, offset }) => slot.map((term) => ({ cursor: term.positions(), offset })));
}

/** Compares slots of one term in the documents that are left. */
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

/** Those of `starts` behind which the other terms stand too; `null` where that would take too long. */
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

/** Where phrases may begin that have one of these terms at `offset`, among the `places` that are left. */
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

/** Those of `starts` that have one of `positions` at `offset`; both ascend. */
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

/** In most documents the two rarest words are apart already. Never changed. */
const NO_STARTS: number[] = [];
