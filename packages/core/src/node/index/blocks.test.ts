import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase, type SqliteDatabase } from "../sqlite.ts";
import { BLOCKS_SQL, type BlockRow, Blocks, keyOfRow } from "./blocks.ts";
import { VOICES, type Voice } from "./voices.ts";

let database: SqliteDatabase;
let blocks: Blocks;

beforeEach(() => {
  database = openDatabase(":memory:", { durability: "normal" });
  database.exec(BLOCKS_SQL);
  blocks = new Blocks(database);
});

afterEach(() => {
  database.close();
});

function append(voice: Voice, key: number, rows: BlockRow[]): void {
  blocks.put({ voice, first: blocks.nextRow(voice), key, rows });
}

function rowAt(voice: Voice, row: number): (BlockRow & { key: number }) | null {
  const block = blocks.at(voice, row);
  const entry = block?.rows[row - block.first];
  return block === null || entry === undefined ? null : { key: block.key, ...entry };
}

function rowsOf(key: number): (BlockRow & { voice: Voice; row: number })[] {
  return blocks
    .ofKey(key)
    .flatMap(({ voice, first, rows }) => rows.map((entry, place) => ({ voice, row: first + place, ...entry })));
}

function sqlKeyAt(voice: Voice, row: number): unknown {
  return database
    .prepare(`SELECT ${keyOfRow(voice, "@row")}`)
    .pluck()
    .get({ row });
}

const consecutive = (count: number): BlockRow[] =>
  Array.from({ length: count }, (_, place) => ({ ordinal: place, code: place % 10 }));

