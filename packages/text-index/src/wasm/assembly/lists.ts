// Sorts the terms of documents and encodes posting lists, see `PostingListWriter`. This is AssemblyScript: in JavaScript it
// takes twice the time.

import {
  BLOCK_DOCUMENTS,
  GROUP_DOCUMENTS,
  GROUPS_OF_BLOCK,
  MOST_LISTS,
  NUMBERS_OF_LIST,
  POSITION_GAP,
} from "../constants";
import { riceParameter } from "./blocks";
import { reach } from "./memory";

/** Takes the next bytes of an area. */
declare function takePostings(address: usize, length: i32): void;
declare function takePositions(address: usize, length: i32): void;

/** Documents of the block, and how often each has the term. */
const blockDocuments = memory.data(4 * BLOCK_DOCUMENTS, 16);
const blockFrequencies = memory.data(4 * BLOCK_DOCUMENTS, 16);

/** Where the positions of each group begin, in bits from those of the block. */
const groupStarts = memory.data(4 * GROUPS_OF_BLOCK, 16);

/** Bytes that are written next, and what is written over their end before that is noticed. */
const OUT_BYTES = 1 << 15;
const SLACK = 1 << 13;
const postingsOut = memory.data(OUT_BYTES + SLACK, 16);
const positionsOut = memory.data(OUT_BYTES + SLACK, 16);
/** The bits of one block of documents: its differences in Rice's code, and frequencies of at most 61 bits. */
const blockOut = memory.data(SLACK, 16);
let postingsEnd = postingsOut;
/** Bytes of the areas that were taken. */
let postingsTaken = 0;
let positionsTaken = 0;

/** The next bit of the positions, counted from address 0, as everywhere here; and where they are handed over. */
let positionsEnd: u64 = 0;
const POSITIONS_LIMIT = u64(positionsOut + OUT_BYTES) << 3;
/** Written at a time: of 64 bits that are stored, up to seven belong to what was written before. */
const MOST_BITS = 56;

/** Of the list: where it begins, and what there is of it. */
let listPostings = 0;
let listPositions = 0;
let documentCount = 0;
let hasPositions = false;
/** Of the block: the document after the last one before it, where its positions begin, and how many documents it has. */
let blockStart = 0;
let blockPositions = 0;
let inBlock = 0;

const LIST_BYTES = 4 * NUMBERS_OF_LIST;
const lists = memory.data(LIST_BYTES * MOST_LISTS, 16);

/** The terms of all documents by number, one after the other; behind them what is made for a segment. */
const terms = (__heap_base + 15) & ~15;
let documents = 0;
let lengths: usize = 0;
let starts: usize = 0;
let order: usize = 0;
let ends: usize = 0;
let sorted: usize = 0;
/** What of it is encoded. */
let encoded = 0;

export function addressOfTerms(): usize {
  return terms;
}

export function addressOfLengths(): usize {
  return lengths;
}

export function addressOfStarts(): usize {
  return starts;
}

export function addressOfOrder(): usize {
  return order;
}

/** Makes room for the positions of a document that is added, and tells where. */
export function roomForPositions(count: i32): usize {
  allocate(sorted, count);
  return sorted;
}

export function addressOfLists(): usize {
  return lists;
}

/** Makes room for so many terms of documents. */
export function reserve(termCount: i32): void {
  allocate(terms, termCount);
}

/**
 * Begins a segment: makes room for the lengths of its documents, which are to be filled in; and for the place at which
 * each begins, the place behind the last one, and the order of different terms, where there is anything to be sorted.
 */
export function begin(documentTotal: i32, termCount: i32, differentTerms: i32): void {
  documents = documentTotal;
  lengths = terms + 4 * termCount;
  starts = allocate(lengths, documentTotal);
  order = allocate(starts, documentTotal + 1);
  ends = allocate(order, differentTerms);
  sorted = allocate(ends, differentTerms);
  allocate(sorted, 2 * termCount);
  postingsEnd = postingsOut;
  postingsTaken = 0;
  positionsEnd = u64(positionsOut) << 3;
  store<u8>(positionsOut, 0);
  positionsTaken = 0;
  beginList();
}

