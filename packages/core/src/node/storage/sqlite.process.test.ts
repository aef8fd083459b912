import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prepareIndex } from "../catalog/index-databases.ts";
import { openUserState } from "../state/user-state.ts";
import { openDatabase } from "./sqlite.ts";

const PACKAGE = fileURLToPath(new URL("../../..", import.meta.url));

/** Leaves statements behind between steps of asynchronous work, as many as are collected there. */
const FORGETFUL = `
const db = new (require("better-sqlite3"))(":memory:");
(async () => {
  for (let step = 0; step < 40_000; step++) {
    db.prepare("SELECT 1").get();
    await Promise.resolve({});
  }
})();
`;

const silent = { info: () => {}, warn: () => {}, error: () => {} };

let directory: string;
let umask: number;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "session-manager-sqlite-"));
  umask = process.umask(0);
});

afterEach(() => {
  process.umask(umask);
  rmSync(directory, { recursive: true });
});

/** The files in the data directory that others than the owner may do anything with. */
function open(): string[] {
  return readdirSync(directory).filter((name) => (statSync(join(directory, name)).mode & 0o077) !== 0);
}

/** Opens all that is kept, and lets it look at its files while everything is open. */
async function whileOpen(look: () => void): Promise<void> {
  const state = openUserState({ dataDir: directory, log: silent });
  const { place } = prepareIndex(directory, 2);
  const databases = ["index.db", "index-text-0.db", "index-text-1.db"].map((name) =>
    openDatabase(join(place.directory, name), { durability: "normal" }),
  );
  try {
    for (const database of databases) database.exec("CREATE TABLE one (id INTEGER); INSERT INTO one VALUES (1)");
    look();
    for (const database of databases) database.exec("DROP TABLE one");
  } finally {
    for (const database of databases) database.close();
    await state.close();
  }
}

describe.runIf(process.platform !== "win32")("what is kept in databases", () => {
  it("is for its owner only, whatever the umask", async () => {
    await whileOpen(() => {
      for (const name of ["index.db-wal", "index.db-shm", "index-text-1.db-wal", "state.db-wal", "state.lock"]) {
        expect([name, existsSync(join(directory, name))]).toEqual([name, true]);
      }
      expect(open()).toEqual([]);
    });
    expect(open()).toEqual([]);
  });

  it("is taken from others where an earlier version has left it to them", async () => {
    await whileOpen(() => {
      for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o666);
    });
    for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o644);
    expect(open()).toContain("index-text-0.db");
    await whileOpen(() => expect(open()).toEqual([]));
  });
});

describe("SQLite, as it is compiled here", () => {
  it("stands that its statements are collected between steps of asynchronous work", () => {
    const { status, signal, stderr } = spawnSync(process.execPath, ["-e", FORGETFUL], {
      cwd: PACKAGE,
      encoding: "utf8",
    });
    expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: "" });
  });
});