describe("Blocks", () => {
  it("starts every voice at row 1, with nothing in it", () => {
    for (const voice of VOICES) {
      expect(blocks.nextRow(voice)).toBe(1);
      expect(blocks.at(voice, 1)).toBeNull();
    }
    expect(blocks.ofKey(1)).toEqual([]);
  });

  it.each([
    { ordinals: [0] },
    { ordinals: [0, 0, 0] },
    { ordinals: [253, 254] },
    { ordinals: [254, 508] },
    { ordinals: [255, 510] },
    { ordinals: [256, 511, 767, 1023] },
    { ordinals: [0, 0xffff, 0x1_0000, 0x1_ffff] },
    { ordinals: [0xff_ffff, 0x1ff_fffe] },
    { ordinals: [1, 0x8000_0000] },
    { ordinals: [0, 0xffff_ffff, 0xffff_ffff] },
  ])("keeps the ordinals $ordinals", ({ ordinals }) => {
    const rows = ordinals.map((ordinal, place) => ({ ordinal, code: 255 - place }));
    append("tool", 7, rows);
    expect(blocks.at("tool", rows.length)).toEqual({ voice: "tool", first: 1, key: 7, rows });
  });

  it("stores two bytes for each row of a session in sequence", () => {
    append("user", 1, consecutive(1024));
    expect(database.prepare("SELECT length(entries) FROM blocks").pluck().all()).toEqual([2048]);
  });

  it.each([1, 1023, 1024, 1025, 2048, 2049, 5000])("puts %i rows into blocks of at most 1,024", (count) => {
    append("assistant", 1, consecutive(10));
    append("assistant", 2, consecutive(count));
    append("assistant", 3, consecutive(1));
    const found = blocks.ofKey(2);
    expect(found).toHaveLength(Math.ceil(count / 1024));
    expect(found.flatMap((block) => block.rows)).toEqual(consecutive(count));
    expect(found.map((block) => block.first)).toEqual(found.map((_, place) => 11 + place * 1024));
    for (const place of [0, 1022, 1023, 1024, count - 1].filter((at) => at < count)) {
      expect(rowAt("assistant", 11 + place)).toEqual({ key: 2, ordinal: place, code: place % 10 });
      expect(sqlKeyAt("assistant", 11 + place)).toBe(2);
    }
    expect(rowAt("assistant", 10)).toEqual({ key: 1, ordinal: 9, code: 9 });
    expect(rowAt("assistant", 11 + count)).toEqual({ key: 3, ordinal: 0, code: 0 });
    expect(blocks.nextRow("assistant")).toBe(12 + count);
  });

  it("puts no block for no rows", () => {
    append("user", 1, []);
    expect(blocks.ofKey(1)).toEqual([]);
    expect(blocks.nextRow("user")).toBe(1);
  });

  it("tells voices apart at their borders", () => {
    append("user", 1, consecutive(3));
    expect(blocks.nextRow("assistant")).toBe(1);
    expect(blocks.at("assistant", 0)).toBeNull();
    expect(blocks.at("assistant", 1)).toBeNull();
    append("other", 2, consecutive(2));
    expect(blocks.nextRow("tool")).toBe(1);
    expect(blocks.nextRow("other")).toBe(3);
    expect(blocks.at("user", 4)).toBeNull();
    expect(rowAt("other", 2)).toEqual({ key: 2, ordinal: 1, code: 1 });
  });

  it("takes no row twice", () => {
    append("user", 1, consecutive(3));
    expect(() => blocks.put({ voice: "user", first: 1, key: 2, rows: consecutive(1) })).toThrow("UNIQUE");
  });

  it("reports a block of an unknown voice", () => {
    database
      .prepare("INSERT INTO blocks (id, key, rows, entries) VALUES (?, 1, 1, x'0000')")
      .run(VOICES.length * 2 ** 48 + 1);
    expect(() => blocks.ofKey(1)).toThrow("unknown voice, 4");
  });

  it("does as a plain array does", () => {
    type Row = BlockRow & { key: number };
    const leap = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 3 }) },
      { weight: 2, arbitrary: fc.constantFrom(253, 254, 255, 256, 510, 0xffff, 0x1_0000) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 0x7fff_ffff }) },
    );
    const step = fc.record({ leap, code: fc.integer({ min: 0, max: 255 }) });
    const voice = fc.constantFrom(...VOICES);
    const key = fc.integer({ min: 1, max: 5 });
    const action = fc.oneof(
      fc.record({
        put: fc.array(step, { minLength: 1, maxLength: 12 }),
        repeat: fc.constantFrom(1, 1, 1, 100, 300),
        voice,
        key,
      }),
      fc.record({ remove: key }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 20 }), (actions, looks) => {
        database.exec("DELETE FROM blocks");
        const model: Record<Voice, (Row | null)[]> = { user: [], assistant: [], tool: [], other: [] };
        for (const action of actions) {
          if ("remove" in action) {
            blocks.delete(action.remove);
            for (const name of VOICES) {
              const rows = model[name].map((row) => (row?.key === action.remove ? null : row));
              model[name] = rows.slice(0, rows.findLastIndex((row) => row !== null) + 1);
            }
            continue;
          }
          let ordinal = 0;
          const rows = Array.from({ length: action.repeat }, () => action.put)
            .flat()
            .map(({ leap: difference, code }) => {
              ordinal = Math.min(ordinal + difference, 0xffff_ffff);
              return { ordinal, code };
            });
          append(action.voice, action.key, rows);
          model[action.voice].push(...rows.map((row) => ({ key: action.key, ...row })));
        }
        for (const name of VOICES) {
          const rows = model[name];
          expect(blocks.nextRow(name)).toBe(rows.length + 1);
          for (const row of [0, 1, rows.length, rows.length + 1, ...looks.map((look) => 1 + (look % 4000))]) {
            const expected = rows[row - 1] ?? null;
            expect(rowAt(name, row)).toEqual(expected);
            if (expected !== null) expect(sqlKeyAt(name, row)).toBe(expected.key);
          }
        }
        for (let number = 1; number <= 5; number++) {
          const expected = VOICES.flatMap((name) =>
            model[name].flatMap((row, place) =>
              row?.key === number ? [{ voice: name, row: place + 1, ordinal: row.ordinal, code: row.code }] : [],
            ),
          );
          expect(rowsOf(number)).toEqual(expected);
        }
      }),
      { numRuns: 150 },
    );
  });
});
