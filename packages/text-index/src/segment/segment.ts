import type { PostingsSink, WrittenList } from "../postings/posting-list-writer.ts";
import type { FastFields } from "./fast-fields.ts";

/** One part of one entry: what a search matches as a whole. */
export interface DocumentOrigin {
  /** Names the content in the catalog. */
  key: number;
  /** Place of the entry in the session's outline. */
  ordinal: number;
  /** Place of the part in the entry, see `SessionFormat.parts`. */
  part: number;
  /** Kind and role of the part, see `partCode`. */
  code: number;
  /** Milliseconds since 1970. */
  timestamp: number | null;
}

/** Where a term stands in the documents of one segment. */
export interface PostingList {
  readonly term: string;
  /** How many documents have it. */
  readonly documentCount: number;
  /**
   * The documents in ascending order, and how often each has the term. Decoded anew with each call, and valid until
   * another list of the database is decoded.
   */
  list(): { documents: Uint32Array; frequencies: Uint32Array };
  /**
   * The documents of a common term as a set, a bit each and 32 in a number, not to be changed: what is known from
   * before, or else decoded where `decode` says so. `null` where there is none.
   */
  set(decode: boolean): Uint32Array | null;
  /** The places of the term in documents that are asked for in ascending order. */
  positions(): PositionCursor;
}

export interface PositionCursor {
  /**
   * The positions in a document, ascending and counted from 0 by term; empty where it lacks the term. Valid until the
   * next call.
   */
  in(document: number): Uint32Array;
  /** Gives back what it reads with, for the next one: it is not asked again. */
  close(): void;
}

/**
 * What was indexed at one time, immutable. Terms are ordered by their UTF-16 units. Apart from the terms of texts there
 * are terms with a prefix and no positions of meaning:
 * - `tool:bash`, `model:claude-opus-4-5`, `file:src/app.ts`: values of fields, folded to lower case, at most
 *   `FIELD_LIMIT` characters; a document has each once.
 * - `id:getusername get user name`: an identifier that the texts have, and its parts. No document has it.
 */
export interface Segment {
  readonly id: number;
  /** On disk. */
  readonly bytes: number;
  readonly documentCount: number;
  readonly documents: FastFields;
  /** Of the documents, for who needs nothing else of them. */
  readonly lengths: Uint32Array;
  find(term: string): PostingList | null;
  /** Terms from `from` on and before `below`, lazily. */
  range(from: string, below: string): Iterable<PostingList>;
  /** Those of a range that have `text` in them: quicker than to look at each. */
  containing(text: string, from: string, below: string): Iterable<PostingList>;
}

/** Of longer values of fields the middle is left out: a path is looked for by its end, or by its beginning. */
const FIELD_LIMIT = 256;
const FIELD_START = 96;
/** In its place, a piece of a path of its own. */
const LEFT_OUT = "/…/";

/** The term that stands for the value of a field. */
export function fieldTerm(field: string, value: string): string {
  const isLong = value.length > FIELD_LIMIT;
  const end = value.slice(FIELD_START + LEFT_OUT.length - FIELD_LIMIT);
  return `${field}:${isLong ? value.slice(0, FIELD_START) + LEFT_OUT + end : value}`.toLowerCase();
}

/** Takes the terms of a segment in their order, each after the bytes of its list or before them. */
export interface TermSink extends PostingsSink {
  endTerm(term: string, list: WrittenList): void;
}

/** Builds a segment in memory. */
export interface SegmentBuilder {
  /** Documents begun since the last `clear`. */
  readonly documentCount: number;
  /** Terms added since the last `clear`: what memory and time are proportional to. */
  readonly termCount: number;
  /** Begins a document; what is added until the next one belongs to it. */
  begin(origin: DocumentOrigin): void;
  addText(text: string): void;
  /** Adds one text in pieces, each but the last to the end of a line or to a space: no word or payload goes over one. */
  addPieces(pieces: Iterable<string>): void;
  /**
   * Adds a text of which each line is what stands between the quotes of a JSON string in UTF-8.
   *
   * @param pieces where each line begins and ends, by turns.
   * @returns `false` where nothing was added, since it is to be decoded.
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
 * The segments of one database. Writing happens in the transaction of the caller.
 *
 * A reader calls `refresh` inside a transaction and reads segments in it only: a merge removes what it has replaced.
 */
export interface Segments {
  /** The segments as they are now; those that were known before are the same objects. */
  refresh(): readonly Segment[];
  /** Whether there is something to remove that a merge has left behind, since its process was killed. */
  readonly hasRemains: boolean;
  /** Keeps what was built; nothing where it has no documents. Clears the builder. */
  write(builder: SegmentBuilder): void;
  /**
   * Replaces segments by one with their living documents, a step of some 20 ms with each `next()`. Each step belongs
   * into a transaction of its own; `write` may be called between two. The result takes the place of the segments within
   * one step, late in the merge; the steps after it remove what was replaced. Where a step fails, or the process ends,
   * nothing has changed to readers, and the next merge, also one of no segments, removes what was left behind. So there
   * is one merge at a time.
   *
   * @param segments as `refresh` has told them.
   * @param isAlive called for each document, in the first steps.
   */
  merge(
    segments: readonly Segment[],
    isAlive: (segment: Segment, document: number) => boolean,
  ): Generator<void, void, void>;
}
