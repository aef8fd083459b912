import { crc32 } from "node:zlib";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checksum, plainCrc32, verify } from "./checksum.ts";
import { openDatabase, type TestDatabase } from "./database.fixture.ts";
import { IndexError } from "./index-error.ts";

describe("the checksum of a row", () => {
  it("is that of every release of Node", () => {
    const anyData = fc.oneof(fc.string({ unit: "binary" }), fc.uint8Array());
    fc.assert(
      fc.property(anyData, fc.nat(), (data, before) => {
        expect(plainCrc32(data, before)).toBe(crc32(data, before));
      }),
    );
    expect(plainCrc32("123456789")).toBe(0xcbf43926);
  });

  it("is another one where a value, its place or its border is another one", () => {
    const rows = [
      ["a", 1],
      ["a", 2],
      ["a1", ""],
      [1, "a"],
      ["", "a1"],
      [null, "a"],
      [Uint8Array.of(1), "a"],
      ["a", Buffer.alloc(0)],
    ] as const;
    expect(new Set(rows.map((row) => checksum(...row))).size).toBe(rows.length);
  });
});

describe("the functions of a connection", () => {
  let database: TestDatabase;
  beforeEach(() => {
    database = openDatabase(":memory:");
    database.exec(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n REAL, s TEXT, b BLOB, c INTEGER AS (checksum(id, n, s, b)) STORED)",
    );
  });
  afterEach(() => database.close());

  it.each([
    [5, "text", Buffer.of(1, 2)],
    [1764000000123.25, "ä\u{1F600}", Buffer.alloc(100_000, 7)],
    [-0.5, null, null],
    [2 ** 52, "", Buffer.alloc(0)],
  ])("keep what is verified with the values as they are read: %s, %s", (n, s, b) => {
    database.prepare("INSERT INTO t (n, s, b) VALUES (?, ?, ?)").run(n, s, b);
    const row = database.prepare("SELECT * FROM t").get() as { id: number; n: number; s: string; b: Buffer; c: number };
    expect(() => verify(row.c, row.id, row.n, row.s, row.b)).not.toThrow();
    const isVerified = "SELECT verified(c, id, n, s, b) FROM t WHERE id = ?";
    expect(database.prepare(isVerified).pluck().get(row.id)).toBe(1);
    expect(() => verify(row.c, row.id + 1, row.n, row.s, row.b)).toThrow(IndexError);
    expect(() => database.prepare("SELECT verified(c + 1, id, n, s, b) FROM t").get()).toThrow(IndexError);
  });
});
