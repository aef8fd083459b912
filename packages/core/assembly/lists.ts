// Sorts the terms of documents and encodes posting lists, see `PostingsWriter`. This is AssemblyScript: in JavaScript it
// takes twice the time.

import { reach } from "./memory";

/** Takes the next bytes of an area. */
declare function takePostings(address: usize, length: i32): void;
declare function takePositions(address: usize, length: i32): void;

const BLOCK_DOCUMENTS = 128;
/** Documents of the block, and how often each has the term. */
const blockDocuments = memory.data(4 * BLOCK_DOCUMENTS, 16);
const blockFrequencies = memory.data(4 * BLOCK_DOCUMENTS, 16);

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

/** Where bits are written: the positions, or the documents of a block while it is ended. */
let out = positionsOut;
/** There they are handed over. */
let limit = positionsOut + OUT_BYTES;
let pending: u64 = 0;
/** Fewer than 32: four bytes are written at a time. */
let pendingBits = 0;

/** Of the list: where it begins, and what there is of it. */
let listPostings = 0;
let listPositions = 0;
let documentCount = 0;
let hasPositions = false;
/** Of the block: the document after the last one before it, where its positions begin, and how many documents it has. */
let blockStart = 0;
let blockPositions = 0;
let inBlock = 0;

/** Of the document: what its positions need to be coded. */
let frequency = 0;
let documentLength = 0;
let parameter = 0;
let nextPosition = 0;

const MOST_POSITIONS = 1 << 12;
const positions = memory.data(4 * MOST_POSITIONS, 16);

/** Documents, bytes of postings and of positions of each list; twice the documents, plus one where it has positions. */
const LIST_BYTES = 12;
const MOST_LISTS = 1 << 10;
const lists = memory.data(LIST_BYTES * MOST_LISTS, 16);

/** Stands for no term. */
const BORDER: u32 = 0xffffffff;

/** The terms of all documents by number, one after the other; behind them what is made for a segment. */
const terms = (__heap_base + 15) & ~15;
let documents = 0;
let lengths: usize = 0;
let starts: usize = 0;
let order: usize = 0;
let ends: usize = 0;
let sorted: usize = 0;

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

export function addressOfPositions(): usize {
  return positions;
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
  out = positionsOut;
  positionsTaken = 0;
  pendingBits = 0;
  beginList();
}

/** Room for numbers from an address on. Returns its end. */
function allocate(address: usize, count: i32): usize {
  const end = u64(address) + 4 * u64(u32(count));
  reach(end);
  return usize(end);
}

/**
 * Sorts all terms: counting them is all it takes, since the numbers have no gaps. What is sorted is the position in the
 * document and the document, so that nothing has to be looked up for them again.
 */
export function sort(termCount: i32, differentTerms: i32): void {
  memory.fill(ends, 0, 4 * differentTerms);
  for (let place = 0; place < termCount; place++) {
    const term = load<u32>(terms + 4 * place);
    if (term !== BORDER) store<i32>(ends + 4 * term, load<i32>(ends + 4 * term) + 1);
  }
  let sum = 0;
  for (let term = 0; term < differentTerms; term++) {
    const count = load<i32>(ends + 4 * term);
    store<i32>(ends + 4 * term, sum);
    sum += count;
  }
  for (let document = 0; document < documents; document++) {
    const start = load<i32>(starts + 4 * document);
    const end = load<i32>(starts + 4 * document, 4);
    for (let place = start; place < end; place++) {
      const term = load<u32>(terms + 4 * place);
      if (term === BORDER) continue;
      const at = load<i32>(ends + 4 * term);
      store<u64>(sorted + 8 * at, (u64(document) << 32) | u64(place - start));
      store<i32>(ends + 4 * term, at + 1);
    }
  }
}

/** Encodes the lists of the terms from one place in their order to another, at most `MOST_LISTS`. */
export function encode(from: i32, to: i32): void {
  for (let index = from; index < to; index++) {
    const term = load<i32>(order + 4 * index);
    const end = load<i32>(ends + 4 * term);
    for (let at = term === 0 ? 0 : load<i32>(ends + 4 * (term - 1)); at < end; ) {
      const document = load<i32>(sorted + 8 * at, 4);
      const textEnd = (u64(document) << 32) | u64(load<u32>(lengths + 4 * document));
      let behind = at;
      while (behind < end && load<u64>(sorted + 8 * behind) < textEnd) behind++;
      add(document, behind - at);
      // A field has no position.
      if (behind === at) at++;
      for (; at < behind; at++) writePosition(load<i32>(sorted + 8 * at));
    }
    endList(index - from);
  }
}

