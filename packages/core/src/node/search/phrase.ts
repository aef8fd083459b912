import type { PositionCursor, Postings } from "../postings/segment.ts";
import type { Allowance } from "./allowance.ts";
import { add, type Bitset, countOf, documentsOf, has, intersect } from "./bitset.ts";

/** To come to the positions of a term in a document, those of other documents are read over. */
const STEPS_OF_DOCUMENT = 20;
/** To remember where a phrase may begin in a document. */
const STEPS_OF_PLACES = 20;

/** One place of a phrase: any of these terms stands there. */
export type Slot = readonly Postings[];

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
 * Slots of one term are compared document by document, so that phrases of common words take no memory; then follow
 * those of many terms, one term after the other, against the places that are left.
 */
export function matchPhrase(slots: readonly Slot[], mask: Bitset, allowance: Allowance, onMatch: OnMatch): void {
  const [first] = slots;
  if (slots.length === 1 && first !== undefined) {
    matchAny(first, mask, allowance, onMatch);
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
    const narrowed = narrow(lists, mask, allowance);
    if (narrowed === null) return;
    if (open.length === 0) {
      walkTogether(single, narrowed, allowance, (document, starts) => onMatch(document, starts.length));
      return;
    }
    const found = new Map<number, number[]>();
    walkTogether(single, narrowed, allowance, (document, starts) => found.set(document, starts));
    places = found;
  }
  for (const { slot, offset } of open) {
    places = placesOf(slot, offset, places === null ? mask : bitsetOf(places, mask.length), places, allowance);
  }
  for (const [document, starts] of places ?? []) onMatch(document, starts.length);
}

function bitsetOf(places: ReadonlyMap<number, unknown>, words: number): Bitset {
  const bits = new Uint32Array(words);
  for (const document of places.keys()) add(bits, document);
  return bits;
}

