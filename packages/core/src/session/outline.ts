import { EntryIds } from "./entry-ids.ts";
import type { OutlineRole } from "./roles.ts";
import { ByteReader, ByteWriter } from "./varint.ts";

const ROLES: readonly OutlineRole[] = [
  null,
  "user",
  "assistant",
  "tool",
  "bash",
  "custom",
  "system",
  "name",
  "label",
  "context_edit",
] as const;
const ROLE_BITS = 0x0f;
/** Encoded in place of a role: the number of the model follows, valid from the next entry on. */
const NEXT_MODEL = 0x0f;
const CONVERSATION = 0x10;
const HAS_TEXT = 0x20;
/** Encoding flag: line and parent directly precede. */
const IN_SEQUENCE = 0x40;
/** Encoding flag: the ID consists of eight hexadecimal digits and takes four bytes. */
const HEX_ID = 0x80;

/**
 * Entries per encoded chunk, of which an append writes the last one anew: with more, that seldom fits into one page of
 * the catalog. A chunk of statistics must not have more entries.
 */
export const OUTLINE_CHUNK = 128;
/** Most sessions are short, and memory outside of V8's heap costs more for each array than for its bytes. */
const FIRST_CAPACITY = 16;
/** Bytes of the shortest usual entry: flags, length, time, and the ID of four bytes. */
const BYTES_PER_ENTRY = 8;

export interface OutlineEntry {
  /** Bytes from the start of the file to the entry's line. */
  offset: number;
  /** Bytes of the line without its LF. */
  length: number;
  /** Ordinal of the parent, -1 for a root. */
  parent: number;
  /** Milliseconds since 1970, `NaN` where unknown. */
  timestamp: number;
  id: string;
  role: OutlineRole;
  conversation: boolean;
  /** A user or assistant message with text. */
  hasText: boolean;
  /** The current model after the entry, see `NamedModels`. */
  model: number;
}

/**
 * The structure of a session: location, parent and type of every entry, in file order. With it, a branch or page can be
 * read without the rest of the file. About 10 bytes per entry when encoded.
 */
export class Outline {
  #count = 0;
  #offsets: Float64Array;
  #lengths: Uint32Array;
  #parents: Int32Array;
  #timestamps: Float64Array;
  #kinds: Uint8Array;
  #models: Uint32Array;
  readonly #ids: EntryIds;
  /** First ordinals of chunks changed since they were decoded or saved. */
  readonly #changed = new Set<number>();
  /** The last one of them, as a cache. */
  #lastChanged = -1;

  /** @param capacity initial capacity. */
  constructor(capacity = FIRST_CAPACITY) {
    this.#offsets = new Float64Array(capacity);
    this.#lengths = new Uint32Array(capacity);
    this.#parents = new Int32Array(capacity);
    this.#timestamps = new Float64Array(capacity);
    this.#kinds = new Uint8Array(capacity);
    this.#models = new Uint32Array(capacity);
    this.#ids = new EntryIds(capacity);
  }

  get count(): number {
    return this.#count;
  }

