import { allocate, grown, PADDING } from "./allocation";

/** Different terms, numbered from 0 on in the order in which they come. */
@unmanaged
export class Table {
  size: i32;
  /**
   * An open hash table, at most two thirds full. A slot has the key of a term, its number plus one, and its tag, which
   * is twice its length in bytes, plus one where they are UTF-16 and not ASCII. The key is what the term is up to eight
   * bytes, and its hash beyond.
   */
  slots: usize;
  slotBits: i32;
  /** For each term where it is in `text`, and its tag. */
  terms: usize;
  termRoom: i32;
  text: usize;
  textRoom: i32;
  textLength: i32;
}

const SLOT_BYTES = 16;
const TERM_BYTES = 8;

/** Transcripts are hostile: who does not know these numbers cannot write words that all have one hash. */
let hashStart: u64 = 1;
let hashFactor: u64 = 1;

export function setHash(start: u64, factor: u64): void {
  hashStart = start;
  hashFactor = factor | 1;
}

export function newTable(): Table {
  const table = changetype<Table>(allocate(offsetof<Table>()));
  table.slotBits = 13;
  table.slots = allocate(SLOT_BYTES << 13);
  table.termRoom = 1 << 12;
  table.terms = allocate(TERM_BYTES << 12);
  table.textRoom = 1 << 15;
  table.text = allocate((1 << 15) + PADDING);
  return table;
}

/** Forgets all terms and keeps the room. */
export function clearTable(table: Table): void {
  memory.fill(table.slots, 0, SLOT_BYTES << table.slotBits);
  table.size = 0;
  table.textLength = 0;
}

export function textIn(table: Table, number: i32): usize {
  return table.text + load<u32>(table.terms + number * TERM_BYTES);
}

export function tagIn(table: Table, number: i32): i32 {
  return load<i32>(table.terms + number * TERM_BYTES, 4);
}

/** Tells the number of a term, a new one where it is new. */
export function numberIn(table: Table, text: usize, tag: i32): i32 {
  const length = tag >> 1;
  const key = length > 8 ? hashOf(text, length) : load<u64>(text) & lowBytes(length);
  const slots = table.slots;
  const most = (1 << table.slotBits) - 1;
  let slot = i32(mix(key) >> (64 - table.slotBits));
  let at = slots + slot * SLOT_BYTES;
  let number = load<i32>(at, 8) - 1;
  while (number >= 0) {
    if (load<u64>(at) === key && load<i32>(at, 12) === tag) {
      const isWhole = tag >> 1 <= 8;
      if (isWhole || isEqual(textIn(table, number), text, tag >> 1)) return number;
    }
    slot = (slot + 1) & most;
    at = slots + slot * SLOT_BYTES;
    number = load<i32>(at, 8) - 1;
  }
  return append(table, key, text, tag, at);
}

/** A mask of as many bytes of a word that is loaded, at most eight. */
export function lowBytes(count: i32): u64 {
  return count >= 8 ? ~u64(0) : (u64(1) << (8 * count)) - 1;
}

/** A hash that can only be reckoned with both secret numbers. */
export function mix(value: u64): u64 {
  const product = (value ^ hashStart) * hashFactor;
  return (product ^ (product >> 32)) * hashFactor;
}

/** One of `1 << bits` places for a key: quicker than `mix`, where two keys in one place lose no more than time. */
export function placeOf(key: u64, bits: i32): usize {
  return usize((key * hashFactor) >> (64 - bits));
}

function hashOf(text: usize, length: i32): u64 {
  let hash: u64 = length;
  let at = text;
  let left = length;
  for (; left > 8; left -= 8) {
    hash = mix(hash ^ load<u64>(at));
    at += 8;
  }
  return mix(hash ^ (load<u64>(at) & lowBytes(left)));
}

function isEqual(a: usize, b: usize, length: i32): bool {
  let at = 0;
  for (; length - at > 8; at += 8) if (load<u64>(a + at) !== load<u64>(b + at)) return false;
  return ((load<u64>(a + at) ^ load<u64>(b + at)) & lowBytes(length - at)) === 0;
}

function append(table: Table, key: u64, text: usize, tag: i32, slot: usize): i32 {
  const number = table.size++;
  const length = tag >> 1;
  if (number === table.termRoom) {
    table.termRoom *= 2;
    table.terms = grown(table.terms, TERM_BYTES * number, TERM_BYTES * table.termRoom);
  }
  if (table.textLength + length > table.textRoom) {
    table.textRoom *= 2;
    table.text = grown(table.text, table.textLength, table.textRoom + PADDING);
  }
  memory.copy(table.text + table.textLength, text, length);
  store<i32>(table.terms + number * TERM_BYTES, table.textLength);
  store<i32>(table.terms + number * TERM_BYTES, tag, 4);
  table.textLength += length;
  store<u64>(slot, key);
  store<i32>(slot, number + 1, 8);
  store<i32>(slot, tag, 12);
  if (number > ((1 << table.slotBits) / 3) * 2) growSlots(table);
  return number;
}

function growSlots(table: Table): void {
  const before = table.slots;
  const end = before + (SLOT_BYTES << table.slotBits);
  const most = (2 << table.slotBits) - 1;
  table.slotBits++;
  table.slots = allocate(SLOT_BYTES << table.slotBits);
  // It may have been borrowed.
  memory.fill(table.slots, 0, SLOT_BYTES << table.slotBits);
  for (let from = before; from < end; from += SLOT_BYTES) {
    if (load<i32>(from, 8) === 0) continue;
    const key = load<u64>(from);
    let slot = i32(mix(key) >> (64 - table.slotBits));
    while (load<i32>(table.slots + slot * SLOT_BYTES, 8) !== 0) slot = (slot + 1) & most;
    store<u64>(table.slots + slot * SLOT_BYTES, key);
    store<u64>(table.slots + slot * SLOT_BYTES, load<u64>(from, 8), 8);
  }
}
