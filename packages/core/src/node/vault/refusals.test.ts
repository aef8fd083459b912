import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../storage/sqlite.ts";
import { ChunkStore } from "./chunk-store.ts";
import { Keeper } from "./keeping.ts";
import { VaultReader } from "./reading.ts";
import { bytesOf, lines, MemoryFile } from "./vault.fixture.ts";
import { Vault, VaultDamage } from "./vault.ts";
import { VaultDatabase } from "./vault-database.ts";

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "vault-refusals-"));
  path = join(directory, "vault.db");
});

afterEach(() => rmSync(directory, { recursive: true }));

function withVault<T>(use: (vault: Vault) => T): T {
  const vault = Vault.open(path);
  try {
    return use(vault);
  } finally {
    vault.close();
  }
}

describe("a vault that cannot be used", () => {
  it("is told by what is wrong", () => {
    expect(() => Vault.open(path, { isReadOnly: true })).toThrow(/no vault/);
    writeFileSync(path, "no database, but longer than the header of one, ".repeat(100));
    expect(() => Vault.open(path)).toThrow(VaultDamage);
    rmSync(path);
    const foreign = openDatabase(path, { durability: "normal" });
    foreign.exec("CREATE TABLE theirs (id INTEGER)");
    foreign.close();
    expect(() => Vault.open(path)).toThrow(/another program/);
    writeFileSync(join(directory, "file"), "");
    expect(() => Vault.open(join(directory, "file", "vault.db"))).toThrow(/^Could not write/);
  });

  it("is left alone by an older program", () => {
    withVault((vault) => vault.keep(new MemoryFile("/a", "a").opened()));
    const newer = openDatabase(path, { durability: "normal" });
    newer.pragma("user_version = 99");
    newer.close();
    for (const isReadOnly of [false, true]) expect(() => Vault.open(path, { isReadOnly })).toThrow(/newer version/);
  });
});

describe("a vault that is only read", () => {
  it("gives what it has, also while another writes", () => {
    withVault((vault) => {
      vault.keep(new MemoryFile("/a", "a").opened());
      const reading = Vault.open(path, { isReadOnly: true });
      expect(bytesOf(reading, reading.newest("/a")).toString()).toBe("a");
      vault.keep(new MemoryFile("/b", "b").opened());
      expect(bytesOf(reading, reading.newest("/b")).toString()).toBe("b");
      expect(reading.purge({ replacedFor: 0, isDryRun: true }).generations).toEqual([]);
      expect(() => reading.keep(new MemoryFile("/c", "c").opened())).toThrow(/^Could not write/);
      reading.close();
    });
  });
});

describe("a disk that is full", () => {
  it("loses nothing, and keeps the rest when there is room again", () => {
    const database = new VaultDatabase(path, false, Date.now);
    const reader = new VaultReader(database);
    const keeper = new Keeper(database, reader, new ChunkStore(database));
    const small = new MemoryFile("/small", lines(1, 300_000));
    const large = new MemoryFile("/large", lines(2, 9_000_000));
    keeper.keep(small.opened());
    const pages = Number(database.client.pragma("page_count", { simple: true }));
    database.client.pragma(`max_page_count = ${pages + 50}`);
    expect(() => keeper.keep(large.opened())).toThrow(/^Could not write .*free space/);
    for (let n = 0; ; n++) {
      try {
        keeper.keep(small.append(lines(n, 20_000)).opened());
      } catch (error) {
        expect(error).toMatchObject({ code: "UNAVAILABLE" });
        break;
      }
    }
    withVault((vault) => {
      expect(vault.newest("/large")).toBeNull();
      const kept = bytesOf(vault, vault.newest("/small"));
      expect(small.content.subarray(0, kept.length).equals(kept)).toBe(true);
      expect(kept.length).toBeGreaterThan(300_000);
    });
    database.client.pragma("max_page_count = 1000000");
    keeper.keep(small.opened());
    keeper.keep(large.opened());
    database.close();
    withVault((vault) => {
      expect(bytesOf(vault, vault.newest("/small")).equals(small.content)).toBe(true);
      expect(bytesOf(vault, vault.newest("/large")).equals(large.content)).toBe(true);
    });
  });
});
