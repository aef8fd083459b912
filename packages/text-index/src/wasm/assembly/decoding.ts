// Decodes posting lists and compares the positions of two of them, see `ListDecoder`. This is AssemblyScript: it reads
// eight bytes at a time, and is as fast in its first search as in the thousandth.

import { BLOCK_DOCUMENTS, GROUP_DOCUMENTS, GROUPS_OF_BLOCK } from "../constants";
import { riceParameter } from "./blocks";
import {
  at,
  lengthOfBits,
  load64,
  MOST_AT_ONCE,
  PADDING,
  readLongGamma,
  readLongRice,
  readPositions,
  readVarint,
  value,
} from "./decoding/numbers";
import { reach } from "./memory";

const NONE = -1;
const NO_SET: usize = 0;
/** Of the last block of a list it is not told where its groups begin. */
const NO_GROUP: u32 = 0xffffffff;

/** What a list has, in four bytes each, and what of it was read. */
const POSTINGS = 0;
const POSTINGS_LENGTH = 4;
const POSITIONS = 8;
const POSITIONS_LENGTH = 12;
const DOCUMENT_COUNT = 16;
const DOCUMENTS = 20;
const FREQUENCIES = 24;
/** Where the positions of each block begin, and where those of the last one end. */
const BORDERS = 28;
/** Where the positions of each group of documents begin, in bits from those of its block. */
const GROUPS = 32;
/** Of the positions: the block that is read, the place whose positions come next, and where they are. */
const BLOCK = 36;
const NEXT = 40;
const BIT = 48;
const LIST_BYTES = 56;

/** Two lists that are compared, and one that is decoded beside them. */
const FIRST = memory.data(LIST_BYTES, 16);
const SECOND = memory.data(LIST_BYTES, 16);
const SINGLE = memory.data(LIST_BYTES, 16);

/** The lengths of documents stand before all else, since they stay. */
const heap = (__heap_base + 15) & ~15;
let lengthsEnd: usize = heap;
/** The documents that both lists have, and their places in each: three numbers for every document. */
let common: usize = heap;
const COMMON_BYTES = 12;
/** Behind the lists that are compared. */
let pairEnd: usize = heap;
let set: usize = heap;

/** Of the block that is decoded: the bit after its documents. */
let documentsEnd: u64 = 0;
/** Of `compare`: what it has taken, and where what it has found ends. */
let taken = 0;
let out: usize = heap;

/** Where the bytes of a list are to be filled in. */
export function addressOfPostings(number: i32): usize {
  return load<usize>(listOf(number), POSTINGS);
}

export function addressOfPositions(number: i32): usize {
  return load<usize>(listOf(number), POSITIONS);
}

/** What is decoded of a list. */
export function addressOfDocuments(number: i32): usize {
  return load<usize>(listOf(number), DOCUMENTS);
}

export function addressOfFrequencies(number: i32): usize {
  return load<usize>(listOf(number), FREQUENCIES);
}

/** What `join` has found: a document and its places in both lists, one after the other. */
export function addressOfCommon(): usize {
  return common;
}

/** Of what `compare` has found: a document, how often the phrase may begin there, and where, one after the other. */
export function addressOfFound(): usize {
  return pairEnd;
}

export function endOfFound(): usize {
  return out;
}

export function stepsTaken(): i32 {
  return taken;
}

/** Makes room for the lengths of a segment's documents, and tells where. What was placed before is lost. */
export function keepLengths(documentTotal: i32): usize {
  const address = lengthsEnd;
  lengthsEnd = allocate(address, 4 * documentTotal);
  pairEnd = lengthsEnd;
  return address;
}

/** Forgets all lengths. */
export function forget(): void {
  lengthsEnd = heap;
  pairEnd = heap;
}

/** Makes room for a list: for the second one behind the first, and for the single one behind both. */
export function place(number: i32, documentCount: i32, postingsLength: i32, positionsLength: i32): void {
  const list = listOf(number);
  const start = number === 0 ? lengthsEnd : number === 1 ? common : pairEnd;
  const positions = allocate(start, postingsLength + PADDING);
  // Of a single list, positions are not asked for.
  const positionsRoom = list === SINGLE ? 0 : positionsLength;
  const documents = allocate(positions, positionsRoom + PADDING);
  const frequencies = allocate(documents, 4 * documentCount);
  const borders = allocate(frequencies, 4 * documentCount);
  const blocks = (documentCount + BLOCK_DOCUMENTS - 1) / BLOCK_DOCUMENTS;
  const groups = allocate(borders, 4 * (blocks + 1));
  const end = allocate(groups, 4 * GROUPS_OF_BLOCK * blocks);
  store<usize>(list, start, POSTINGS);
  store<i32>(list, postingsLength, POSTINGS_LENGTH);
  store<usize>(list, positions, POSITIONS);
  store<i32>(list, positionsLength, POSITIONS_LENGTH);
  store<i32>(list, documentCount, DOCUMENT_COUNT);
  store<usize>(list, documents, DOCUMENTS);
  store<usize>(list, frequencies, FREQUENCIES);
  store<usize>(list, borders, BORDERS);
  store<usize>(list, groups, GROUPS);
  store<u64>(start + postingsLength, 0);
  store<u64>(positions + positionsRoom, 0);
  if (list === SINGLE) set = end;
  else common = end;
}

