import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bundleScript, startScript } from "../state/child-script.fixture.ts";
import { openDatabase } from "../storage/sqlite.ts";
import { bytesOf, lines } from "./vault.fixture.ts";
import { Vault } from "./vault.ts";

const SCALE = Number(process.env.SESSION_MANAGER_TEST_SCALE ?? 1);
const KILLS = Math.ceil(20 * SCALE);

/**
 * Appends to files, rewrites them, and keeps them. Prints the path, the size and the SHA-1 of each content when it is
 * kept. With the seed "as they are" it only keeps the files that are there.
 */
const WRITER = `
import { createHash } from "node:crypto";
import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { stampOf } from "../session-file/file-stamp.ts";
import { Vault } from "./vault.ts";
import { lines } from "./vault.fixture.ts";

const [directory = "", name = "", seed = "", steps = ""] = process.argv.slice(2);
const vault = Vault.open(join(directory, "vault.db"));
writeSync(1, "opened\\n");
function keep(path) {
  const descriptor = openSync(path, "r");
  const stamp = stampOf(fstatSync(descriptor));
  vault.keep({
    path, owner: null, format: "pi", sessionId: path, stamp, mode: 0o600,
    read: (buffer, offset) => readSync(descriptor, buffer, 0, buffer.length, offset),
  });
  closeSync(descriptor);
  const content = readFileSync(path);
  writeSync(1, [path, content.length, createHash("sha1").update(content).digest("hex")].join(" ") + "\\n");
}
if (seed === "as they are") {
  for (const file of readdirSync(directory)) if (file.endsWith(".jsonl")) keep(join(directory, file));
}
for (let step = Number(seed); step < Number(seed) + Number(steps); step++) {
  const path = join(directory, name + (step % 3) + ".jsonl");
  const kind = step % 17;
  if (kind === 16 || !existsSync(path)) {
    writeFileSync(path + ".new", lines(step, step % 2 === 0 ? 9_000_000 : 400_000));
    renameSync(path + ".new", path);
  } else {
    appendFileSync(path, lines(step, kind === 5 ? 700_000 : 1_500));
  }
  keep(path);
  if (kind === 9) vault.settle(2_000_000);
}
vault.close();
`;

let folder: string;
let script: string;
let directory: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vault-crash-"));
  script = join(folder, "writer.mjs");
  await bundleScript(WRITER, import.meta.dirname, script);
});

