import type { ByteReader, ByteWriter } from "./varint.ts";

/** Number of linear searches, less than a millisecond in total, before a hash table is built. */
const SEARCHES_WITHOUT_TABLE = 8;
/** Fewer IDs are searched through as fast as in a table, which would have to be made for every short session. */
const MIN_IDS_IN_TABLE = 32;
const MIN_TABLE_BITS = 8;
/** Random per process, so that transcripts cannot provoke hash collisions. */
const MULTIPLIER = Math.floor(Math.random() * 2 ** 32) | 1;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The IDs of a session's entries with their ordinals. Stored as numbers and bytes: with strings in a map, a session of
 * 400,000 entries took 140 MB and 600 ms to open, instead of 24 MB and 75 ms.
 */
export class EntryIds {
  #count = 0;
  /** Value of an ID that is a number, see `numberOf`; for other IDs -1 minus the index of its text. */
  #values: Float64Array;
  readonly #texts = new Texts();
  /** Open-addressing hash table of ordinals plus one; 0 is empty. */
  #table: Int32Array | null = null;
  #searches = 0;
  /** The last ID that was not found: it is usually looked up again before it is added. */
  #absent: string | null = null;
  /** The newest ID, if it was added as text. */
  #newest: string | null = null;

  /** @param capacity initial capacity. */
  constructor(capacity: number) {
    this.#values = new Float64Array(capacity);
  }