/** Room for bytes from an address on. Returns its end, where the next room may begin. */
function allocate(address: usize, bytes: i32): usize {
  const end = (u64(address) + u64(u32(bytes)) + 15) & ~15;
  reach(end);
  return usize(end);
}

function listOf(number: i32): usize {
  return number === 0 ? FIRST : number === 1 ? SECOND : SINGLE;
}

/** Decodes the documents of a list and how often they have the term. Returns whether it is sound. */
export function decode(number: i32, documentTotal: i32, hasPositions: bool): bool {
  const list = listOf(number);
  return decodeBlocks(list, load<i32>(list, DOCUMENT_COUNT), documentTotal, hasPositions, NO_SET);
}

/**
 * Decodes the single list, which was placed with room for a block, as a set. Returns where that is, and 0 where the list
 * is not sound. As a list, what many documents have would take ten times the memory, and push what else a search
 * needs out of the processor's cache.
 */
export function decodeSet(documentCount: i32, documentTotal: i32, hasPositions: bool): usize {
  const bytes = 4 * ((documentTotal + 31) >> 5);
  allocate(set, bytes);
  memory.fill(set, 0, bytes);
  return decodeBlocks(SINGLE, documentCount, documentTotal, hasPositions, set) ? set : 0;
}

/** @param intoSet where a set is to be filled, instead of keeping the documents of more than a block. */
function decodeBlocks(list: usize, count: i32, documentTotal: i32, hasPositions: bool, intoSet: usize): bool {
  const isSet = intoSet !== NO_SET;
  const documents = load<usize>(list, DOCUMENTS);
  const frequencies = load<usize>(list, FREQUENCIES);
  const postings = load<usize>(list, POSTINGS);
  const length = load<i32>(list, POSTINGS_LENGTH);
  const positionsLength = u64(load<u32>(list, POSITIONS_LENGTH));
  const borders = load<usize>(list, BORDERS);
  const groups = load<usize>(list, GROUPS);
  const end = postings + length;
  let next = postings;
  let start: u64 = 0;
  let border: u64 = 0;
  let from = 0;
  let block = 0;
  while (from < count) {
    if (!isSet) store<u32>(borders + 4 * block, u32(border));
    const isLast = count - from <= BLOCK_DOCUMENTS;
    const inBlock = isLast ? count - from : BLOCK_DOCUMENTS;
    let bytes: u64 = 0;
    let blockEnd: u64 = documentTotal;
    let positionsBytes: u64 = 0;
    if (!isLast) {
      next = readVarint(next);
      blockEnd = start + BLOCK_DOCUMENTS + value;
      next = readVarint(next);
      bytes = value;
      if (hasPositions) {
        next = readVarint(next);
        positionsBytes = value;
      }
    } else {
      bytes = u64(end - next);
      positionsBytes = positionsLength - border;
    }
    if (next > end || bytes > u64(end - next) || blockEnd > u64(documentTotal)) return false;
    if (positionsBytes > positionsLength - border || blockEnd < start + inBlock) return false;
    const lastBit = (u64(next) + bytes) << 3;
    const firstBit = u64(next) << 3;
    const room = isSet ? 0 : 4 * from;
    const documentsAt = documents + room;
    const frequenciesAt = frequencies + room;
    if (!decodeBlock(documentsAt, frequenciesAt, inBlock, start, blockEnd, firstBit, lastBit, hasPositions)) {
      return false;
    }
    if (isSet) addToSet(intoSet, documents, inBlock);
    else {
      const groupsAt = groups + 4 * GROUPS_OF_BLOCK * block;
      if (isLast || !hasPositions) memory.fill(groupsAt, 0xff, 4 * GROUPS_OF_BLOCK);
      else if (!decodeGroups(groupsAt, positionsBytes, lastBit)) return false;
    }
    border += positionsBytes;
    next += usize(bytes);
    start = blockEnd;
    from += inBlock;
    block++;
  }
  if (!isSet) store<u32>(borders + 4 * block, u32(border));
  return true;
}

