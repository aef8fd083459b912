import { damaged } from "./damaged.ts";

/** Maximum stored number. */
export const MAX_VARINT = 2 ** 52;

/** Growable byte buffer with LEB128 numbers. */
export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Written bytes, valid until the next write. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  /** @param value an integer from 0 to `MAX_VARINT`. */
  writeVarint(value: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      // `%` of numbers above 31 bits is a call, and much slower.
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest = rest > 0x7fffffff ? Math.floor(rest / 0x80) : rest >>> 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** @param value an integer whose double is at most `MAX_VARINT`. */
  writeSigned(value: number): void {
    this.writeVarint(value < 0 ? -value * 2 - 1 : value * 2);
  }

  writeBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #reserve(added: number): void {
    if (this.#length + added <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + added));
    larger.set(this.bytes);
    this.#bytes = larger;
  }
}

/** Reads the output of `ByteWriter`. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  /** @param at start offset. */
  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** Number of bytes read. */
  get at(): number {
    return this.#at;
  }

  /** Number of unread bytes. */
  get rest(): number {
    return this.#bytes.length - this.#at;
  }

  /** @throws IndexError at the end, or if the number is too large. */
  readVarint(): number {
    const first = this.#next();
    if (first < 0x80) return first;
    let value = first & 0x7f;
    let factor = 0x80;
    for (let byte = first; byte >= 0x80; factor *= 0x80) {
      byte = this.#next();
      value += (byte & 0x7f) * factor;
      if (value > MAX_VARINT) throw damaged("A number is too great.");
    }
    return value;
  }

  readSigned(): number {
    const value = this.readVarint();
    return (value & 1) === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** @throws IndexError if there are fewer bytes. */
  readBytes(length: number): Uint8Array {
    const start = this.#at;
    this.skip(length);
    return this.#bytes.subarray(start, this.#at);
  }

  /** Skips bytes. @throws IndexError if there are fewer. */
  skip(length: number): void {
    if (length > this.rest) throw damaged("Bytes are missing.");
    this.#at += length;
  }

  #next(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw damaged("Bytes are missing.");
    this.#at++;
    return byte;
  }
}