beforeEach(() => {
  directory = mkdtempSync(join(folder, "data-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Acknowledged {
  path: string;
  size: number;
  sha1: string;
}

function acknowledgedIn(stdout: string): Acknowledged[] {
  return stdout
    .split("\n")
    .slice(1, -1)
    .map((line) => {
      const [path = "", size, sha1 = ""] = line.split(" ");
      return { path, size: Number(size), sha1 };
    });
}

function sha1(content: Uint8Array): string {
  return createHash("sha1").update(content).digest("hex");
}

/** Each acknowledged content is the beginning of a generation, and each generation that of a file, or a whole content. */
function expectNothingLost(vault: Vault, acknowledged: readonly Acknowledged[], known: ReadonlySet<string>): void {
  for (const path of new Set(acknowledged.map((one) => one.path))) {
    const generations = vault.generations(path);
    const contents = generations.map((generation) => bytesOf(vault, generation, 2_000_000));
    for (const { size, sha1: wanted } of acknowledged.filter((one) => one.path === path)) {
      expect(contents.some((content) => content.length >= size && sha1(content.subarray(0, size)) === wanted)).toBe(
        true,
      );
    }
    const file = readFileSync(path);
    for (const [at, content] of contents.entries()) {
      const isOfFile = file.length >= content.length && file.subarray(0, content.length).equals(content);
      expect(isOfFile || known.has(sha1(content))).toBe(true);
      expect(content.length).toBeGreaterThanOrEqual(generations[at]?.stamp.size ?? 0);
    }
  }
}

function expectUndamaged(vault: Vault): void {
  for (let cursor: string | null = null; ; ) {
    const { damaged, next }: ReturnType<Vault["verify"]> = vault.verify(cursor, 1000);
    expect(damaged).toEqual([]);
    if (next === null) break;
    cursor = next;
  }
}

function expectSound(): void {
  const database = openDatabase(join(directory, "vault.db"), { durability: "normal" });
  expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
  expect(database.pragma("foreign_key_check")).toEqual([]);
  database.close();
}

describe("a process that is killed", () => {
  it("loses nothing that it has acknowledged, and shows nothing that is not whole", {
    timeout: 60_000 + KILLS * 3_000,
  }, async () => {
    const delays = fc.sample(fc.nat(120), { numRuns: KILLS, unbiased: true });
    const known = new Set<string>();
    let acknowledged: Acknowledged[] = [];
    let kept = 0;
    for (const [round, delayMs] of delays.entries()) {
      const writer = startScript(script, [directory, "s", String(1_000_000 * round + (round % 17)), "100000"]);
      await writer.hasPrinted(1 + (round % 3));
      await delay(delayMs);
      writer.process.kill("SIGKILL");
      const { stdout, stderr } = await writer.ended;
      expect(stderr).toBe("");
      const now = acknowledgedIn(stdout);
      kept += now.length;
      for (const one of now) known.add(one.sha1);
      // The last one may be kept and not acknowledged yet.
      for (const name of readdirSync(directory).filter((file) => file.endsWith(".jsonl"))) {
        known.add(sha1(readFileSync(join(directory, name))));
      }
      // The last of each path is what is to be there; earlier ones are checked in their rounds.
      acknowledged = [...acknowledged, ...now];
      const vault = Vault.open(join(directory, "vault.db"));
      expectNothingLost(vault, acknowledged, known);
      if (round % 10 === 9) {
        expectUndamaged(vault);
        // Bounds the disk, and what is compared.
        vault.purge({ replacedFor: 0 });
      }
      vault.close();
      acknowledged =
        round % 10 === 9
          ? []
          : [...new Map(acknowledged.map((one) => [`${one.path} ${one.size}`, one])).values()].slice(-60);
    }
    // So many are waited for; how many more there are depends on the machine.
    expect(kept).toBeGreaterThan(KILLS / 2);
    const vault = Vault.open(join(directory, "vault.db"));
    expectUndamaged(vault);
    vault.close();
    expectSound();
  });
});

describe("two processes", () => {
  it("keep the same files at once", { timeout: 120_000 }, async () => {
    for (let n = 0; n < 4; n++) writeFileSync(join(directory, `${n}.jsonl`), lines(n, 300_000 + 5_000_000 * n));
    const writers = ["one", "two"].map((name) => startScript(script, [directory, name, "as they are", "0"]));
    const ended = await Promise.all(writers.map((writer) => writer.ended));
    expect(ended.map(({ stderr, code }) => [stderr, code])).toEqual([
      ["", 0],
      ["", 0],
    ]);
    const acknowledged = ended.flatMap(({ stdout }) => acknowledgedIn(stdout));
    expect(acknowledged).toHaveLength(8);
    const vault = Vault.open(join(directory, "vault.db"));
    expectNothingLost(vault, acknowledged, new Set());
    for (const { path } of acknowledged) expect(vault.generations(path)).toHaveLength(1);
    expectUndamaged(vault);
    vault.close();
  });

  it("keep files of their own in one vault", { timeout: 120_000 }, async () => {
    const writers = ["one", "two"].map((name) => startScript(script, [directory, name, "0", "30"]));
    const ended = await Promise.all(writers.map((writer) => writer.ended));
    expect(ended.map(({ stderr, code }) => [stderr, code])).toEqual([
      ["", 0],
      ["", 0],
    ]);
    const acknowledged = ended.flatMap(({ stdout }) => acknowledgedIn(stdout));
    expect(acknowledged).toHaveLength(60);
    const known = new Set(acknowledged.map((one) => one.sha1));
    const vault = Vault.open(join(directory, "vault.db"));
    expectNothingLost(vault, acknowledged, known);
    expectUndamaged(vault);
    vault.close();
    expectSound();
  });
});

describe.runIf(process.platform !== "win32")("a directory that cannot be written", () => {
  it("is told", async () => {
    mkdirSync(join(directory, "data"));
    chmodSync(folder, 0o755);
    chmodSync(directory, 0o755);
    chmodSync(join(directory, "data"), 0o555);
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const { stderr, code } = await startScript(script, [join(directory, "data"), "s", "0", "1"], user).ended;
    expect(code).toBe(1);
    expect(stderr).toContain(`Could not write ${join(directory, "data", "vault.db")}`);
  });
});