/** Decodes `count` documents of a list. */
function decodeBlock(
  documentsAt: usize,
  frequenciesAt: usize,
  count: i32,
  start: u64,
  end: u64,
  firstBit: u64,
  lastBit: u64,
  hasFrequencies: bool,
): bool {
  let documents = documentsAt;
  let frequencies = frequenciesAt;
  const behind = documents + 4 * count;
  const rice = riceParameter(i32(end - start) - count, count);
  let document = start;
  let bit = firstBit;
  for (; documents < behind; documents += 4, frequencies += 4) {
    if (bit > lastBit) return false;
    const bits = load64(bit);
    const zeros = clz(bits);
    let used = zeros + 1 + rice;
    let rest = bits << used;
    if (used <= MOST_AT_ONCE) document += (zeros << rice) | (((bits << (zeros + 1)) >> 1) >> (63 - rice));
    else {
      if (!readLongRice(bit, rice, lastBit)) return false;
      document += value;
      bit = at;
      used = 0;
      rest = load64(bit);
    }
    store<u32>(documents, u32(document++));
    if (!hasFrequencies) {
      store<u32>(frequencies, 1);
      bit += used;
      continue;
    }
    // Frequencies come without order: to branch for each length would take as long as all the rest.
    const short = 2 * clz(rest) + 1;
    if (used + short <= MOST_AT_ONCE) {
      store<u32>(frequencies, u32(rest >> (64 - short)));
      bit += used + short;
    } else {
      if (!readLongGamma(bit + used, lastBit)) return false;
      store<u32>(frequencies, u32(value));
      bit = at;
    }
  }
  documentsEnd = bit;
  return bit <= lastBit && document <= end;
}

/** Reads where the positions of each group of a block begin. */
function decodeGroups(groups: usize, positionsBytes: u64, lastBit: u64): bool {
  const bits = lengthOfBits(u32(8 * positionsBytes));
  let bit = documentsEnd;
  store<u32>(groups, 0);
  for (let group = 1; group < GROUPS_OF_BLOCK; group++) {
    if (bit > lastBit) return false;
    store<u32>(groups + 4 * group, bits === 0 ? 0 : u32(load64(bit) >> (64 - bits)));
    bit += bits;
  }
  return bit <= lastBit;
}

/** Adds `count` documents to a set. */
function addToSet(into: usize, documents: usize, count: i32): void {
  const end = documents + 4 * count;
  for (let place = documents; place < end; place += 4) {
    const document = load<u32>(place);
    const word = into + 4 * (document >> 5);
    store<u32>(word, load<u32>(word) | (1 << (document & 31)));
  }
}

/** Finds the documents that both lists have. Returns how many these are. */
export function join(): i32 {
  let first = load<usize>(FIRST, DOCUMENTS);
  let second = load<usize>(SECOND, DOCUMENTS);
  const firstStart = first;
  const secondStart = second;
  const firstEnd = first + 4 * load<i32>(FIRST, DOCUMENT_COUNT);
  const secondEnd = second + 4 * load<i32>(SECOND, DOCUMENT_COUNT);
  const most = min(load<i32>(FIRST, DOCUMENT_COUNT), load<i32>(SECOND, DOCUMENT_COUNT));
  pairEnd = allocate(common, COMMON_BYTES * (most + 1));
  let end = common;
  // Which of the two comes first cannot be foretold: branches would take longer.
  while (first < firstEnd && second < secondEnd) {
    const document = load<u32>(first);
    const other = load<u32>(second);
    store<u32>(end, document);
    store<i32>(end, i32(first - firstStart) >> 2, 4);
    store<i32>(end, i32(second - secondStart) >> 2, 8);
    end += document === other ? COMMON_BYTES : 0;
    first += document <= other ? 4 : 0;
    second += other <= document ? 4 : 0;
  }
  return i32(end - common) / COMMON_BYTES;
}

/** Makes room for a set of documents behind those that both lists have. Returns where. */
export function placeSet(documentTotal: i32): usize {
  allocate(pairEnd, 4 * ((documentTotal + 31) >> 5));
  return pairEnd;
}

/** Leaves of the first `count` documents that both lists have those that are in the set. Returns how many are left. */
export function narrow(count: i32): i32 {
  const behind = common + COMMON_BYTES * count;
  let end = common;
  for (let documents = common; documents < behind; documents += COMMON_BYTES) {
    const document = load<u32>(documents);
    store<u32>(end, document);
    store<u64>(end, load<u64>(documents, 4), 4);
    end += COMMON_BYTES * ((load<u32>(pairEnd + 4 * (document >> 5)) >> (document & 31)) & 1);
  }
  return i32(end - common) / COMMON_BYTES;
}

/**
 * Compares the positions of both lists in the first `count` documents that both have, as many as may be looked at. Found
 * is where a phrase may begin that has the first term at one offset, and the second one at another.
 *
 * @param lengths of all documents.
 * @param most steps, and how many of them each document takes beside its positions.
 * @returns whether both lists are sound.
 */
