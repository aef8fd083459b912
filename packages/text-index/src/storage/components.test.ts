import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ChunkCache } from "./chunk-cache.ts";
import { CHUNK_BYTES, ComponentReader, ComponentWriter, SqliteChunks } from "./components.ts";
import { openDatabase, type TestDatabase } from "./database.fixture.ts";
import { IndexError } from "./index-error.ts";
import { SEGMENTS_SQL } from "./schema.ts";

let database: TestDatabase;

beforeEach(() => {
  database = openDatabase(":memory:");
  database.exec(SEGMENTS_SQL);
});

afterEach(() => {
  database.close();
});

function store(pieces: readonly Uint8Array[]): ComponentReader {
  const insert = database.prepare("INSERT INTO chunks (id, bytes) VALUES (?, ?)");
  const writer = new ComponentWriter((row, bytes) => insert.run(row, bytes), 1, "positions");
  for (const piece of pieces) writer.append(piece);
  writer.finish();
  return new ComponentReader(
    new ChunkCache(new SqliteChunks(database), 4 * CHUNK_BYTES),
    1,
    "positions",
    writer.length,
  );
}

describe("an component", () => {
  it("is read in any pieces, whatever the pieces it was written in", () => {
    const bytes = Buffer.from(Array.from({ length: CHUNK_BYTES * 7 + 100 }, (_, at) => (at * 31) >> 3));
    const pieces = [0, 10, CHUNK_BYTES, CHUNK_BYTES * 3 + 1, CHUNK_BYTES * 3 + 2, bytes.length];
    const component = store(pieces.slice(1).map((end, at) => bytes.subarray(pieces[at], end)));
    fc.assert(
      fc.property(fc.nat(bytes.length), fc.oneof(fc.nat(100), fc.nat(CHUNK_BYTES * 3)), (offset, atMost) => {
        const length = Math.min(atMost, bytes.length - offset);
        const room = { begin: (size: number) => new Uint8Array(size) };
        for (const read of [component.read(offset, length), component.readInto(room, offset, length)]) {
          expect(Buffer.compare(read, bytes.subarray(offset, offset + length))).toBe(0);
        }
      }),
    );
    expect(() => component.read(bytes.length - 1, 2)).toThrow(IndexError);
    const noRoom = { begin: () => expect.unreachable("Damage is noticed before there is room for it.") };
    expect(() => component.readInto(noRoom, 0, 2 ** 50)).toThrow(IndexError);
  });

  it("leaves next to nothing of its pages empty", () => {
    const pageCount = () => Number(database.pragma("page_count", { simple: true }));
    const before = pageCount();
    store([new Uint8Array(CHUNK_BYTES * 400)]);
    const used = (pageCount() - before) * Number(database.pragma("page_size", { simple: true }));
    expect(used / (CHUNK_BYTES * 400)).toBeLessThan(1.005);
  });
});
