import type { PostingsSink, WrittenList } from "../postings/posting-list-writer.ts";
import type { ExpectedChunks } from "../storage/chunk-cache.ts";
import type { FastFields } from "./fast-fields.ts";

/** One part of one entry: the unit of search. */
export interface DocumentOrigin {
  /** Identifies the content in the catalog. */
  key: number;
  /** Index of the entry in the session's outline. */
  ordinal: number;
  /** Index of the part in the entry, see `SessionFormat.parts`. */
  part: number;
  /** Kind and role of the part, see `partCode`. */
  code: number;
  /** Milliseconds since 1970. */
  timestamp: number | null;
}

/** Occurrences of a term in one segment. */
export interface PostingList {
  readonly term: string;
  /** Number of documents with the term. */
  readonly documentCount: number;
  /**
   * Documents in ascending order with their frequencies. Decoded at each call; valid until another list of the database
   * is decoded.
   */
  list(): { documents: Uint32Array; frequencies: Uint32Array };
  /**
   * Documents of a common term as an immutable bitset: a cached one, otherwise decoded if `decode` is true. `null` if
   * not available.
   */
  set(decode: boolean): Uint32Array | null;
  /** Positions in documents requested in ascending order. */
  positions(): PositionCursor;
  /** Notes down where the list is. */
  expect(expected: ExpectedChunks): void;
  /** Notes down where the positions in these documents are; reads the list. @param documents in ascending order. */
  expectPositions(documents: Uint32Array, expected: ExpectedChunks): void;
}

export interface PositionCursor {
  /**
   * Positions in a document, ascending, as term indexes from 0; empty if it lacks the term. Valid until the next call.
   */
  in(document: number): Uint32Array;
  /** Releases its reader; must not be used afterwards. */
  close(): void;
}

/**
 * An immutable set of documents indexed together. Terms are in UTF-16 order. Besides terms of texts, there are prefixed
 * terms without meaningful positions:
 * - `tool:bash`, `model:claude-opus-4-5`, `file:src/app.ts`: field values in lower case, at most `FIELD_LIMIT`
 * characters; once per document.
 * - `id:getusername get user name`: an identifier of the texts with its parts. Has no documents.
 */
export interface Segment {
  readonly id: number;
  /** Size on disk. */
  readonly bytes: number;
  readonly documentCount: number;
  /** Whether what is read of it should be expected: it is stored where several readings at once take as long as one. */
  readonly isDistant: boolean;
  readonly documents: FastFields;
  /** Lengths of the documents, without decoding other columns. */
  readonly lengths: Uint32Array;
  /** Notes down where the dictionary has the term, or those that start with it. */
  expectTerm(term: string, expected: ExpectedChunks): void;
  find(term: string): PostingList | null;
  /** Terms from `from` to before `below`, lazily. */
  range(from: string, below: string): Iterable<PostingList>;
  /** Terms of a range that contain `text`: faster than checking each. */
  containing(text: string, from: string, below: string): Iterable<PostingList>;
}

/** Longer field values lose their middle: paths are searched by their beginning or end. */
const FIELD_LIMIT = 256;
const FIELD_START = 96;
/** Replaces the middle, as a separate path component. */
const LEFT_OUT = "/…/";

/** The term of a field value. */
export function fieldTerm(field: string, value: string): string {
  const isLong = value.length > FIELD_LIMIT;
  const end = value.slice(FIELD_START + LEFT_OUT.length - FIELD_LIMIT);
  return `${field}:${isLong ? value.slice(0, FIELD_START) + LEFT_OUT + end : value}`.toLowerCase();
}

/** Receives the terms of a segment in order, each before or after its list's bytes. */
export interface TermSink extends PostingsSink {
  endTerm(term: string, list: WrittenList): void;
}

/** Builds a segment in memory. */
export interface SegmentBuilder {
  /** Documents begun since the last `clear`. */
  readonly documentCount: number;
  /** Terms added since the last `clear`, proportional to memory and time. */
  readonly termCount: number;
  /** Starts a document; what is added before the next one belongs to it. */
  begin(origin: DocumentOrigin): void;
  addText(text: string): void;
  /** Adds one text in pieces that end at a line break or a space, except the last: no word or payload spans two. */
  addPieces(pieces: Iterable<string>): void;
  /**
   * Adds a text whose lines are contents of JSON strings in UTF-8.
   *
   * @param pieces alternating start and end of each line.
   * @returns `false` if nothing was added, because it must be decoded.
   */
  addJson(bytes: Uint8Array, pieces: readonly number[]): boolean;
  addField(field: string, value: string): void;
  clear(): void;
  /** For `Segments.write`. */
  documents(): FastFields;
  /** For `Segments.write`. */
  emitTerms(sink: TermSink): void;
}

/**
 * The segments of one database. Writes run in the caller's transaction.
 *
 * Readers call `refresh` inside a transaction and read segments only within it: a merge deletes the segments it
 * replaces.
 */
export interface Segments {
  /** The current segments; known ones are the same objects. */
  refresh(): readonly Segment[];
  /** Whether an interrupted merge has left data to remove. */
  readonly hasRemains: boolean;
  /** Bytes of cached chunks and sets. */
  readonly cachedBytes: number;
  /** Stores the built segment, unless it has no documents. Clears the builder. */
  write(builder: SegmentBuilder): void;
  /**
   * Replaces segments by one with their live documents; each `next()` is a step of about 20 ms and needs its own
   * transaction. `write` may be called between two steps. The result replaces the segments in a single late step;
   * further steps delete the replaced ones. If a step fails, or the process ends before, readers see no change, and the
   * next merge, even an empty one, removes the incomplete data. Only one merge may run at a time.
   *
   * @param segments as returned by `refresh`.
   * @param isAlive called for each document, in the first steps.
   */
  merge(
    segments: readonly Segment[],
    isAlive: (segment: Segment, document: number) => boolean,
  ): Generator<void, void, void>;
}
