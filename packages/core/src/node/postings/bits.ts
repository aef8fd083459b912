import { damaged } from "./damaged.ts";

/** At most so many bits are read at a time: of the 32 that are loaded, up to seven belong to what was read before. */
const MOST_AT_ONCE = 24;
/** Reading loads four bytes from any byte on. */
const PADDING = 8;

/** How many bits a number takes; 0 takes none. */
function bitLength(value: number): number {
  return 32 - Math.clz32(value);
}

/**
 * The parameter with which `count` numbers whose sum is about `total` take the fewest bits in Rice's code: close to the
 * logarithm of their median.
 */
export function riceParameter(total: number, count: number): number {
  return bitLength(Math.floor((total * 0.69) / count + 1)) - 1;
}

/** Of the numbers below `limit` so many need one bit less than `bits`, since longer ones have codes to spare. */
function spareCodes(bits: number, limit: number): number {
  // `2 ** bits` is a call, and many times slower.
  return (1 << bits) - limit;
}

/** Bits that grow, the highest of a number first. */
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

/** Reads what a `BitWriter` has written. */
export class BitReader {
  #bytes = new Uint8Array(64);
  #view = new DataView(this.#bytes.buffer);
  #bits = 0;
  #at = 0;

  /** Begins with other bytes. They are copied, so that one can read over their end without looking for it. */
  load(bytes: Uint8Array): void {
    if (bytes.length + PADDING > this.#bytes.length) {
      this.#bytes = new Uint8Array((bytes.length + PADDING) * 2);
      this.#view = new DataView(this.#bytes.buffer);
    }
    this.#bytes.set(bytes);
    this.#bytes.fill(0, bytes.length, bytes.length + PADDING);
    this.#bits = bytes.length * 8;
    this.#at = 0;
  }

  /** @param bits at most 32. */
  read(bits: number): number {
    if (bits <= MOST_AT_ONCE) return this.#read(bits);
    const high = this.#read(bits - MOST_AT_ONCE);
    return high * 2 ** MOST_AT_ONCE + this.#read(MOST_AT_ONCE);
  }

  readRice(parameter: number): number {
    const window = this.#window();
    const zeros = Math.clz32(window);
    const bits = zeros + 1 + parameter;
    if (bits > MOST_AT_ONCE) return this.#readLongRice(parameter);
    this.#at += bits;
    return (zeros << parameter) | (((window << (zeros + 1)) >>> 1) >>> (31 - parameter));
  }

  readGamma(): number {
    const window = this.#window();
    // Most numbers are small.
    if (window < 0) {
      this.#at++;
      return 1;
    }
    const short = Math.clz32(window) * 2 + 1;
    if (short <= MOST_AT_ONCE) {
      this.#at += short;
      return window >>> (32 - short);
    }
    const zeros = this.#readZeros();
    if (zeros > 30) throw damaged("A number is too great.");
    // The first bit is the one that has ended the zeros.
    return (1 << zeros) + this.read(zeros);
  }

  /** A number below `limit`, see `BitWriter.writeBelow`. */
  readBelow(limit: number): number {
    const bits = bitLength(limit - 1);
    if (bits === 0) return 0;
    const short = spareCodes(bits, limit);
    const value = this.read(bits - 1);
    return value < short ? value : value * 2 + this.#read(1) - short;
  }

  /**
   * Reads ascending numbers from `next` on, as the differences between them in Rice's code, each followed by its
   * frequency in the gamma code. One loop over local variables takes a third of the time of calls for each number.
   *
   * @param at where to write the first of `count`.
   * @returns one more than the last number.
   */
  readPostings(
    count: number,
    parameter: number,
    next: number,
    hasFrequencies: boolean,
    documents: Uint32Array,
    frequencies: Uint32Array,
    at: number,
  ): number {
    const view = this.#view;
    const bits = this.#bits;
    let bit = this.#at;
    let document = next;
    for (let index = at; index < at + count; index++) {
      if (bit > bits) throw damaged("Bits are missing.");
      let window = view.getUint32(bit >>> 3) << (bit & 7);
      const zeros = Math.clz32(window);
      let used = zeros + 1 + parameter;
      if (used <= MOST_AT_ONCE)
        document += (zeros << parameter) | (((window << (zeros + 1)) >>> 1) >>> (31 - parameter));
      else {
        this.#at = bit;
        document += this.#readLongRice(parameter);
        bit = this.#at;
        used = 0;
      }
      documents[index] = document++;
      if (!hasFrequencies) {
        bit += used;
        frequencies[index] = 1;
        continue;
      }
      window <<= used;
      if (used > 0 && used < MOST_AT_ONCE && window < 0) {
        bit += used + 1;
        frequencies[index] = 1;
        continue;
      }
      this.#at = bit + used;
      frequencies[index] = this.readGamma();
      bit = this.#at;
    }
    this.#at = bit;
    return document;
  }

  /** @throws IndexError where more was read than there is. */
  check(): void {
    if (this.#at > this.#bits) throw damaged("Bits are missing.");
  }

  #window(): number {
    const at = this.#at;
    // Behind the end there are zeros without end, so that no run of them goes on unnoticed.
    if (at > this.#bits) throw damaged("Bits are missing.");
    return this.#view.getUint32(at >>> 3) << (at & 7);
  }

  #read(bits: number): number {
    if (bits === 0) return 0;
    const value = this.#window() >>> (32 - bits);
    this.#at += bits;
    return value;
  }

  #readLongRice(parameter: number): number {
    const high = this.#readZeros();
    return high * 2 ** parameter + this.read(parameter);
  }

  /** Zeros before the next one, which is read too. */
  #readZeros(): number {
    let zeros = 0;
    let run = Math.clz32(this.#window());
    while (run >= MOST_AT_ONCE) {
      zeros += MOST_AT_ONCE;
      this.#at += MOST_AT_ONCE;
      run = Math.clz32(this.#window());
    }
    this.#at += run + 1;
    return zeros + run;
  }
}
