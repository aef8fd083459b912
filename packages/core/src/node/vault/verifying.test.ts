import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../storage/sqlite.ts";
import { bytesOf, lines, MemoryFile } from "./vault.fixture.ts";
import { type Damaged, Vault, VaultDamage } from "./vault.ts";

let directory: string;
let path: string;
let vault: Vault;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "vault-verifying-"));
  path = join(directory, "vault.db");
  vault = Vault.open(path);
});

afterEach(() => {
  vault.close();
  rmSync(directory, { recursive: true });
});

/** Changes the vault as a defect of a disk would, and opens it again. */
function damage(sql: string): void {
  vault.close();
  const database = openDatabase(path, { durability: "normal" });
  database.pragma("foreign_keys = OFF");
  database.exec(sql);
  database.close();
  vault = Vault.open(path);
}

/** Changes rows of a table and not its index, as flipped bytes do. */
function damageTable(index: string, sql: string): void {
  vault.close();
  const opened = () => {
    const database = openDatabase(path, { durability: "normal" }).unsafeMode();
    database.pragma("foreign_keys = OFF");
    database.pragma("writable_schema = ON");
    return database;
  };
  const before = opened();
  const row = before.prepare("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE name = ?").get(index);
  before.prepare("DELETE FROM sqlite_schema WHERE name = ?").run(index);
  before.close();
  const without = opened();
  without.exec(sql);
  without.prepare("INSERT INTO sqlite_schema VALUES (@type, @name, @tbl_name, @rootpage, @sql)").run(row);
  without.close();
  vault = Vault.open(path);
}

function verifyAll(limit = 100): Damaged[] {
  const found: Damaged[] = [];
  for (let cursor: string | null = null; ; ) {
    const { damaged, next }: ReturnType<Vault["verify"]> = vault.verify(cursor, limit);
    found.push(...damaged);
    if (next === null) return found;
    cursor = next;
  }
}

const WHOLE = lines(1, 1_500_000);
const LINE = lines(2, 2_000);

function keepOne(): MemoryFile {
  const file = new MemoryFile("/a", WHOLE);
  vault.keep(file.opened());
  vault.keep(file.append(LINE).opened());
  vault.keep(new MemoryFile("/copy", WHOLE).opened());
  return file;
}

describe("verifying", () => {
  it("finds nothing in a good vault, in steps of any size", () => {
    keepOne();
    for (const limit of [1, 2, 100]) expect(verifyAll(limit)).toEqual([]);
  });

  it.each([
    [
      "packed bytes",
      "UPDATE chunks SET packed = substr(packed, 1, 1000) || zeroblob(10) || substr(packed, 1011) WHERE id = 2",
    ],
    ["a shorter row", "UPDATE chunks SET packed = substr(packed, 1, 1000) WHERE id = 2"],
    ["another way of packing", "UPDATE chunks SET quality = 0 WHERE id = 2"],
  ])("names the sessions whose chunk is damaged, and takes it again from one of them: %s", (_, sql) => {
    const file = keepOne();
    damage(sql);
    const [damaged, ...others] = verifyAll();
    if (damaged === undefined) throw new Error("Nothing was found.");
    expect(others).toEqual([]);
    expect(damaged).toMatchObject({ kind: "chunk", id: 2, places: [{ path: "/a" }, { path: "/copy" }] });
    expect(() => bytesOf(vault, vault.newest("/copy"))).toThrow(VaultDamage);
    const changed = new MemoryFile("/copy", WHOLE.replaceAll("word", "WORD"));
    expect(vault.repair(damaged, changed.opened())).toBe(false);
    expect(vault.repair(damaged, file.opened())).toBe(true);
    expect(verifyAll()).toEqual([]);
    expect(bytesOf(vault, vault.newest("/copy")).toString() === WHOLE).toBe(true);
  });

  it("does the same with lines that were just kept", () => {
    const file = keepOne();
    damage("UPDATE tails SET packed = zeroblob(length(packed))");
    const [damaged] = verifyAll();
    if (damaged === undefined) throw new Error("Nothing was found.");
    expect(damaged).toMatchObject({ kind: "tail", places: [{ path: "/a", offset: WHOLE.length }] });
    expect(vault.repair(damaged, file.opened())).toBe(true);
    expect(verifyAll()).toEqual([]);
  });

  it.each([
    "UPDATE pieces SET offset = offset + 1 WHERE generation = 1 AND offset > 0",
    "DELETE FROM pieces WHERE generation = 1 AND offset > 0",
    "DELETE FROM chunks WHERE id = 2",
  ])("finds a generation that lacks bytes, which are kept anew: %s", (sql) => {
    const file = keepOne();
    damage(sql);
    const found = verifyAll().filter(({ kind }) => kind === "pieces");
    expect(found[0]).toMatchObject({ id: 1, places: [{ path: "/a" }] });
    expect(found[0] !== undefined && vault.repair(found[0], file.opened())).toBe(false);
    expect(() => bytesOf(vault, vault.newest("/a"))).toThrow(VaultDamage);
    expect(vault.keepAnew(file.opened()).isNewGeneration).toBe(true);
    expect(bytesOf(vault, vault.newest("/a")).equals(file.content)).toBe(true);
  });
});