/** Room for numbers from an address on. Returns its end. */
function allocate(address: usize, count: i32): usize {
  const end = u64(address) + 4 * u64(u32(count));
  reach(end);
  return usize(end);
}

/**
 * Sorts all terms as `order` says: counting them is all it takes, since the numbers have no gaps. What is sorted is the
 * position in the document and the document, so that nothing has to be looked up for them again.
 */
export function sort(termCount: i32, differentTerms: i32): void {
  memory.fill(ends, 0, 4 * differentTerms);
  encoded = 0;
  for (let place = 0; place < termCount; place++) {
    const term = load<u32>(terms + 4 * place);
    if (term !== u32(POSITION_GAP)) store<i32>(ends + 4 * term, load<i32>(ends + 4 * term) + 1);
  }
  let sum = 0;
  for (let index = 0; index < differentTerms; index++) {
    const term = load<i32>(order + 4 * index);
    const count = load<i32>(ends + 4 * term);
    store<i32>(ends + 4 * term, sum);
    sum += count;
  }
  for (let document = 0; document < documents; document++) {
    const start = load<i32>(starts + 4 * document);
    const end = load<i32>(starts + 4 * document, 4);
    for (let place = start; place < end; place++) {
      const term = load<u32>(terms + 4 * place);
      if (term === u32(POSITION_GAP)) continue;
      const at = load<i32>(ends + 4 * term);
      store<u64>(sorted + 8 * at, (u64(document) << 32) | u64(place - start));
      store<i32>(ends + 4 * term, at + 1);
    }
  }
}

/** Encodes the lists of the terms from one place in their order to another, at most `MOST_LISTS`. */
export function encode(from: i32, to: i32): void {
  for (let index = from; index < to; index++) {
    const end = load<i32>(ends + 4 * load<i32>(order + 4 * index));
    while (encoded < end) encodeBlock(end);
    endList(index - from);
  }
}

/** Encodes the next documents of a list, which ends there, as many as belong to one block. */
function encodeBlock(end: i32): void {
  if (inBlock > 0) endBlock();
  let at = encoded;
  let bit = positionsEnd;
  let count = 0;
  for (; at < end && count < BLOCK_DOCUMENTS; count++) {
    const document = load<i32>(sorted + 8 * at, 4);
    const length = load<i32>(lengths + 4 * document);
    const textEnd = (u64(document) << 32) | u64(length);
    let behind = at;
    while (behind < end && load<u64>(sorted + 8 * behind) < textEnd) behind++;
    store<i32>(blockDocuments + 4 * count, document);
    store<i32>(blockFrequencies + 4 * count, behind - at);
    if (count % GROUP_DOCUMENTS === 0) beginGroup(count, bit);
    // A field has no position.
    if (behind === at) behind++;
    else bit = writePositions(bit, sorted + 8 * at, 8, behind - at, length);
    at = behind;
  }
  hasPositions = load<i32>(blockFrequencies) > 0;
  inBlock = count;
  documentCount += count;
  positionsEnd = bit;
  encoded = at;
}

/** Adds a document to the list, which has the term so often, at the positions for which room was made. None: a field. */
export function add(document: i32, times: i32): void {
  if (inBlock === BLOCK_DOCUMENTS) endBlock();
  store<i32>(blockDocuments + 4 * inBlock, document);
  store<i32>(blockFrequencies + 4 * inBlock, times);
  inBlock++;
  documentCount++;
  if (times === 0) return;
  hasPositions = true;
  if (inBlock % GROUP_DOCUMENTS === 1) beginGroup(inBlock - 1, positionsEnd);
  positionsEnd = writePositions(positionsEnd, sorted, 4, times, load<i32>(lengths + 4 * document));
}

