import { bitLength, riceParameter, spareCodes } from "./bit-reader.ts";

/** Bits that grow, the highest of a number first: what `assembly/lists.ts` does, in plain words. */
export class BitWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;
  /** Fewer than 32 bits: bytes are written four at a time. */
  #pending = 0;
  #pendingBits = 0;

  /** All bits, the last byte filled up with zeros; valid until the next write. Begins anew. */
  take(): Uint8Array {
    const bits = this.#pendingBits;
    if (bits > 0) {
      this.write(0, 32 - bits);
      this.#length -= (32 - bits) >>> 3;
    }
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }

  /** @param bits at most 32. */
  write(value: number, bits: number): void {
    const room = 32 - this.#pendingBits;
    if (bits < room) {
      this.#pending = (this.#pending << bits) | value;
      this.#pendingBits += bits;
      return;
    }
    const rest = bits - room;
    // With room for all 32 bits nothing is pending, and shifting it by 32 does nothing.
    this.#writeWord((this.#pending << room) | (value >>> rest));
    this.#pending = value & ((1 << rest) - 1);
    this.#pendingBits = rest;
  }

  /** Rice's code: the bits above `parameter` in unary, those below as they are. @param parameter at most 30. */
  writeRice(value: number, parameter: number): void {
    let zeros = value >>> parameter;
    for (; zeros + 1 + parameter > 32; zeros -= Math.min(zeros, 32)) this.write(0, Math.min(zeros, 32));
    this.write((1 << parameter) | (value & ((1 << parameter) - 1)), zeros + 1 + parameter);
  }

  /** Elias' gamma code: few bits for small numbers, from 1 on. */
  writeGamma(value: number): void {
    const bits = bitLength(value);
    if (bits > 16) this.write(0, bits - 1);
    this.write(value, bits > 16 ? bits : 2 * bits - 1);
  }

  /** A number below `limit`, all of which are as likely. @param limit at most 2 ** 30. */
  writeBelow(value: number, limit: number): void {
    const bits = bitLength(limit - 1);
    const short = spareCodes(bits, limit);
    const isShort = value < short;
    this.write(isShort ? value : value + short, isShort ? bits - 1 : bits);
  }

  #writeWord(word: number): void {
    if (this.#length + 4 > this.#bytes.length) this.#grow();
    const bytes = this.#bytes;
    const length = this.#length;
    bytes[length] = word >>> 24;
    bytes[length + 1] = word >>> 16;
    bytes[length + 2] = word >>> 8;
    bytes[length + 3] = word;
    this.#length = length + 4;
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Writes the positions of one term in one document, see `readPositions`. */
export function writePositions(
  bits: BitWriter,
  positions: Uint32Array,
  from: number,
  to: number,
  documentLength: number,
): void {
  const frequency = to - from;
  if (frequency === 1) {
    bits.writeBelow(positions[from] as number, documentLength);
    return;
  }
  const parameter = riceParameter(documentLength - frequency, frequency);
  let next = 0;
  for (let at = from; at < to; at++) {
    const position = positions[at] as number;
    bits.writeRice(position - next, parameter);
    next = position + 1;
  }
}
