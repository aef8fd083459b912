import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSegmentBuilder } from "../indexing/segment-builder.ts";
import { openDatabase, type TestDatabase } from "../storage/database.fixture.ts";
import { IndexError } from "../storage/index-error.ts";
import { SEGMENTS_SQL } from "../storage/schema.ts";
import { build, contentOf, originsOf, type TestDocument } from "./model.fixture.ts";
import { openSegments } from "./segments.ts";

interface Chunk {
  id: number;
  bytes: Buffer;
}

let database: TestDatabase;
let chunks: Chunk[];

beforeAll(() => {
  database = openDatabase(":memory:");
  database.exec(SEGMENTS_SQL);
  const builder = createSegmentBuilder();
  const documents = Array.from({ length: 400 }, (_, at): TestDocument => {
    const words = Array.from({ length: at % 50 }, (_unused, word) => `w${(at * word) % 301}`);
    return {
      origin: { key: 1 + (at >> 6), ordinal: at, part: at % 3, code: 2, timestamp: 1e12 + at },
      texts: [`often ${words.join(" ")} getName ${"x ".repeat(at % 7)}`],
      fields: [["tool", `t${at % 5}`]],
    };
  });
  build(builder, documents);
  openSegments(database).write(builder);
  chunks = database.prepare("SELECT id, bytes FROM chunks ORDER BY id").all() as Chunk[];
});

afterAll(() => {
  database.close();
});

/** Reads and merges everything of a segment whose chunks are others. */
function useDamaged(damaged: readonly Chunk[]): void {
  database.exec("SAVEPOINT damaged; DELETE FROM chunks");
  try {
    const insert = database.prepare("INSERT INTO chunks (id, bytes) VALUES (?, ?)");
    for (const { id, bytes } of damaged) insert.run(id, bytes);
    const segments = openSegments(database);
    const [segment] = segments.refresh();
    if (segment === undefined) throw new Error("The segment is gone.");
    contentOf(segment);
    originsOf(segment);
    segment.find("often")?.list();
    segment.find("often")?.set(true);
    for (const _ of segment.containing("w1", "", "z"));
    for (const _ of segments.merge([segment], () => true));
  } finally {
    database.exec("ROLLBACK TO damaged; RELEASE damaged");
  }
}

/** Nonsense that looks sound cannot be told from sense; anything else has to be an `IndexError`. */
function expectNoOtherError(damaged: readonly Chunk[]): void {
  try {
    useDamaged(damaged);
  } catch (error) {
    expect(error).toBeInstanceOf(IndexError);
  }
}

describe("damage in a segment", () => {
  it("is no damage where nothing was changed", () => {
    expect(() => useDamaged(chunks)).not.toThrow();
  });

  it("is an IndexError or goes unnoticed, whatever bytes there are", () => {
    const anyChange = fc.tuple(fc.nat(), fc.nat(), fc.oneof(fc.constantFrom(0, 0x7f, 0x80, 0xff), fc.nat(255)));
    fc.assert(
      fc.property(fc.array(anyChange, { minLength: 1, maxLength: 4 }), (changes) => {
        const damaged = chunks.map(({ id, bytes }) => ({ id, bytes: Buffer.from(bytes) }));
        for (const [chunk, place, byte] of changes) {
          const { bytes } = damaged[chunk % damaged.length] as Chunk;
          bytes[place % bytes.length] = byte;
        }
        expectNoOtherError(damaged);
      }),
      { numRuns: 300 },
    );
  });

  it.each([0, 1, 2, 3, 4])("is an IndexError where chunk %i is missing, cut off, or full of one byte", (number) => {
    const others = chunks.filter((_, at) => at !== number);
    const { id, bytes } = chunks[number] as Chunk;
    expect(() => useDamaged(others)).toThrow(IndexError);
    expect(() => useDamaged([...others, { id, bytes: bytes.subarray(0, bytes.length - 1) }])).toThrow(IndexError);
    for (const byte of [0x00, 0x7f, 0x80, 0xff]) {
      expectNoOtherError([...others, { id, bytes: Buffer.alloc(bytes.length, byte) }]);
    }
  });

  it("is an IndexError where the row of the segment tells more than there is", () => {
    for (const column of ["documents", "documents_bytes", "blocks_bytes"]) {
      database.exec("SAVEPOINT other");
      database.exec(`UPDATE segments SET ${column} = ${column} + 1000000000`);
      expect(() => useDamaged(chunks)).toThrow(IndexError);
      database.exec("ROLLBACK TO other; RELEASE other");
    }
  });
});
