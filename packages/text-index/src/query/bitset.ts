/** Set of documents of one segment: one bit each, 32 per element. */
export type Bitset = Uint32Array;

export function emptyBitset(count: number): Bitset {
  return new Uint32Array((count + 31) >>> 5);
}

export function fullBitset(count: number): Bitset {
  const bits = emptyBitset(count);
  fillRange(bits, 0, count);
  return bits;
}

export function has(bits: Bitset, document: number): boolean {
  return (((bits[document >>> 5] ?? 0) >>> (document & 31)) & 1) === 1;
}

export function add(bits: Bitset, document: number): void {
  const word = document >>> 5;
  bits[word] = (bits[word] ?? 0) | (1 << (document & 31));
}

export function remove(bits: Bitset, document: number): void {
  const word = document >>> 5;
  bits[word] = (bits[word] ?? 0) & ~(1 << (document & 31));
}

/** Adds the documents from `start` on and before `end`. */
export function fillRange(bits: Bitset, start: number, end: number): void {
  if (start >= end) return;
  const first = start >>> 5;
  const last = (end - 1) >>> 5;
  const head = -1 << (start & 31);
  const tail = -1 >>> (31 - ((end - 1) & 31));
  if (first === last) {
    bits[first] = (bits[first] ?? 0) | (head & tail);
    return;
  }
  bits[first] = (bits[first] ?? 0) | head;
  bits.fill(0xffffffff, first + 1, last);
  bits[last] = (bits[last] ?? 0) | tail;
}

/** Intersects `bits` with `other`. */
export function intersect(bits: Bitset, other: Bitset): void {
  for (let word = 0; word < bits.length; word++) bits[word] = (bits[word] ?? 0) & (other[word] ?? 0);
}

export function unite(bits: Bitset, other: Bitset): void {
  for (let word = 0; word < bits.length; word++) bits[word] = (bits[word] ?? 0) | (other[word] ?? 0);
}

export function subtract(bits: Bitset, other: Bitset): void {
  for (let word = 0; word < bits.length; word++) bits[word] = (bits[word] ?? 0) & ~(other[word] ?? 0);
}

export function isEmpty(bits: Bitset): boolean {
  for (let word = 0; word < bits.length; word++) if (bits[word] !== 0) return false;
  return true;
}

export function countOf(bits: Bitset): number {
  let count = 0;
  for (let word = 0; word < bits.length; word++) {
    // Casts: all words exist, and checking each would take half of the time. Most results are sparse.
    let rest = bits[word] as number;
    if (rest === 0) continue;
    // Population count: sums of 2, 4 and 8 bits in parallel; the product adds them in its highest byte.
    rest -= (rest >>> 1) & 0x55555555;
    rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
    count += Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

const WORDS_AT_ONCE = 256;

/** Whether the set has at least `least` documents; stops counting early. */
export function hasAtLeast(bits: Bitset, least: number): boolean {
  let count = 0;
  for (let word = 0; word < bits.length && count < least; word += WORDS_AT_ONCE) {
    count += countOf(bits.subarray(word, word + WORDS_AT_ONCE));
  }
  return count >= least;
}

/** Lists the documents in ascending order. */
export function documentsOf(bits: Bitset): Uint32Array {
  const documents = new Uint32Array(countOf(bits));
  let count = 0;
  for (let word = 0; count < documents.length; word++) {
    for (let rest = bits[word] as number; rest !== 0; rest &= rest - 1) {
      documents[count++] = word * 32 + 31 - Math.clz32(rest & -rest);
    }
  }
  return documents;
}
