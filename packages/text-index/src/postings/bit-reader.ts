import { damaged } from "../storage/damaged.ts";
import { MEDIAN_OF_MEAN } from "../wasm/constants.ts";

/** Maximum bits per read: up to seven of the 32 loaded bits were read before. */
const MAX_AT_ONCE = 24;
/** Each read loads four bytes from any byte. */
const PADDING = 8;

/** Bit length of a number; 0 for 0. */
export function bitLength(value: number): number {
  return 32 - Math.clz32(value);
}

/**
 * The Rice parameter with which `count` numbers with a sum of about `total` need the fewest bits: close to the
 * logarithm of their median.
 */
export function riceParameter(total: number, count: number): number {
  return bitLength(Math.floor((total * MEDIAN_OF_MEAN) / count + 1)) - 1;
}

/** How many numbers below `limit` are encoded with one bit less than `bits`, because codes are left over. */
export function spareCodes(bits: number, limit: number): number {
  // `2 ** bits` is a call, and much slower.
  return (1 << bits) - limit;
}

/** Reads the bit streams written by `assembly/lists.ts`, most significant bit first. */
export class BitReader {
  #bytes = new Uint8Array(64);
  #view = new DataView(this.#bytes.buffer);
  #bits = 0;
  #at = 0;

  /**
   * Sets the length of the data and returns the buffer to copy it to, with padding after its end. Valid until the next
   * call.
   */
  begin(length: number): Uint8Array {
    if (length + PADDING > this.#bytes.length) {
      this.#bytes = new Uint8Array(Math.max(length + PADDING, this.#bytes.length * 2));
      this.#view = new DataView(this.#bytes.buffer);
    }
    this.#bytes.fill(0, length, length + PADDING);
    this.#bits = length * 8;
    this.#at = 0;
    return this.#bytes.subarray(0, length);
  }

  /** Moves to a range of the data, and limits reading to it. */
  moveTo(offset: number, length: number): void {
    this.#at = offset * 8;
    this.#bits = (offset + length) * 8;
  }

  /** Position of the next bit in the data. */
  get at(): number {
    return this.#at;
  }

  /** Moves to a bit of the data. */
  moveToBit(bit: number): void {
    this.#at = bit;
  }

  /** @param bits at most 32. */
  read(bits: number): number {
    if (bits <= MAX_AT_ONCE) return this.#read(bits);
    const high = this.#read(bits - MAX_AT_ONCE);
    return high * 2 ** MAX_AT_ONCE + this.#read(MAX_AT_ONCE);
  }

  readRice(parameter: number): number {
    const window = this.#window();
    const zeros = Math.clz32(window);
    const bits = zeros + 1 + parameter;
    if (bits > MAX_AT_ONCE) return this.#readLongRice(parameter);
    this.#at += bits;
    return (zeros << parameter) | (((window << (zeros + 1)) >>> 1) >>> (31 - parameter));
  }

  readGamma(): number {
    const window = this.#window();
    // Fast path for small numbers.
    if (window < 0) {
      this.#at++;
      return 1;
    }
    const short = Math.clz32(window) * 2 + 1;
    if (short <= MAX_AT_ONCE) {
      this.#at += short;
      return window >>> (32 - short);
    }
    const zeros = this.#readZeros();
    if (zeros > 30) throw damaged("A number is too great.");
    // The first bit is the one that ended the zeros.
    return (1 << zeros) + this.read(zeros);
  }

  /** Reads a uniformly distributed number below `limit`. */
  readBelow(limit: number): number {
    const bits = bitLength(limit - 1);
    if (bits === 0) return 0;
    const short = spareCodes(bits, limit);
    const value = this.read(bits - 1);
    return value < short ? value : value * 2 + this.#read(1) - short;
  }

  /**
   * Reads ascending numbers from `next` on: differences in Rice code, each followed by its frequency in gamma code. A
   * single loop over local variables takes a third of the time of one call per number.
   *
   * @param from index of the first number in `documents` and `frequencies`.
   * @returns one more than the last number.
   */
  readPostings(
    count: number,
    parameter: number,
    next: number,
    hasFrequencies: boolean,
    documents: Uint32Array,
    frequencies: Uint32Array,
    from: number,
  ): number {
    const view = this.#view;
    const bits = this.#bits;
    let bit = this.#at;
    let document = next;
    for (let index = from; index < from + count; index++) {
      if (bit > bits) throw damaged("Bits are missing.");
      let window = view.getUint32(bit >>> 3) << (bit & 7);
      const zeros = Math.clz32(window);
      let used = zeros + 1 + parameter;
      if (used <= MAX_AT_ONCE)
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
      // Branch-free: frequencies are unpredictable, and branching on their bit length would take as long as all the
      // rest.
      const short = Math.clz32(window) * 2 + 1;
      if (used > 0 && used + short <= MAX_AT_ONCE) {
        bit += used + short;
        frequencies[index] = window >>> (32 - short);
        continue;
      }
      this.#at = bit + used;
      frequencies[index] = this.readGamma();
      bit = this.#at;
    }
    this.#at = bit;
    return document;
  }

  /**
   * Skips the positions of documents, see `writePositions`: those with index `from` up to, but not including, `to`. A
   * single loop, like `readPostings`.
   *
   * @param lengths of all documents of the segment.
   */
  skipPositions(
    documents: Uint32Array,
    frequencies: Uint32Array,
    lengths: Uint32Array,
    from: number,
    to: number,
  ): void {
    const view = this.#view;
    const end = this.#bits;
    let bit = this.#at;
    for (let index = from; index < to; index++) {
      if (bit > end) throw damaged("Bits are missing.");
      const frequency = frequencies[index] as number;
      const length = lengths[documents[index] as number] as number;
      if (frequency > length) throw damaged("A document has more positions than there can be.");
      if (frequency === 1) {
        const bits = bitLength(length - 1);
        const window = view.getUint32(bit >>> 3) << (bit & 7);
        // One bit less if the difference is negative; branch-free, because short codes are unpredictable.
        bit += bits - ((((window >>> 1) >>> (32 - bits)) - spareCodes(bits, length)) >>> 31);
        continue;
      }
      const parameter = riceParameter(length - frequency, frequency);
      for (let left = frequency; left > 0; left--) {
        if (bit > end) throw damaged("Bits are missing.");
        const used = Math.clz32(view.getUint32(bit >>> 3) << (bit & 7)) + 1;
        if (used <= MAX_AT_ONCE) bit += used + parameter;
        else {
          this.#at = bit;
          this.#readLongRice(parameter);
          bit = this.#at;
        }
      }
    }
    this.#at = bit;
  }

  /** @throws IndexError if more was read than available. */
  check(): void {
    if (this.#at > this.#bits) throw damaged("Bits are missing.");
  }

  #window(): number {
    const at = this.#at;
    // The padding ends every run of zeros, so that overruns are detected.
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

  /** Number of zeros before the next one bit, which is consumed too. */
  #readZeros(): number {
    let zeros = 0;
    let run = Math.clz32(this.#window());
    while (run >= MAX_AT_ONCE) {
      zeros += MAX_AT_ONCE;
      this.#at += MAX_AT_ONCE;
      run = Math.clz32(this.#window());
    }
    this.#at += run + 1;
    return zeros + run;
  }
}
