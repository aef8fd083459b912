import { damaged } from "../storage/damaged.ts";
import { ByteReader, ByteWriter } from "../storage/varint.ts";
import type { FastFields } from "./fast-fields.ts";
import type { DocumentOrigin } from "./segment.ts";

/** The year 19809. Twice the difference of two such times can still be stored. */
const MAX_TIMESTAMP = 2 ** 49;
/** Replaces the difference to the previous document's time. */
const NO_TIME = 0;
/** Key, ordinal, part, code, timestamp and length. */
const COLUMNS = 6;
/** At least one byte per column. */
const MIN_BYTES = COLUMNS;

interface GrowingColumns {
  keys: Float64Array;
  ordinals: Uint32Array;
  parts: Uint32Array;
  codes: Uint8Array;
  timestamps: Float64Array;
  lengths: Uint32Array;
}

function allocate(size: number): GrowingColumns {
  return {
    keys: new Float64Array(size),
    ordinals: new Uint32Array(size),
    parts: new Uint32Array(size),
    codes: new Uint8Array(size),
    timestamps: new Float64Array(size),
    lengths: new Uint32Array(size),
  };
}

/** Appends documents to columns. */
export class FastFieldWriter {
  #size: number;
  #columns: GrowingColumns;
  #count = 0;

  /** @param room initial capacity. */
  constructor(room = 1024) {
    this.#size = Math.max(1, room);
    this.#columns = allocate(this.#size);
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a document without terms. */
  add({ key, ordinal, part, code, timestamp }: DocumentOrigin): void {
    if (this.#count === this.#size) this.#grow();
    const columns = this.#columns;
    const number = this.#count++;
    columns.keys[number] = key;
    columns.ordinals[number] = ordinal;
    columns.parts[number] = part;
    columns.codes[number] = code;
    columns.timestamps[number] = timestamp === null ? Number.NaN : storableTime(timestamp);
    columns.lengths[number] = 0;
  }

  /** Copies a document from other columns. */
  copy(from: FastFields, document: number): void {
    if (this.#count === this.#size) this.#grow();
    const columns = this.#columns;
    const number = this.#count++;
    columns.keys[number] = from.keys[document] as number;
    columns.ordinals[number] = from.ordinals[document] as number;
    columns.parts[number] = from.parts[document] as number;
    columns.codes[number] = from.codes[document] as number;
    columns.timestamps[number] = from.timestamps[document] as number;
    columns.lengths[number] = from.lengths[document] as number;
  }

  /** Sets the length of the last document. */
  setLength(length: number): void {
    this.#columns.lengths[this.#count - 1] = length;
  }

  clear(): void {
    this.#count = 0;
  }

  /** Views of the current documents, valid until the next change. */
  columns(): FastFields {
    const { keys, ordinals, parts, codes, timestamps, lengths } = this.#columns;
    const count = this.#count;
    return {
      count,
      keys: keys.subarray(0, count),
      ordinals: ordinals.subarray(0, count),
      parts: parts.subarray(0, count),
      codes: codes.subarray(0, count),
      timestamps: timestamps.subarray(0, count),
      lengths: lengths.subarray(0, count),
    };
  }

  #grow(): void {
    this.#size *= 2;
    const larger = allocate(this.#size);
    larger.keys.set(this.#columns.keys);
    larger.ordinals.set(this.#columns.ordinals);
    larger.parts.set(this.#columns.parts);
    larger.codes.set(this.#columns.codes);
    larger.timestamps.set(this.#columns.timestamps);
    larger.lengths.set(this.#columns.lengths);
    this.#columns = larger;
  }
}

function storableTime(timestamp: number): number {
  return Math.abs(timestamp) <= MAX_TIMESTAMP ? Math.round(timestamp) : Number.NaN;
}

/** Stores differences to the previous document, which are mostly small: about seven bytes per document. */
export function encodeFastFields(documents: FastFields): Uint8Array {
  const { count, keys, ordinals, parts, codes, timestamps, lengths } = documents;
  const bytes = new ByteWriter();
  let key = 0;
  let ordinal = 0;
  let time = 0;
  for (let number = 0; number < count; number++) {
    const keyDifference = (keys[number] as number) - key;
    bytes.writeSigned(keyDifference);
    key += keyDifference;
    if (keyDifference !== 0) ordinal = 0;
    bytes.writeSigned((ordinals[number] as number) - ordinal);
    ordinal = ordinals[number] as number;
    bytes.writeVarint(parts[number] as number);
    bytes.writeVarint(codes[number] as number);
    const timestamp = timestamps[number] as number;
    if (Number.isNaN(timestamp)) bytes.writeVarint(NO_TIME);
    else {
      const elapsed = timestamp - time;
      bytes.writeVarint(elapsed < 0 ? -elapsed * 2 : elapsed * 2 + 1);
      time = timestamp;
    }
    bytes.writeVarint(lengths[number] as number);
  }
  return bytes.bytes;
}

/**
 * Decodes only the lengths: the other columns take six times as much memory.
 *
 * @throws IndexError
 */
export function decodeLengths(stored: Uint8Array, count: number): Uint32Array {
  if (count * MIN_BYTES > stored.length) throw damaged("Documents are missing.");
  const lengths = new Uint32Array(count);
  const bytes = new ByteReader(stored);
  for (let number = 0; number < count; number++) {
    for (let before = 1; before < COLUMNS; before++) bytes.readVarint();
    lengths[number] = bytes.readVarint();
  }
  return lengths;
}

/** @throws IndexError */
export function decodeFastFields(stored: Uint8Array, count: number): FastFields {
  if (count * MIN_BYTES > stored.length) throw damaged("Documents are missing.");
  const columns = allocate(count);
  const bytes = new ByteReader(stored);
  let key = 0;
  let ordinal = 0;
  let time = 0;
  for (let number = 0; number < count; number++) {
    const difference = bytes.readSigned();
    if (difference !== 0) ordinal = 0;
    key += difference;
    columns.keys[number] = key;
    ordinal += bytes.readSigned();
    columns.ordinals[number] = ordinal;
    columns.parts[number] = bytes.readVarint();
    columns.codes[number] = bytes.readVarint();
    const elapsed = bytes.readVarint();
    if (elapsed === NO_TIME) columns.timestamps[number] = Number.NaN;
    else {
      time += (elapsed & 1) === 0 ? -elapsed / 2 : (elapsed - 1) / 2;
      columns.timestamps[number] = time;
    }
    columns.lengths[number] = bytes.readVarint();
  }
  return { count, ...columns };
}