describe("rows that say what belongs to what", () => {
  it.each<[string, string, string]>([
    [
      "another chunk",
      "pieces_of_chunk",
      "UPDATE pieces SET chunk = (SELECT max(id) FROM chunks) WHERE generation = 1 AND offset = 0",
    ],
    ["another file", "generations_of_file", "UPDATE generations SET file = 999 WHERE id = 1"],
  ])("are damaged where their index says something else: %s", (_, index, sql) => {
    const file = new MemoryFile("/a", WHOLE);
    vault.keep(file.opened());
    vault.keep(new MemoryFile("/b", lines(5, 1_500_000)).opened());
    damageTable(index, sql);
    const found = verifyAll().filter(({ kind, id }) => kind === "pieces" && id === 1);
    expect(found).toHaveLength(1);
  });

  it("that are damaged are kept anew, and do not keep others from being removed", () => {
    const file = new MemoryFile("/a", WHOLE);
    vault.keep(file.opened());
    damageTable("pieces_of_chunk", "UPDATE pieces SET chunk = 1 WHERE generation = 1");
    expect(vault.keepAnew(file.opened()).isNewGeneration).toBe(true);
    expect(bytesOf(vault, vault.newest("/a")).equals(file.content)).toBe(true);
    vault.purge({ replacedFor: 0 });
    expect(vault.generations("/a")).toHaveLength(1);
    expect(verifyAll()).toEqual([]);
  });
});

describe("a file that grows where its kept bytes are damaged", () => {
  it("is kept from its start once more", () => {
    const file = keepOne();
    damage(
      "UPDATE chunks SET packed = zeroblob(length(packed)) WHERE size = (SELECT size FROM chunks c JOIN pieces p ON p.chunk = c.id WHERE p.generation = 1 ORDER BY p.offset DESC LIMIT 1)",
    );
    vault.keep(file.append(lines(3, 900_000)).opened());
    expect(bytesOf(vault, vault.newest("/a")).equals(file.content)).toBe(true);
  });
});

describe("settling", () => {
  it("packs better what was kept, and changes nothing else", () => {
    const now = 1_700_000_000_000;
    vault.close();
    vault = Vault.open(path, { clock: () => now });
    const file = keepOne();
    for (let n = 0; n < 20; n++) vault.keep(file.append(lines(n, 500)).opened());
    const first = vault.settle(1);
    expect(first.isDone).toBe(false);
    expect(first.savedBytes).toBeGreaterThan(0);
    expect(vault.settle(2 ** 30).isDone).toBe(true);
    vault.close();
    vault = Vault.open(path, { clock: () => now + 60 * 60 * 1000 });
    expect(vault.settle(2 ** 30)).toMatchObject({ isDone: true, bytes: expect.any(Number) });
    expect(vault.settle(2 ** 30)).toEqual({ bytes: 0, savedBytes: 0, isDone: true });
    expect(bytesOf(vault, vault.newest("/a")).equals(file.content)).toBe(true);
    vault.keep(file.append(LINE).opened());
    expect(bytesOf(vault, vault.newest("/a")).equals(file.content)).toBe(true);
    expect(verifyAll()).toEqual([]);
  });
});