/** Begins a document of the list, which has the term so often; no time: a field. */
export function add(document: i32, times: i32): void {
  if (inBlock === BLOCK_DOCUMENTS) endBlock();
  store<i32>(blockDocuments + 4 * inBlock, document);
  store<i32>(blockFrequencies + 4 * inBlock, times);
  inBlock++;
  documentCount++;
  if (times === 0) return;
  hasPositions = true;
  frequency = times;
  documentLength = load<i32>(lengths + 4 * document);
  if (times > 1) parameter = riceParameter(documentLength - times, times);
  nextPosition = 0;
}

/** Adds the next positions of the document, which stand in `positions`. */
export function addPositions(count: i32): void {
  for (let at = 0; at < count; at++) writePosition(load<i32>(positions + 4 * at));
}

/** Ends the list and tells of it in `lists`. */
export function endList(index: i32): void {
  alignPositions();
  appendBlock(encodeDocuments(riceParameter(documents - blockStart - inBlock, max(1, inBlock))));
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
  const bitsLength = encodeDocuments(riceParameter(spare, BLOCK_DOCUMENTS));
  writeVarint(bitsLength);
  if (hasPositions) writeVarint(positionsLength() - blockPositions);
  appendBlock(bitsLength);
  blockPositions = positionsLength();
  blockStart = end;
  inBlock = 0;
}

/** Writes the documents of the block to `blockOut`. Returns how many bytes they take. */
function encodeDocuments(rice: i32): i32 {
  const before = out;
  out = blockOut;
  // Never reached.
  limit = blockOut + SLACK;
  let next = blockStart;
  for (let index = 0; index < inBlock; index++) {
    const document = load<i32>(blockDocuments + 4 * index);
    writeRice(document - next, rice);
    next = document + 1;
    if (hasPositions) writeGamma(load<i32>(blockFrequencies + 4 * index));
  }
  align();
  const length = i32(out - blockOut);
  out = before;
  limit = positionsOut + OUT_BYTES;
  return length;
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
  return positionsTaken + i32(out - positionsOut);
}

function flushPostings(): void {
  takePostings(postingsOut, i32(postingsEnd - postingsOut));
  postingsTaken = postingsLength();
  postingsEnd = postingsOut;
}

function flushPositions(): void {
  takePositions(positionsOut, i32(out - positionsOut));
  positionsTaken = positionsLength();
  out = positionsOut;
}

function alignPositions(): void {
  align();
  if (out >= limit) flushPositions();
}

/** See `readPositions`. */
function writePosition(position: i32): void {
  if (frequency === 1) writeBelow(position, documentLength);
  else writeRice(position - nextPosition, parameter);
  nextPosition = position + 1;
}

/** See `riceParameter` of those who read. */
function riceParameter(total: i32, count: i32): i32 {
  return 31 - i32(clz(u32((f64(total) * 0.69) / f64(count) + 1)));
}

/** A number below `limit`, all of which are as likely. */
function writeBelow(value: i32, limit: i32): void {
  const bits = 32 - i32(clz(u32(limit - 1)));
  const short = (1 << bits) - limit;
  if (value < short) write(value, bits - 1);
  else write(value + short, bits);
}

/** The bits above the parameter in unary, those below as they are. */
function writeRice(value: i32, rice: i32): void {
  let zeros = value >> rice;
  for (; zeros + 1 + rice > 32; zeros -= min(zeros, 32)) write(0, min(zeros, 32));
  write((1 << rice) | (value & ((1 << rice) - 1)), zeros + 1 + rice);
}

/** Elias' gamma code: few bits for small numbers, from 1 on. */
function writeGamma(value: i32): void {
  const bits = 32 - i32(clz(u32(value)));
  if (bits > 16) write(0, bits - 1);
  write(value, bits > 16 ? bits : 2 * bits - 1);
}

/** The highest bit first. @param bits at most 32. */
function write(value: u32, bits: i32): void {
  pending = (pending << bits) | value;
  pendingBits += bits;
  if (pendingBits < 32) return;
  pendingBits -= 32;
  store<u32>(out, bswap(u32(pending >> pendingBits)));
  out += 4;
  if (out >= limit) flushPositions();
}

/** Fills the last byte up with zeros. */
function align(): void {
  store<u32>(out, bswap(u32(pending << (32 - pendingBits))));
  out += (pendingBits + 7) >> 3;
  pendingBits = 0;
}

function writeVarint(value: i32): void {
  let rest = u32(value);
  for (; rest >= 0x80; rest >>= 7) store<u8>(postingsEnd++, (rest & 0x7f) | 0x80);
  store<u8>(postingsEnd++, rest);
}
