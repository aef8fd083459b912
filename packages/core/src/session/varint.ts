/** Shared buffer: creating a view per number would take longer than copying. */
const number = new Float64Array(1);
const numberBytes = new Uint8Array(number.buffer);

/** Writes LEB128 numbers up to 2^53 with arithmetic, because bit operations are limited to 32 bits. */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  unsigned(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** A big-endian number below 2^32. */
  word(value: number): void {
    this.#reserve(4);
    for (const shift of [24, 16, 8, 0]) this.#bytes[this.#length++] = (value >>> shift) & 0xff;
  }

  double(value: number): void {
    number[0] = value;
    this.raw(numberBytes);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Written bytes; valid until the next write. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/** Reads the output of {@link ByteWriter}. Returns zeros after the end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get position(): number {
    return this.#position;
  }

  get atEnd(): boolean {
    return this.#position >= this.#bytes.length;
  }

  /** Number of unread bytes. */
  get left(): number {
    return Math.max(0, this.#bytes.length - this.#position);
  }

  byte(): number {
    return this.#bytes[this.#position++] ?? 0;
  }

  unsigned(): number {
    let byte = this.byte();
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let factor = 0x80;
    for (;;) {
      byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
  }

  signed(): number {
    const folded = this.unsigned();
    return folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
  }

  word(): number {
    return ((this.byte() << 24) | (this.byte() << 16) | (this.byte() << 8) | this.byte()) >>> 0;
  }

  double(): number {
    for (let place = 0; place < 8; place++) numberBytes[place] = this.byte();
    return number[0] ?? 0;
  }

  /** @throws RangeError if there are fewer bytes: the data is invalid. */
  raw(length: number): Uint8Array {
    const start = this.#position;
    this.#position += length;
    if (this.#position > this.#bytes.length) throw new RangeError("The data is truncated.");
    return this.#bytes.subarray(start, this.#position);
  }
}