/** Ends the list and tells of it in `lists`. */
export function endList(index: i32): void {
  alignPositions();
  const end = encodeDocuments(riceParameter(documents - blockStart - inBlock, max(1, inBlock)));
  appendBlock(bytesOfBlock(end));
  const list = lists + LIST_BYTES * index;
  store<i32>(list, 2 * documentCount + i32(hasPositions));
  store<i32>(list, postingsLength() - listPostings, 4);
  store<i32>(list, positionsLength() - listPositions, 8);
  beginList();
}

/** Hands over what is left. */
export function finish(): void {
  flushPostings();
  flushPositions();
}

function beginList(): void {
  listPostings = postingsLength();
  listPositions = positionsLength();
  blockPositions = listPositions;
  blockStart = 0;
  inBlock = 0;
  documentCount = 0;
  hasPositions = false;
}

function endBlock(): void {
  alignPositions();
  const end = load<i32>(blockDocuments + 4 * (BLOCK_DOCUMENTS - 1)) + 1;
  const spare = end - blockStart - BLOCK_DOCUMENTS;
  writeVarint(spare);
  const positionsBytes = positionsLength() - blockPositions;
  let bit = encodeDocuments(riceParameter(spare, BLOCK_DOCUMENTS));
  if (hasPositions) bit = writeGroups(bit, positionsBytes);
  const bitsLength = bytesOfBlock(bit);
  writeVarint(bitsLength);
  if (hasPositions) writeVarint(positionsBytes);
  appendBlock(bitsLength);
  blockPositions = positionsLength();
  blockStart = end;
  inBlock = 0;
}

/** Notes down where the positions of documents from a place in the block on begin. */
function beginGroup(place: i32, bit: u64): void {
  const start = (u64(positionsTaken - blockPositions) << 3) + bit - (u64(positionsOut) << 3);
  store<u32>(groupStarts + 4 * (place / GROUP_DOCUMENTS), u32(start));
}

/** Writes where the positions of the groups but the first one begin, all in as many bits as the last bit of them takes. */
function writeGroups(start: u64, positionsBytes: i32): u64 {
  const bits = 32 - i32(clz(u32(8 * positionsBytes)));
  let bit = start;
  for (let group = 1; group < GROUPS_OF_BLOCK; group++) {
    bit = write(bit, load<u32>(groupStarts + 4 * group), bits);
  }
  return bit;
}

function bytesOfBlock(bit: u64): i32 {
  return i32(((bit + 7) >> 3) - blockOut);
}

/** Writes the documents of the block to `blockOut`. Returns the next bit. */
function encodeDocuments(rice: i32): u64 {
  store<u8>(blockOut, 0);
  let bit = u64(blockOut) << 3;
  let next = blockStart;
  for (let index = 0; index < inBlock; index++) {
    const document = load<i32>(blockDocuments + 4 * index);
    bit = writeRice(bit, document - next, rice);
    next = document + 1;
    if (hasPositions) bit = writeGamma(bit, load<i32>(blockFrequencies + 4 * index));
  }
  return bit;
}

function appendBlock(length: i32): void {
  memory.copy(postingsEnd, blockOut, length);
  postingsEnd += length;
  if (postingsEnd >= postingsOut + OUT_BYTES) flushPostings();
}

function postingsLength(): i32 {
  return postingsTaken + i32(postingsEnd - postingsOut);
}

/** All bits of it are written. */
function positionsLength(): i32 {
  return positionsTaken + i32(usize(positionsEnd >> 3) - positionsOut);
}

function flushPostings(): void {
  takePostings(postingsOut, i32(postingsEnd - postingsOut));
  postingsTaken = postingsLength();
  postingsEnd = postingsOut;
}

/** Hands over all bytes that are full. */
function flushPositions(): void {
  const end = usize(positionsEnd >> 3);
  takePositions(positionsOut, i32(end - positionsOut));
  positionsTaken = positionsLength();
  store<u8>(positionsOut, load<u8>(end));
  positionsEnd = (u64(positionsOut) << 3) | (positionsEnd & 7);
}

