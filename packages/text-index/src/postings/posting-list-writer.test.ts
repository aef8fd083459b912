import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FastFieldWriter } from "../segment/fast-field-codec.ts";
import type { FastFields } from "../segment/fast-fields.ts";
import { BitWriter, writePositions } from "./bit-writer.fixture.ts";
import { PostingListWriter } from "./posting-list-writer.ts";

/** Where a document has the one term of the list; it has another one everywhere else. */
interface Occurrences {
  length: number;
  positions: Uint32Array;
}

const anyDocuments = fc.array(
  fc.tuple(fc.uniqueArray(fc.oneof(fc.nat(20), fc.nat(5000)), { minLength: 1, maxLength: 40 }), fc.nat(100)),
  { minLength: 1, maxLength: 300 },
);

function columnsOf(documents: Occurrences[]): FastFields {
  const list = new FastFieldWriter();
  for (const [ordinal, { length }] of documents.entries()) {
    list.add({ key: 1, ordinal, part: 0, code: 0, timestamp: null });
    list.setLength(length);
  }
  return list.columns();
}

/** Keeps the bytes of positions. */
function collect() {
  const pieces: Uint8Array[] = [];
  const sink = {
    appendPostings: () => {},
    appendPositions: (bytes: Uint8Array) => {
      pieces.push(bytes.slice());
    },
  };
  return { sink, bytes: () => Buffer.concat(pieces) };
}

function added(documents: Occurrences[]): Buffer {
  const { sink, bytes } = collect();
  const writer = new PostingListWriter();
  writer.begin(columnsOf(documents), sink);
  for (const [document, { positions }] of documents.entries()) writer.add(document, positions, positions.length);
  writer.end();
  writer.finish();
  return bytes();
}

function sorted(documents: Occurrences[]): Buffer {
  const { sink, bytes } = collect();
  const writer = new PostingListWriter();
  const starts = documents.map(({ length, positions }) => {
    const start = writer.termCount;
    const terms = new Uint32Array(length).fill(1);
    for (const position of positions) terms[position] = 0;
    writer.append(terms);
    return start;
  });
  let end = 0;
  writer.writeSorted(columnsOf(documents), Uint32Array.from(starts), Uint32Array.of(0, 1), sink, (term, list) => {
    if (term === 0) end = list.positionsLength;
  });
  return bytes().subarray(0, end);
}

/** The same in plain TypeScript: blocks of 128 documents, each to whole bytes. */
function expected(documents: Occurrences[]): Buffer {
  const blocks: Uint8Array[] = [];
  for (let from = 0; from < documents.length; from += 128) {
    const bits = new BitWriter();
    for (const { length, positions } of documents.slice(from, from + 128)) {
      writePositions(bits, positions, 0, positions.length, length);
    }
    blocks.push(bits.take());
  }
  return Buffer.concat(blocks);
}

describe("PostingListWriter", () => {
  it("writes the positions of a list, added or sorted, block by block", () => {
    fc.assert(
      fc.property(anyDocuments, (list) => {
        const documents = list.map(([positions, rest]) => {
          const ascending = Uint32Array.from(positions).sort();
          return { length: (ascending.at(-1) ?? 0) + 1 + rest, positions: ascending };
        });
        expect(added(documents)).toEqual(expected(documents));
        expect(sorted(documents)).toEqual(expected(documents));
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ["of more zeros than are handed over at a time", 300_000, 600_000],
    ["of as many bits as are written at a time", 54, 60],
    ["of one bit more", 55, 60],
  ])("writes a gap %s", (_, run, gap) => {
    // So many close together make a code that takes as many zeros for what lies far apart.
    const positions = Uint32Array.from({ length: run + 1 }, (_, at) => (at < run ? at : run + gap));
    const documents = [{ length: run + gap + 1, positions }];
    expect(added(documents)).toEqual(expected(documents));
    expect(sorted(documents)).toEqual(expected(documents));
  });
});
