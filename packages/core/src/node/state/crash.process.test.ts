import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../storage/sqlite.ts";
import { bundleScript, startScript } from "./child-script.fixture.ts";
import { openUserState } from "./user-state.ts";

const SCALE = Number(process.env.SESSION_MANAGER_TEST_SCALE ?? 1);
const KILLS = Math.ceil(30 * SCALE);

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** Makes favorites from a number on, as many as wanted, and prints the number of each when it is acknowledged. */
const WRITER = `
import { writeSync } from "node:fs";
import { openUserState } from "./user-state.ts";

const [dataDir = "", first, count] = process.argv.slice(2);
const log = { info() {}, warn() {}, error() {} };
// On a slow disk one of several writers waits for longer than SQLite does: what is refused has not been done.
async function untilFree(write) {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (error.code !== "SQLITE_BUSY") throw error;
    }
  }
}
async function main() {
  writeSync(1, "opening\\n");
  const state = await untilFree(() => openUserState({ dataDir, log }));
  for (let n = Number(first); n < Number(first) + Number(count); n++) {
    await untilFree(() => state.marks.toggleFavorite({ path: "/was/" + n, id: String(n) }));
    await untilFree(() => state.marks.follow([{ path: "/is/" + n, id: String(n) }]));
    writeSync(1, n + "\\n");
  }
  await state.close();
}
void main();
`;

/** Takes one step more, writes many pages in it, and kills itself before its end. */
const MIGRATOR = `
import { openDatabase } from "../storage/sqlite.ts";
import { latestVersion, migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/embedded.ts";

const client = openDatabase(process.argv[2] ?? "", { durability: "full", cacheBytes: 32 * 1024 });
client.function("die", () => process.kill(process.pid, "SIGKILL"));
const sql = "ALTER TABLE favorites ADD COLUMN note TEXT; UPDATE favorites SET note = hex(randomblob(2000));"
  + "DROP TABLE tags; SELECT die();";
migrate(client, [...MIGRATIONS, { version: latestVersion(MIGRATIONS) + 1, sql }]);
`;

let folder: string;
let script: string;
let migrator: string;
let dataDir: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "state-"));
  script = join(folder, "writer.mjs");
  migrator = join(folder, "migrator.mjs");
  await bundleScript(WRITER, import.meta.dirname, script);
  await bundleScript(MIGRATOR, import.meta.dirname, migrator);
});

beforeEach(() => {
  dataDir = mkdtempSync(join(folder, "data-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a writer, kills it some milliseconds after it has printed that many lines, gives what it acknowledged. */
async function killWriter(first: number, lines: number, afterMs: number): Promise<string[]> {
  const writer = startScript(script, [dataDir, String(first), "1000000"]);
  await writer.hasPrinted(lines);
  await delay(afterMs);
  writer.process.kill("SIGKILL");
  const { stdout } = await writer.ended;
  const acknowledged = stdout.split("\n").slice(1, -1);
  return acknowledged.map((n) => `/is/${n}`);
}

describe("a process that is killed", () => {
  it("in the middle of its writes loses none that was acknowledged", { timeout: 120_000 }, async () => {
    const acknowledged = new Set<string>();
    let first = 0;
    await openUserState({ dataDir, log: silent }).close();
    const delays = fc.sample(fc.nat(5), { numRuns: KILLS, unbiased: true });
    for (const [round, delayMs] of delays.entries()) {
      const paths = await killWriter(first, 1 + (round % 10), delayMs);
      for (const path of paths) acknowledged.add(path);

      const state = openUserState({ dataDir, log: silent });
      expect(state.problem).toBeNull();
      const favorites = new Set(await state.marks.favorites());
      expect([...acknowledged].filter((path) => !favorites.has(path))).toEqual([]);
      // The one write that was under way may be there, wholly or up to its first half, but no other.
      expect(favorites.size - acknowledged.size).toBeLessThanOrEqual(round + 1);
      await state.close();
      first = 1_000_000 * (round + 1);
    }
    // Later rounds wait for more lines.
    expect(acknowledged.size).toBeGreaterThan(100 * SCALE ** 2);
    const client = openDatabase(join(dataDir, "state.db"), { durability: "full", readonly: true });
    expect(client.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(client.pragma("foreign_key_check")).toEqual([]);
    client.close();
  });

  it("while it makes the file leaves one that can be used", { timeout: 60_000 }, async () => {
    for (let round = 0; round < 10; round++) {
      dataDir = mkdtempSync(join(folder, "data-"));
      const acknowledged = await killWriter(0, 1, round);
      const state = openUserState({ dataDir, log: silent });
      expect(await state.marks.favorites()).toEqual(expect.arrayContaining(acknowledged));
      expect(await state.marks.toggleFavorite({ path: "/new", id: "new" })).toBe(true);
      await state.close();
    }
  });
});

it("A process that is killed in the middle of a migration leaves the old state", { timeout: 60_000 }, async () => {
  const path = join(dataDir, "state.db");
  const before = openUserState({ dataDir, log: silent });
  for (let n = 0; n < 200; n++) await before.marks.toggleFavorite({ path: `/s/${n}`, id: String(n) });
  const favorites = await before.marks.favorites();
  await before.close();
  const bytes = statSync(path).size;

  const { process: child, ended } = startScript(migrator, [path]);
  expect((await ended).stderr).toBe("");
  expect(child.signalCode).toBe("SIGKILL");
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(bytes);
  const after = openUserState({ dataDir, log: silent });
  expect(after.problem).toBeNull();
  expect(await after.marks.favorites()).toEqual(favorites);
  await after.close();
});

describe("several processes", { timeout: 180_000 }, () => {
  async function runWriters(count: number): Promise<void> {
    const writers = Array.from({ length: count }, (_, number) =>
      startScript(script, [dataDir, String(number * 1000), "40"]),
    );
    for (const { stderr, code } of await Promise.all(writers.map((writer) => writer.ended))) {
      expect(stderr).toBe("");
      expect(code).toBe(0);
    }
  }

  const expected = Array.from({ length: 160 }, (_, n) => `/is/${Math.floor(n / 40) * 1000 + (n % 40)}`).sort();

  it("make the file together and write to it without losing anything", async () => {
    await runWriters(4);
    const state = openUserState({ dataDir, log: silent });
    expect((await state.marks.favorites()).sort()).toEqual(expected);
    expect(state.problem).toBeNull();
    await state.close();
    expect(readdirSync(dataDir).filter((name) => name.includes("corrupt"))).toEqual([]);
  });

  it("repair a damaged file once and go on with one and the same", async () => {
    const before = openUserState({ dataDir, log: silent });
    await before.marks.toggleFavorite({ path: "/is/before", id: "before" });
    await before.close();
    await openUserState({ dataDir, log: silent }).close();
    writeFileSync(join(dataDir, "state.db"), "damaged");

    await runWriters(4);
    const state = openUserState({ dataDir, log: silent });
    expect((await state.marks.favorites()).sort()).toEqual([...expected, "/is/before"].sort());
    await state.close();
    expect(readdirSync(dataDir).filter((name) => /corrupt-.*Z$/.test(name))).toHaveLength(1);
  });
});