  /** @returns the ordinal of the entry; its ID must be unique. */
  add(entry: OutlineEntry): number {
    const ordinal = this.#count;
    if (ordinal === this.#offsets.length) this.#grow();
    this.#count = ordinal + 1;
    this.#offsets[ordinal] = entry.offset;
    this.#lengths[ordinal] = entry.length;
    this.#parents[ordinal] = entry.parent;
    this.#timestamps[ordinal] = entry.timestamp;
    this.#kinds[ordinal] =
      ROLES.indexOf(entry.role) | (entry.conversation ? CONVERSATION : 0) | (entry.hasText ? HAS_TEXT : 0);
    this.#models[ordinal] = entry.model;
    this.#ids.add(entry.id);
    this.#chunkChanged(ordinal - (ordinal % OUTLINE_CHUNK));
    return ordinal;
  }

  setParent(ordinal: number, parent: number): void {
    this.#parents[ordinal] = parent;
    this.#chunkChanged(ordinal - (ordinal % OUTLINE_CHUNK));
  }

  at(ordinal: number): OutlineEntry {
    const kind = this.#kinds[ordinal] ?? 0;
    return {
      offset: this.#offsets[ordinal] ?? 0,
      length: this.#lengths[ordinal] ?? 0,
      parent: this.#parents[ordinal] ?? -1,
      timestamp: this.#timestamps[ordinal] ?? Number.NaN,
      id: this.id(ordinal),
      role: ROLES[kind & ROLE_BITS] ?? null,
      conversation: (kind & CONVERSATION) !== 0,
      hasText: (kind & HAS_TEXT) !== 0,
      model: this.model(ordinal),
    };
  }

  id(ordinal: number): string {
    return this.#ids.at(ordinal);
  }

  /** The ordinal of the entry with this ID, -1 if there is none. */
  ordinalOf(id: string): number {
    return this.#ids.ordinalOf(id);
  }

  role(ordinal: number): OutlineRole {
    return ROLES[(this.#kinds[ordinal] ?? 0) & ROLE_BITS] ?? null;
  }

  isConversation(ordinal: number): boolean {
    return ((this.#kinds[ordinal] ?? 0) & CONVERSATION) !== 0;
  }

  hasText(ordinal: number): boolean {
    return ((this.#kinds[ordinal] ?? 0) & HAS_TEXT) !== 0;
  }

  /** Ordinal of the parent, -1 for a root. */
  parent(ordinal: number): number {
    return this.#parents[ordinal] ?? -1;
  }

  /** The current model after the entry, see `NamedModels`; 0 for ordinal -1. */
  model(ordinal: number): number {
    return this.#models[ordinal] ?? 0;
  }

  timestamp(ordinal: number): number {
    return this.#timestamps[ordinal] ?? Number.NaN;
  }

  /** Parents by ordinal, as in the file: may contain cycles. */
  parents(): Int32Array {
    return this.#parents.subarray(0, this.#count);
  }

  /** First ordinals of the chunks changed since the outline was decoded or saved. */
  changedChunks(): Iterable<number> {
    return this.#changed;
  }

  /** Must be called when all changed chunks were saved. */
  changesKept(): void {
    this.#changed.clear();
    this.#lastChanged = -1;
  }

  #chunkChanged(first: number): void {
    if (first === this.#lastChanged) return;
    this.#lastChanged = first;
    this.#changed.add(first);
  }

  /** Encodes the chunk that starts at `first`, a multiple of {@link OUTLINE_CHUNK}. */
  encodeChunk(first: number): Uint8Array {
    const last = Math.min(first + OUTLINE_CHUNK, this.#count);
    const out = new ByteWriter((last - first) * 48);
    let end = 0;
    let time = 0;
    let model = 0;
    for (let ordinal = first; ordinal < last; ordinal++) {
      if (this.model(ordinal) !== model) {
        model = this.model(ordinal);
        out.byte(NEXT_MODEL);
        out.unsigned(model);
      }
      const offset = this.#offsets[ordinal] ?? 0;
      const length = this.#lengths[ordinal] ?? 0;
      const timestamp = this.#timestamps[ordinal] ?? Number.NaN;
      const parent = this.#parents[ordinal] ?? -1;
      const isInSequence = offset === end && parent === ordinal - 1;
      out.byte(
        (this.#kinds[ordinal] ?? 0) | (isInSequence ? IN_SEQUENCE : 0) | (this.#ids.isHex(ordinal) ? HEX_ID : 0),
      );
      if (!isInSequence) {
        out.signed(offset - end);
        out.signed(ordinal - 1 - parent);
      }
      out.unsigned(length);
      // Zero means no time; differences are shifted by one.
      if (Number.isNaN(timestamp)) out.unsigned(0);
      else {
        const difference = timestamp - time;
        out.unsigned(1 + (difference < 0 ? -2 * difference - 1 : 2 * difference));
        time = timestamp;
      }
      this.#ids.write(ordinal, out);
      end = offset + length + 1;
    }
    return out.bytes();
  }

  /** Decodes consecutive chunks into a new outline. */
  static decode(chunks: readonly Uint8Array[]): Outline {
    const outline = new Outline(capacityFor(chunks.reduce((sum, { length }) => sum + length, 0)));
    for (const chunk of chunks) outline.#decodeChunk(chunk, outline.#count);
    return outline;
  }

  /** Decodes one chunk separately; ordinal 0 is the chunk's first entry, parents stay as stored. */
  static decodeAlone(chunk: Uint8Array, first: number): Outline {
    const outline = new Outline(capacityFor(chunk.length));
    outline.#decodeChunk(chunk, first);
    return outline;
  }

  #decodeChunk(chunk: Uint8Array, first: number): void {
    const input = new ByteReader(chunk);
    let end = 0;
    let time = 0;
    let model = 0;
    for (let ordinal = first; !input.atEnd; ordinal++) {
      if (this.#count === this.#offsets.length) this.#grow();
      const index = this.#count++;
      let kind = input.byte();
      if (kind === NEXT_MODEL) {
        model = input.unsigned();
        kind = input.byte();
      }
      this.#models[index] = model;
      const isInSequence = (kind & IN_SEQUENCE) !== 0;
      const offset = isInSequence ? end : end + input.signed();
      this.#parents[index] = isInSequence ? ordinal - 1 : ordinal - 1 - input.signed();
      const length = input.unsigned();
      this.#offsets[index] = offset;
      this.#lengths[index] = length;
      this.#kinds[index] = kind & ~(IN_SEQUENCE | HEX_ID);
      const encoded = input.unsigned();
      if (encoded === 0) this.#timestamps[index] = Number.NaN;
      else {
        const folded = encoded - 1;
        time += folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
        this.#timestamps[index] = time;
      }
      this.#ids.read(input, (kind & HEX_ID) !== 0);
      end = offset + length + 1;
    }
  }

  #grow(): void {
    const size = this.#offsets.length * 2;
    const grow = <T extends Float64Array | Uint32Array | Int32Array | Uint8Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.#offsets = grow(this.#offsets, new Float64Array(size));
    this.#lengths = grow(this.#lengths, new Uint32Array(size));
    this.#parents = grow(this.#parents, new Int32Array(size));
    this.#timestamps = grow(this.#timestamps, new Float64Array(size));
    this.#kinds = grow(this.#kinds, new Uint8Array(size));
    this.#models = grow(this.#models, new Uint32Array(size));
  }
}

/** Room for the entries of so many encoded bytes; an outline with more of them grows. */
function capacityFor(bytes: number): number {
  return Math.max(FIRST_CAPACITY, Math.ceil(bytes / BYTES_PER_ENTRY));
}
