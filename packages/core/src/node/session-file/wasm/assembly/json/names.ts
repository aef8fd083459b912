/** Names are found by their letters, up to sixteen, in a table that is at most half full. */
const LONGEST = 16;
const TABLE_BITS = 7;
const SLOT_BYTES = 24;
const table = memory.data((1 << TABLE_BITS) * SLOT_BYTES, 16);
const LAST_SLOT = (1 << TABLE_BITS) - 1;
const FACTOR: u64 = (0x9e3779b9 << 32) | 0x7f4a7c15;

const written = memory.data(LONGEST, 16);

/** Where a name is written before it is added. */
export function addressOfName(): usize {
  return written;
}

/** Adds the name that was written; `name` is its number, from 1 on. */
export function addName(length: i32, name: i32): void {
  const slot = slotOf(lettersAt(written, length), lettersAt(written + 8, length - 8));
  store<u64>(slot, lettersAt(written, length));
  store<u64>(slot, lettersAt(written + 8, length - 8), 8);
  store<i32>(slot, name, 16);
}

/** Returns the number of a name, 0 where it was not added. */
export function nameOf(at: usize, length: i32): i32 {
  if (length > LONGEST) return 0;
  return load<i32>(slotOf(lettersAt(at, length), lettersAt(at + 8, length - 8)), 16);
}

/** Up to eight letters, which are none of them 0: so the length need not be kept. */
function lettersAt(at: usize, length: i32): u64 {
  if (length <= 0) return 0;
  return length >= 8 ? load<u64>(at) : load<u64>(at) & lowBytes(length);
}

function lowBytes(length: i32): u64 {
  const one: u64 = 1;
  return (one << (8 * length)) - 1;
}

/** The slot that holds these letters, or the one where they would be. */
function slotOf(first: u64, second: u64): usize {
  let place = i32(((first ^ (second * 31)) * FACTOR) >> (64 - TABLE_BITS));
  while (true) {
    const slot = table + place * SLOT_BYTES;
    const isFree = load<i32>(slot, 16) === 0;
    if (isFree || (load<u64>(slot) === first && load<u64>(slot, 8) === second)) return slot;
    place = (place + 1) & LAST_SLOT;
  }
}
