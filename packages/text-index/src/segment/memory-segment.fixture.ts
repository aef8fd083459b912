import { add, emptyBitset } from "../query/bitset.ts";
import type { FastFields } from "./fast-fields.ts";
import { modelOf, type TestDocument } from "./model.fixture.ts";
import type { PositionCursor, PostingList, Segment } from "./segment.ts";

export { build, contentOf, type TestDocument } from "./model.fixture.ts";

/** A document that has a text, of key 1 and code 0 unless `origin` says otherwise. */
export function documentOf(
  text: string,
  origin: Partial<TestDocument["origin"]> = {},
  fields: TestDocument["fields"] = [],
): TestDocument {
  return { origin: { key: 1, ordinal: 0, part: 0, code: 0, timestamp: 0, ...origin }, texts: [text], fields };
}

/** A segment as the port describes it, in memory: quick to make, and nothing of it depends on how segments are stored. */
export function memorySegment(id: number, documents: readonly TestDocument[]): Segment {
  const { terms, lengths } = modelOf(documents);
  const sorted = [...terms.keys()].sort();
  const origins = documents.map(({ origin }) => origin);
  const columns: FastFields = {
    count: documents.length,
    keys: Float64Array.from(origins, (origin) => origin.key),
    ordinals: Uint32Array.from(origins, (origin) => origin.ordinal),
    parts: Uint32Array.from(origins, (origin) => origin.part),
    codes: Uint8Array.from(origins, (origin) => origin.code),
    timestamps: Float64Array.from(origins, (origin) => origin.timestamp ?? Number.NaN),
    lengths: Uint32Array.from(lengths),
  };

  const postingsOf = (term: string): PostingList => {
    const list = terms.get(term) ?? [];
    const positions = (): PositionCursor => {
      let before = 0;
      return {
        in(document) {
          if (document < before) throw new Error("Documents are to be asked for in ascending order.");
          before = document;
          return Uint32Array.from(list.find(([other]) => other === document)?.[1] ?? []);
        },
        close: () => undefined,
      };
    };
    return {
      term,
      documentCount: list.length,
      list: () => ({
        documents: Uint32Array.from(list, ([document]) => document),
        frequencies: Uint32Array.from(list, ([, positions]) => Math.max(1, positions.length)),
      }),
      set(decode) {
        if (!decode || list.length < 5) return null;
        const set = emptyBitset(documents.length);
        for (const [document] of list) add(set, document);
        return set;
      },
      positions,
      expect: () => undefined,
      expectPositions: () => undefined,
    };
  };

  const range = (from: string, below: string) => sorted.filter((term) => term >= from && term < below).map(postingsOf);
  return {
    id,
    bytes: 0,
    documentCount: columns.count,
    isDistant: false,
    documents: columns,
    lengths: columns.lengths,
    expectTerm: () => undefined,
    find: (term) => (terms.has(term) ? postingsOf(term) : null),
    range,
    containing: (text, from, below) => range(from, below).filter(({ term }) => term.includes(text)),
  };
}