/** A phrase of one place. */
function matchAny(slot: Slot, mask: Bitset, allowance: Allowance, onMatch: OnMatch): void {
  for (const postings of slot) {
    if (!allowance.spend(postings.documentCount)) return;
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

/** The documents that are left, and the lists that were decoded together with their positions, by offset of the slot. */
interface Narrowed {
  documents: Uint32Array;
  decoded: ReadonlyMap<number, PositionCursor>;
}

/** Sets that each phrase fills anew: to make some for each keeps the garbage collector busy. */
const spare: [Bitset, Bitset] = [new Uint32Array(0), new Uint32Array(0)];

function spareBitset(number: 0 | 1, words: number): Bitset {
  if (spare[number].length < words) spare[number] = new Uint32Array(words);
  return spare[number].subarray(0, words);
}

/** Narrows `mask` down by one slot after the other until few are left; `null` where that would take too long. */
function narrow(placed: readonly PlacedSlot[], mask: Bitset, allowance: Allowance): Narrowed | null {
  if (placed.some(({ documentCount }) => documentCount === 0)) return null;
  const decoded = new Map<number, PositionCursor>();
  let candidates = spareBitset(0, mask.length);
  let found = spareBitset(1, mask.length);
  candidates.set(mask);
  let count = countOf(mask);
  for (const { slot, offset, documentCount } of placed) {
    // Where few are left, they are looked up when their positions are compared; only a set that is known costs less.
    const mayDecode = count * DECODED_BY_LOOKUP >= documentCount;
    if (mayDecode && !allowance.spend(documentCount)) return null;
    const [only] = slot.length === 1 ? slot : [];
    // Of the two rarest terms, positions are compared in all documents that are left.
    const room = decoded.size;
    const whole = mayDecode && (room === 0 || room === 1) ? only?.whole(room) : null;
    const set = whole ? null : only?.set(mayDecode);
    if (set) {
      intersect(candidates, set);
      count = countOf(candidates);
    } else if (mayDecode) {
      found.fill(0);
      count = 0;
      if (whole) {
        decoded.set(offset, whole);
        count = addCommon(found, candidates, whole.documents);
      } else for (const postings of slot) count += addCommon(found, candidates, postings.list().documents);
      [candidates, found] = [found, candidates];
    }
  }
  return { documents: documentsOf(candidates), decoded };
}

/** Adds those of `documents` that are candidates. @returns how many there are. */
function addCommon(found: Bitset, candidates: Bitset, documents: Uint32Array): number {
  let count = 0;
  for (let place = 0; place < documents.length; place++) {
    // Casts: all documents have a bit.
    const document = documents[place] as number;
    const word = document >>> 5;
    const bit = ((candidates[word] as number) >>> (document & 31)) & 1;
    found[word] = (found[word] as number) | (bit << (document & 31));
    count += bit;
  }
  return count;
}

/** Compares slots of one term in each document. */
function walkTogether(
  placed: readonly PlacedSlot[],
  { documents, decoded }: Narrowed,
  allowance: Allowance,
  onStarts: (document: number, starts: number[]) => void,
): void {
  const cursors = placed.flatMap(({ slot, offset }) =>
    slot.map((term) => ({ cursor: decoded.get(offset) ?? term.positions(), offset })),
  );
  const [first, ...others] = cursors;
  if (first === undefined) return;
  for (const document of documents) {
    const positions = first.cursor.in(document);
    if (!allowance.spend(positions.length + STEPS_OF_DOCUMENT)) return;
    let starts: number[] | null = null;
    for (const { cursor, offset } of others) {
      const next = cursor.in(document);
      if (!allowance.spend(next.length + STEPS_OF_DOCUMENT)) return;
      starts = starts === null ? startsIn(positions, first.offset, next, offset) : startsIn(starts, 0, next, offset);
      if (starts.length === 0) break;
    }
    starts ??= startsOf(positions, first.offset);
    if (starts.length > 0) onStarts(document, starts);
  }
}

/** Where phrases may begin that have one of these terms at `offset`, among the `places` that are left. */
function placesOf(
  slot: Slot,
  offset: number,
  candidates: Bitset,
  places: Map<number, number[]> | null,
  allowance: Allowance,
): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const postings of slot) {
    if (!allowance.spend(postings.documentCount)) break;
    let cursor: PositionCursor | null = null;
    const { documents } = postings.list();
    for (let place = 0; place < documents.length; place++) {
      const document = documents[place] as number;
      if (!has(candidates, document)) continue;
      cursor ??= postings.positions();
      const positions = cursor.in(document);
      if (!allowance.spend(positions.length + STEPS_OF_DOCUMENT + STEPS_OF_PLACES)) break;
      const before = places?.get(document);
      const starts = before === undefined ? startsOf(positions, offset) : startsIn(before, 0, positions, offset);
      if (starts.length === 0) continue;
      const others = found.get(document);
      if (others === undefined) found.set(document, starts);
      else for (const start of starts) others.push(start);
    }
  }
  for (const starts of found.values()) starts.sort((a, b) => a - b);
  return found;
}

function startsOf(positions: Uint32Array, offset: number): number[] {
  const starts: number[] = [];
  for (const position of positions) if (position >= offset) starts.push(position - offset);
  return starts;
}

/** Those of `starts`, which stand at `from`, that have one of `positions` at `offset`; both ascend. */
function startsIn(starts: ArrayLike<number>, from: number, positions: Uint32Array, offset: number): number[] {
  let found = NO_STARTS;
  let index = 0;
  for (let place = 0; place < positions.length; place++) {
    const wanted = (positions[place] as number) - offset + from;
    index = indexFrom(starts, index, wanted);
    if (index === starts.length) break;
    if (starts[index] !== wanted || wanted < from) continue;
    if (found === NO_STARTS) found = [wanted - from];
    else found.push(wanted - from);
  }
  return found;
}

/**
 * The first of `numbers` from `index` on that is not less than `wanted`, in steps that grow: a text may have a common
 * word very often, and be asked for each of very many words whether it stands behind it.
 */
function indexFrom(numbers: ArrayLike<number>, index: number, wanted: number): number {
  let low = index;
  let step = 1;
  while (low + step <= numbers.length && (numbers[low + step - 1] as number) < wanted) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step - 1, numbers.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** In most documents the two rarest words are apart already. Never changed. */
const NO_STARTS: number[] = [];