/** Fills the last byte up with zeros. */
function alignPositions(): void {
  positionsEnd = (positionsEnd + 7) & ~7;
  if (positionsEnd >= POSITIONS_LIMIT) flushPositions();
  store<u8>(usize(positionsEnd >> 3), 0);
}

/**
 * Writes the positions of a document, see `readPositions`. Returns the next bit.
 *
 * @param step bytes from one position to the next.
 */
function writePositions(start: u64, from: usize, step: i32, count: i32, length: i32): u64 {
  if (count === 1) return checked(writeBelow(start, load<i32>(from), length));
  const rice = riceParameter(length - count, count);
  const mask = (1 << rice) - 1;
  let bit = start;
  let next = 0;
  for (let at = 0; at < count; at++) {
    const position = load<i32>(from + step * at);
    const gap = position - next;
    next = position + 1;
    const bits = (gap >> rice) + 1 + rice;
    if (bits > MOST_BITS) bit = writeZeros(bit, bits - MOST_BITS);
    bit = checked(write(bit, (1 << rice) | (gap & mask), min(bits, MOST_BITS)));
  }
  return bit;
}

/** Writes any number of zeros: as many as a term comes without a gap, and then not for long. */
function writeZeros(start: u64, count: i32): u64 {
  let bit = start;
  for (let left = count; left > 0; left -= MOST_BITS) bit = checked(write(bit, 0, min(left, MOST_BITS)));
  return bit;
}

/** Hands positions over where there is no room for many more. */
function checked(bit: u64): u64 {
  return bit < POSITIONS_LIMIT ? bit : flushed(bit);
}

function flushed(bit: u64): u64 {
  positionsEnd = bit;
  flushPositions();
  return positionsEnd;
}

/** Writes a number below `limit`, all of which are as likely. Returns the next bit, as all of these do. */
function writeBelow(bit: u64, value: i32, limit: i32): u64 {
  const bits = 32 - i32(clz(u32(limit - 1)));
  const short = (1 << bits) - limit;
  const isShort = i32(value < short);
  return write(bit, value + (isShort ? 0 : short), bits - isShort);
}

/** The bits above the parameter in unary, those below as they are. */
function writeRice(bit: u64, value: i32, rice: i32): u64 {
  return writeLong(bit, (1 << rice) | (value & ((1 << rice) - 1)), (value >> rice) + 1 + rice);
}

/** Elias' gamma code: few bits for small numbers, from 1 on. */
function writeGamma(bit: u64, value: i32): u64 {
  return writeLong(bit, value, 63 - 2 * i32(clz(u32(value))));
}

/** Writes a number of at most 32 bits behind so many zeros that together they are `bits`. */
function writeLong(bit: u64, value: u32, bits: i32): u64 {
  let at = bit;
  for (let zeros = bits - MOST_BITS; zeros > 0; zeros -= MOST_BITS) at = write(at, 0, min(zeros, MOST_BITS));
  return write(at, value, min(bits, MOST_BITS));
}

/**
 * Writes bits, the highest first. What follows them in the eight bytes that are stored is 0, so that the next bits can be
 * added to those of the last byte.
 *
 * @param bits at most `MOST_BITS`.
 */
function write(bit: u64, value: u32, bits: i32): u64 {
  const at = usize(bit >> 3);
  const high = u64(value) << (64 - (bit & 7) - bits);
  const swapped = i8x16.shuffle(i64x2.splat(high), i64x2.splat(0), 7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0);
  store<u64>(at, u64(i64x2.extract_lane(swapped, 0)) | u64(load<u8>(at)));
  return bit + bits;
}

function writeVarint(value: i32): void {
  let rest = u32(value);
  for (; rest >= 0x80; rest >>= 7) store<u8>(postingsEnd++, (rest & 0x7f) | 0x80);
  store<u8>(postingsEnd++, rest);
}
