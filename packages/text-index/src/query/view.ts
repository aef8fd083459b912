import { LRUCache } from "lru-cache";
import type { FastFields } from "../segment/fast-fields.ts";
import type { Segment } from "../segment/segment.ts";
import { type Bitset, emptyBitset, fillRange } from "./bitset.ts";

/** About 100 bytes each: most words are not identifiers. */
const REMEMBERED_SPLITS = 1_000;

/** A segment with derived data that every search needs. */
export class SegmentView {
  readonly segment: Segment;
  readonly documents: FastFields;
  /** Total number of terms. */
  readonly length: number;
  /** Documents of one key are consecutive: start of each run... */
  readonly runStarts: Uint32Array;
  /** ...and its key; it ends where the next one starts. */
  readonly runKeys: Float64Array;
  /** Cached parts of identifiers, see `identifierSplitter`. */
  readonly splits = new LRUCache<string, readonly string[][]>({ max: REMEMBERED_SPLITS });

  constructor(segment: Segment) {
    const { count, keys, lengths } = segment.documents;
    this.segment = segment;
    this.documents = segment.documents;
    let length = 0;
    const starts: number[] = [];
    for (let document = 0; document < count; document++) {
      length += lengths[document] ?? 0;
      if (document === 0 || keys[document] !== keys[document - 1]) starts.push(document);
    }
    this.length = length;
    this.runStarts = Uint32Array.from([...starts, count]);
    this.runKeys = Float64Array.from(starts, (start) => keys[start] ?? 0);
  }

  /** The documents with matching keys. */
  withKeys(isWanted: (key: number) => boolean): Bitset {
    const bits = emptyBitset(this.documents.count);
    for (let run = 0; run < this.runKeys.length; run++) {
      if (isWanted(this.runKeys[run] ?? 0)) fillRange(bits, this.runStarts[run] ?? 0, this.runStarts[run + 1] ?? 0);
    }
    return bits;
  }
}