export function compare(
  count: i32,
  lengths: usize,
  firstOffset: i32,
  secondOffset: i32,
  most: i32,
  stepsOfDocument: i32,
): bool {
  out = pairEnd;
  taken = 0;
  store<i32>(FIRST, NONE, BLOCK);
  store<i32>(SECOND, NONE, BLOCK);
  for (let index = 0; index < count; index++) {
    const documents = common + COMMON_BYTES * index;
    const firstPlace = load<i32>(documents, 4);
    const secondPlace = load<i32>(documents, 8);
    const first = load<i32>(load<usize>(FIRST, FREQUENCIES) + 4 * firstPlace);
    const second = load<i32>(load<usize>(SECOND, FREQUENCIES) + 4 * secondPlace);
    // The first position may take no bit, where the document has no other term.
    if (first > 1 + 8 * load<i32>(FIRST, POSITIONS_LENGTH)) return false;
    if (second > 1 + 8 * load<i32>(SECOND, POSITIONS_LENGTH)) return false;
    taken += first + second + stepsOfDocument;
    if (taken > most) return true;
    const firstAt = allocate(out, 8 + 4 * first);
    const secondAt = allocate(firstAt, 4 * first);
    allocate(secondAt, 4 * second);
    if (!readPlace(FIRST, firstPlace, lengths, firstAt)) return false;
    if (!readPlace(SECOND, secondPlace, lengths, secondAt)) return false;
    const starts = out + 8;
    let start = starts;
    let one = firstAt;
    let other = secondAt;
    const firstEnd = firstAt + 4 * first;
    const secondEnd = secondAt + 4 * second;
    while (one < firstEnd && other < secondEnd) {
      const begin = load<i32>(one) - firstOffset;
      const otherBegin = load<i32>(other) - secondOffset;
      if (begin === otherBegin && begin >= 0) {
        store<i32>(start, begin);
        start += 4;
      }
      one += 4 * usize(begin <= otherBegin);
      other += 4 * usize(otherBegin <= begin);
    }
    if (start === starts) continue;
    store<u32>(out, load<u32>(documents));
    store<u32>(out, u32(start - starts) >> 2, 4);
    out = start;
  }
  return true;
}

/** Reads the positions at a place that is not before the last one. Returns whether they are sound. */
function readPlace(list: usize, place: i32, lengths: usize, into: usize): bool {
  const borders = load<usize>(list, BORDERS);
  const positions = load<usize>(list, POSITIONS);
  const block = place / BLOCK_DOCUMENTS;
  const start = u64(positions + load<u32>(borders + 4 * block)) << 3;
  const end = u64(positions + load<u32>(borders + 4 * block, 4)) << 3;
  const isBegun = block === load<i32>(list, BLOCK);
  let bit = isBegun ? load<u64>(list, BIT) : start;
  let next = isBegun ? load<i32>(list, NEXT) : block * BLOCK_DOCUMENTS;
  // What stands in groups before that of the place is leapt over.
  const group = place / GROUP_DOCUMENTS;
  const groupStart = load<u32>(load<usize>(list, GROUPS) + 4 * group);
  if (groupStart !== NO_GROUP && next < group * GROUP_DOCUMENTS) {
    next = group * GROUP_DOCUMENTS;
    bit = start + groupStart;
  }
  const documents = load<usize>(list, DOCUMENTS);
  const frequencies = load<usize>(list, FREQUENCIES);
  for (let before = next; before < place; before++) {
    const frequency = load<i32>(frequencies + 4 * before);
    const length = load<i32>(lengths + 4 * load<u32>(documents + 4 * before));
    if (bit > end || frequency > length) return false;
    if (frequency === 1) {
      const bits = lengthOfBits(length - 1);
      const short = (u64(1) << bits) - length;
      // One bit less where the difference is below 0: the short ones come without order, and branches take longer.
      bit += bits - ((((load64(bit) >> 1) >> (64 - bits)) - short) >> 63);
      continue;
    }
    const rice = u64(riceParameter(length - frequency, frequency));
    for (let left = frequency; left > 0; left--) {
      if (bit > end) return false;
      const zeros = clz(load64(bit));
      if (zeros < MOST_AT_ONCE) bit += zeros + 1 + rice;
      else {
        if (!readLongRice(bit, rice, end)) return false;
        bit = at;
      }
    }
  }
  const frequency = load<i32>(frequencies + 4 * place);
  const length = load<i32>(lengths + 4 * load<u32>(documents + 4 * place));
  if (frequency > length || !readPositions(bit, end, frequency, length, into)) return false;
  store<i32>(list, block, BLOCK);
  store<i32>(list, place + 1, NEXT);
  store<u64>(list, at, BIT);
  return true;
}