  at(ordinal: number): string {
    const value = this.#values[ordinal] ?? 0;
    if (value < 0) return textOf(this.#texts.at(-1 - value));
    return value < PLACES ? value.toString(16).padStart(8, "0") : syntheticId(value - PLACES);
  }

  /** Whether the ID is encoded in four bytes. */
  isHex(ordinal: number): boolean {
    const value = this.#values[ordinal] ?? 0;
    return value >= 0 && value < PLACES;
  }

  /** Adds a new ID. */
  add(id: string): void {
    const value = numberOf(id);
    const text = value < 0 ? bytesOf(id) : null;
    this.#push(text === null ? value : -1 - this.#texts.add(text), text);
    this.#newest = id;
  }

  write(ordinal: number, to: ByteWriter): void {
    const value = this.#values[ordinal] ?? 0;
    if (this.isHex(ordinal)) to.word(value);
    else {
      const text = value < 0 ? this.#texts.at(-1 - value) : encoder.encode(this.at(ordinal));
      to.unsigned(text.length);
      to.raw(text);
    }
  }

  /** Adds an encoded ID. */
  read(from: ByteReader, isHex: boolean): void {
    const text = isHex ? null : from.raw(from.unsigned());
    const value = text === null ? from.word() : placeOfBytes(text);
    if (value >= 0 || text === null) this.#push(value, null);
    else this.#push(-1 - this.#texts.add(text), text);
  }

  /** The ordinal of an ID, -1 if unknown. */
  ordinalOf(id: string): number {
    // Most lines have the previous one as their parent.
    if (id === this.#newest) return this.#count - 1;
    if (id === this.#absent) return -1;
    const ordinal = this.#find(id);
    if (ordinal < 0) this.#absent = id;
    return ordinal;
  }

  #find(id: string): number {
    const value = numberOf(id);
    const text = value < 0 ? bytesOf(id) : null;
    const newest = this.#count - 1;
    if (newest < 0 || this.#is(newest, value, text)) return newest;
    if (this.#table === null && (this.#count < MIN_IDS_IN_TABLE || this.#searches++ < SEARCHES_WITHOUT_TABLE)) {
      for (let ordinal = newest - 1; ordinal >= 0; ordinal--) if (this.#is(ordinal, value, text)) return ordinal;
      return -1;
    }
    const table = this.#table ?? this.#makeTable();
    const mask = table.length - 1;
    for (let place = placeIn(table, value, text); ; place = (place + 1) & mask) {
      const ordinal = (table[place] ?? 0) - 1;
      if (ordinal < 0 || this.#is(ordinal, value, text)) return ordinal;
    }
  }

  #is(ordinal: number, value: number, text: Uint8Array | null): boolean {
    const own = this.#values[ordinal] ?? 0;
    return text === null ? own === value : own < 0 && this.#texts.is(-1 - own, text);
  }

  /** @param text of IDs that are no numbers. */
  #push(value: number, text: Uint8Array | null): void {
    this.#absent = null;
    this.#newest = null;
    if (this.#count === this.#values.length) {
      const grown = new Float64Array(this.#count * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#count++] = value;
    if (this.#table === null) return;
    // At most half full, for short probe sequences.
    if (this.#count * 2 > this.#table.length) this.#makeTable();
    else this.#enter(this.#table, this.#count - 1, text);
  }

  #makeTable(): Int32Array {
    const bits = Math.max(MIN_TABLE_BITS, Math.ceil(Math.log2(this.#count + 1)) + 2);
    const table = new Int32Array(2 ** bits);
    for (let ordinal = 0; ordinal < this.#count; ordinal++) {
      const value = this.#values[ordinal] ?? 0;
      this.#enter(table, ordinal, value < 0 ? this.#texts.at(-1 - value) : null);
    }
    this.#table = table;
    return table;
  }

  #enter(table: Int32Array, ordinal: number, text: Uint8Array | null): void {
    const value = this.#values[ordinal] ?? 0;
    const mask = table.length - 1;
    let place = placeIn(table, value, text);
    while (table[place] !== 0) place = (place + 1) & mask;
    table[place] = ordinal + 1;
  }
}

/** ID of an entry without one: its index, which appends do not change. */
export function syntheticId(ordinal: number): string {
  return `@${ordinal}`;
}

/** Concatenated texts. */
class Texts {
  #count = 0;
  #bytes = new Uint8Array(0);
  /** Where each text ends. */
  #ends = new Uint32Array(0);

  /** @returns the index of the text. */
  add(text: Uint8Array): number {
    const start = this.#startOf(this.#count);
    const end = start + text.length;
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(end, this.#bytes.length * 2, 1024));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    if (this.#count === this.#ends.length) {
      const grown = new Uint32Array(Math.max(this.#count * 2, 16));
      grown.set(this.#ends);
      this.#ends = grown;
    }
    this.#bytes.set(text, start);
    this.#ends[this.#count] = end;
    return this.#count++;
  }

  at(place: number): Uint8Array {
    return this.#bytes.subarray(this.#startOf(place), this.#ends[place]);
  }

  is(place: number, text: Uint8Array): boolean {
    const start = this.#startOf(place);
    if ((this.#ends[place] ?? 0) - start !== text.length) return false;
    for (let at = text.length - 1; at >= 0; at--) if (this.#bytes[start + at] !== text[at]) return false;
    return true;
  }

  #startOf(place: number): number {
    return place === 0 ? 0 : (this.#ends[place - 1] ?? 0);
  }
}

/** Values from here on are places: `@` and an ordinal, which entries have whose format gives them no ID. */
const PLACES = 2 ** 32;
const AT = 0x40;
const ZERO = 0x30;
/** Digits of the largest place. */
const PLACE_DIGITS = 9;

/** The number of an ID of eight lower-case hexadecimal digits, as pi makes them, or of a place; -1 for other IDs. */
function numberOf(id: string): number {
  if (id.charCodeAt(0) === AT) return placeOf(id.length, (at) => id.charCodeAt(at));
  return id.length === 8 ? hexAt(id, 0, 8) : -1;
}

function placeOfBytes(bytes: Uint8Array): number {
  return bytes[0] === AT ? placeOf(bytes.length, (at) => bytes[at] ?? 0) : -1;
}

/** The value of `@` and digits without leading zeros; -1 for others. */
function placeOf(length: number, codeAt: (at: number) => number): number {
  if (length < 2 || length > 1 + PLACE_DIGITS || (length > 2 && codeAt(1) === ZERO)) return -1;
  let place = 0;
  for (let at = 1; at < length; at++) {
    const digit = codeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    place = place * 10 + digit;
  }
  return PLACES + place;
}

/** The value of some lower-case hexadecimal digits, -1 if one is none. */
function hexAt(id: string, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at++) {
    const code = id.charCodeAt(at);
    const digit = code >= 0x30 && code <= 0x39 ? code - 0x30 : code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** Start of the probe sequence of an ID. */
function placeIn(table: Int32Array, value: number, text: Uint8Array | null): number {
  let mixed = text === null ? value : 0;
  if (text !== null) for (let at = 0; at < text.length; at++) mixed = Math.imul(mixed ^ (text[at] ?? 0), MULTIPLIER);
  // High bits of the product: the low ones depend only on the low bits of its factors.
  return Math.imul(mixed, MULTIPLIER) >>> (Math.clz32(table.length) + 1);
}

/** Characters that JSON does not escape. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** First byte of a UUID, followed by its sixteen: in a text, JSON escapes it. */
const UUID_MARK = 0x22;
const UUID_LENGTH = 36;
/** Where the sixteen bytes of a UUID begin. */
const UUID_BYTES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const UUID_HYPHENS = [8, 13, 18, 23];

/** Cache of two: an ID is looked up, its parent too, then it is added, and is the parent of the next line. */
let latest = newCached();
let former = newCached();

/** As JSON: UTF-8 would lose lone surrogates, and children would not find their parent. UUIDs as bytes. */
function bytesOf(id: string): Uint8Array {
  if (id === latest.id) return latest.bytes;
  const known = former;
  former = latest;
  latest = known;
  if (id !== known.id) {
    known.id = id;
    known.bytes = writeUuid(id, known.uuid) ? known.uuid : encoder.encode(jsonOf(id));
  }
  return known.bytes;
}

/** `uuid` is written again and again: a UUID of each line would be a tenth of the first reading. */
function newCached(): { id: string; bytes: Uint8Array; uuid: Uint8Array } {
  return { id: "", bytes: new Uint8Array(0), uuid: new Uint8Array(1 + UUID_BYTES.length) };
}

function jsonOf(id: string): string {
  return PLAIN.test(id) ? id : JSON.stringify(id).slice(1, -1);
}

function textOf(bytes: Uint8Array): string {
  if (bytes[0] === UUID_MARK) return uuidOf(bytes.subarray(1));
  return String(JSON.parse(`"${decoder.decode(bytes)}"`));
}

/** @returns `false` for other IDs. */
function writeUuid(id: string, bytes: Uint8Array): boolean {
  if (id.length !== UUID_LENGTH) return false;
  for (let at = 0; at < UUID_HYPHENS.length; at++) if (id[UUID_HYPHENS[at] ?? 0] !== "-") return false;
  bytes[0] = UUID_MARK;
  for (let at = 0; at < UUID_BYTES.length; at++) {
    const value = hexAt(id, UUID_BYTES[at] ?? 0, 2);
    if (value < 0) return false;
    bytes[1 + at] = value;
  }
  return true;
}

function uuidOf(bytes: Uint8Array): string {
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
