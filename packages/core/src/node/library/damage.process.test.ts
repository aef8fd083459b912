import { execFileSync } from "node:child_process";
import { chmod, chown, mkdir, open, readdir, readFile, rm, stat, statfs, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../errors.ts";
import type { LibraryStatus } from "../../library.ts";
import {
  codeOf,
  LIST,
  SessionText,
  scanAll,
  searchFor,
  TestHome,
  treeOf,
  until,
  untilIndexed,
} from "./library.fixture.ts";
import type { Library } from "./library.ts";
import { ANOTHER_USER, LibraryChildren } from "./library-child.fixture.ts";

const SESSIONS = 20;

async function homeWithSessions(count = SESSIONS, words = 300): Promise<TestHome> {
  const home = await TestHome.create();
  for (let n = 0; n < count; n++) {
    const text = Array.from({ length: words }, (_, at) => `word${(at * 7 + n * 13) % 1000}`).join(" ");
    const session = new SessionText({}, Date.parse("2026-03-01T10:00:00.000Z") + n * 60_000);
    await home.write(`p/${n}.jsonl`, session.user(`dugong ${n}`).assistant(text).lines);
  }
  return home;
}

/** Everything is there: records, text, pages. */
async function expectWhole(library: Library, count = SESSIONS): Promise<void> {
  await untilIndexed(library);
  expect(await scanAll(library)).toHaveLength(count);
  expect(await library.search(searchFor("dugong", { limit: 200 }))).toMatchObject({ total: count });
  expect((await library.search(searchFor("dugong", { limit: 200, sort: "newest" }))).hits).toHaveLength(count);
  const { sessions } = await library.list({ ...LIST, limit: 100 });
  expect(sessions).toHaveLength(count);
  for (const { path } of sessions.slice(0, 3)) {
    expect(await library.readEntries({ path, limit: 10 })).toMatchObject({ total: 2 });
  }
  expect(library.status()).toMatchObject({ state: "ready", reason: null, sessions: count });
}

function isRetry(error: unknown): false {
  if (error instanceof AppError && error.code === "UNAVAILABLE") return false;
  // Not everything was there yet.
  if (error instanceof Error && error.name === "AssertionError") return false;
  throw error;
}

async function overwrite(path: string, offset: number, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "r+");
  await file.write(bytes, 0, bytes.length, offset);
  await file.close();
}

const noise = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 7919 + 13) % 251);
const CATALOG = "index.db";
const TEXT = "index-text-0.db";

function setPragma(path: string, pragma: string): void {
  const database = new Database(path);
  database.pragma(pragma);
  database.close();
}

describe("an index that is damaged at the start", () => {
  let home: TestHome;
  beforeAll(async () => {
    home = await homeWithSessions();
    const library = await home.open();
    await untilIndexed(library);
    await home.close(library);
  });
  beforeEach(() => home.log.splice(0));
  afterAll(() => home[Symbol.asyncDispose]());

  const half = async (path: string) => Math.floor((await stat(path)).size / 2);
  const damages: [string, (path: string) => Promise<void>][] = [
    ["is noise", (path) => writeFile(path, noise(100_000))],
    ["is empty", (path) => writeFile(path, "")],
    ["is missing", (path) => rm(path)],
    ["is cut off", async (path) => truncate(path, await half(path))],
    ["has a broken header", (path) => overwrite(path, 20, noise(60))],
    ["has zeros in the middle", async (path) => overwrite(path, await half(path), new Uint8Array(9_000))],
    ["has noise in the middle", async (path) => overwrite(path, await half(path), noise(9_000))],
    ["is of another version", async (path) => setPragma(path, "user_version = 1000000")],
    ["belongs to another index", async (path) => setPragma(path, "application_id = 1")],
  ];
  const cases = [CATALOG, TEXT].flatMap((file) => damages.map(([name, damage]) => ({ file, name, damage })));

  it.each(cases)("is built anew: $file $name", async ({ file, damage }) => {
    await damage(join(home.data, file));
    const library = await home.open();
    // Damage deep inside is found when it is met; then it is said, and mended.
    await until(() => expectWhole(library).then(() => true, isRetry));
    await home.close(library);
  });

  it("stays as it is when it is built anew", async () => {
    await writeFile(join(home.data, CATALOG), noise(100_000));
    for (const messages of [["Rebuilding the index from the session files"], []]) {
      const library = await home.open();
      await expectWhole(library);
      await home.close(library);
      expect(home.log.splice(0).map((line) => line.message)).toEqual(messages);
    }
  });

  it("is built anew whatever bytes of the catalog are other ones", async () => {
    const path = join(home.data, CATALOG);
    for (let round = 0; round < 5; round++) {
      const { size } = await stat(path);
      const at = Math.floor((size * (round + 0.5)) / 5);
      await overwrite(path, at, round % 2 === 0 ? noise(200) : new Uint8Array(200));
      const library = await home.open();
      await until(() => expectWhole(library).then(() => true, isRetry));
      await home.close(library);
    }
  });
});

describe("postings that are damaged", () => {
  it("make no hit up, and fail no search but for a moment", async () => {
    await using home = await homeWithSessions();
    const first = await home.open();
    await untilIndexed(first);
    await home.close(first);
    const path = join(home.data, TEXT);
    for (let round = 0; round < 5; round++) {
      const { size } = await stat(path);
      await overwrite(
        path,
        Math.floor((size * (round + 0.5)) / 5),
        round % 2 === 0 ? noise(3000) : new Uint8Array(3000),
      );
      const library = await home.open();
      for (const query of ["dugong", "word1*", "word13 word20", '"dugong 1"', "-word7 dugong"]) {
        for (const sort of ["relevance", "newest"] as const) {
          const outcome = library.search(searchFor(query, { sort, limit: 100 }));
          expect(["", "UNAVAILABLE"]).toContain(await codeOf(outcome));
          const { hits } = await outcome.catch(() => ({ hits: [] }));
          for (const hit of hits) expect(hit.snippet).toMatch(/dugong|word/);
        }
      }
      // The last search may have met the damage: then the index is being rebuilt.
      await until(() => expectWhole(library).then(() => true, isRetry));
      await home.close(library);
    }
  });
});

describe("an index that is damaged while it is used", () => {
  /** Asks all the time: every answer is right, or UNAVAILABLE. Gives back when all is well again. */
  async function expectMended(home: TestHome, damage: () => Promise<unknown>): Promise<void> {
    const library = await home.open({ onProgress: () => undefined });
    await expectWhole(library);
    await damage();
    const [first = ""] = (await readdir(join(home.sessions, "p"))).map((name) => join(home.sessions, "p", name));
    let mended = false;
    const end = performance.now() + 12_000;
    while (!mended && performance.now() < end) {
      // A changed file makes writers meet the damage too.
      await home.append(first, [{ type: "custom", customType: "tick", timestamp: new Date().toISOString() }]);
      const asked = [
        library.search(searchFor("dugong", { limit: 200 })),
        library.search(searchFor("dugong word1*", { limit: 200, sort: "newest" })),
        library.list({ ...LIST, limit: 100 }),
        scanAll(library),
        library.readEntries({ path: first, limit: 1 }),
        treeOf(library, first),
      ];
      for (const answer of await Promise.allSettled(asked)) {
        if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "UNAVAILABLE" });
      }
      mended = await expectWhole(library).then(
        () => true,
        () => false,
      );
      await delay(20);
    }
    await expectWhole(library);
    await home.close(library);
  }

  it.each([
    ["the catalog is overwritten", [CATALOG, `${CATALOG}-wal`], "noise"],
    ["a text database is overwritten", [TEXT, `${TEXT}-wal`], "noise"],
    ["the catalog is emptied", [CATALOG, `${CATALOG}-wal`], "empty"],
    ["a text database is emptied", [TEXT, `${TEXT}-wal`], "empty"],
    ["everything is deleted", ["index.*", "index-text.*"], "delete"],
  ] as const)("is built anew and never stops the process: %s", async (_, names, how) => {
    await using home = await homeWithSessions();
    await expectMended(home, async () => {
      for (const name of await readdir(home.data)) {
        if (!names.some((pattern) => new RegExp(`^${pattern}$`).test(name))) continue;
        const path = join(home.data, name);
        if (how === "delete") await rm(path);
        else if (how === "empty") await truncate(path, 0);
        else await overwrite(path, 0, noise((await stat(path)).size));
      }
    });
  });

  it("is not called ready before the sessions are known again", async () => {
    await using home = await homeWithSessions();
    const library = await home.open();
    await untilIndexed(library);
    await rm(join(home.data, CATALOG));
    let isScanning = true;
    const noteEnd = () => {
      isScanning = false;
    };
    const scanned = library.scan().then(noteEnd, noteEnd);
    const seen: Pick<LibraryStatus, "state" | "sessions">[] = [];
    while (isScanning) {
      const { state, sessions } = library.status();
      seen.push({ state, sessions });
      await new Promise(setImmediate);
    }
    await scanned;
    expect(seen).toContainEqual({ state: "opening", sessions: 0 });
    expect(seen.filter(({ state, sessions }) => state !== "opening" && sessions < SESSIONS)).toEqual([]);
    await expectWhole(library);
  });

  it("is not opened again by a library that is closed meanwhile", async () => {
    await using home = await homeWithSessions(2, 10);
    let closed: Promise<void> | null = null;
    const closeAtDamage = () => {
      closed ??= library.close();
    };
    const library = await home.open({ log: { info: () => undefined, warn: () => undefined, error: closeAtDamage } });
    await untilIndexed(library);
    await rm(join(home.data, CATALOG));
    expect(await codeOf(scanAll(library))).toBe("UNAVAILABLE");
    await closed;
    expect(await readdir(home.data)).not.toContain(CATALOG);
  });

  it("is written when another program lets go of its lock, however long that takes", async () => {
    await using home = await homeWithSessions(2, 10);
    const library = await home.open({ watch: false });
    await untilIndexed(library);
    await home.write("p/new.jsonl", new SessionText().user("new").lines);
    const other = new Database(join(home.data, CATALOG));
    other.exec("BEGIN IMMEDIATE");
    const scanned = scanAll(library);
    await until(() => home.log.length > 0);
    other.exec("ROLLBACK");
    other.close();
    expect(await scanned).toHaveLength(3);
    expect(new Set(home.log.map((line) => line.message))).toEqual(
      new Set(["Session files cannot be read yet; trying again"]),
    );
  });

  it("is built anew when a thread that was asleep finds it deleted", async () => {
    await using home = await homeWithSessions();
    const library = await home.open();
    await expectWhole(library);
    await rm(join(home.data, CATALOG));
    expect(await codeOf(treeOf(library, join(home.sessions, "p/0.jsonl")))).toBe("UNAVAILABLE");
    await until(() => expectWhole(library).then(() => true, isRetry));
  });
});

describe.runIf(process.platform === "linux" && process.getuid?.() === 0)("a disk that is full", () => {
  let home: TestHome;
  const mounts: string[] = [];
  const mount = (options: string, path: string) => execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path]);

  beforeEach(async ({ skip }) => {
    home = await TestHome.create();
    await mkdir(home.data);
    try {
      mount("size=2m", home.data);
    } catch {
      skip("tmpfs cannot be mounted here");
    }
    mounts.push(home.data);
    return async () => {
      await home[Symbol.asyncDispose]().catch(() => undefined);
      for (const path of mounts.splice(0)) execFileSync("umount", [path]);
      await rm(home.directory, { recursive: true, force: true });
    };
  });

  async function writeText(count: number, bytes: number, prefix = ""): Promise<void> {
    let word = 0;
    for (let n = 0; n < count; n++) {
      const session = new SessionText().user(`dugong ${n}`);
      let text = "";
      while (text.length < bytes) text += `${(word++ * 2654435761) % 4294967296} `;
      await home.write(`p/${prefix}${n}.jsonl`, session.assistant(text).lines);
    }
  }

  it("is said, what is known is served, and all is well when there is room", async () => {
    await writeText(12, 400_000);
    const library = await home.open();
    await until(async () => {
      await library.scan().catch(() => undefined);
      return library.status().state === "degraded";
    });
    expect(library.status().reason).toMatch(/space|full/);
    // Of some, not even the record may have found room.
    const [{ path } = { path: "" }] = (await library.list(LIST)).sessions;
    expect(await library.readEntries({ path, limit: 1 })).toMatchObject({ total: 2 });
    expect(await treeOf(library, path)).toHaveLength(2);
    // A reader that starts now finds no room for what it shares with the writers.
    expect(["", "UNAVAILABLE"]).toContain(await codeOf(library.search(searchFor("dugong"))));
    await library.rename(path, "a name");
    // It stays like that while there is no room.
    await library.scan().catch(() => undefined);
    await delay(300);
    expect(library.status().state).toBe("degraded");

    execFileSync("mount", ["-o", "remount,size=100m", home.data]);
    await until(async () => {
      await library.scan().catch(() => undefined);
      return library.status().state === "ready";
    });
    expect(library.status()).toMatchObject({ reason: null, sessions: 12, pending: 0 });
    expect(await library.search(searchFor("dugong", { limit: 100 }))).toMatchObject({ total: 12 });
    expect(await scanAll(library)).toContainEqual(expect.objectContaining({ path, name: "a name" }));
  });

  it("fails a scan that cannot be complete", async () => {
    const sessions = 2_000;
    const title = "a title that takes some room in the index ".repeat(20);
    for (let n = 0; n < sessions; n++) await home.write(`p/${n}.jsonl`, new SessionText().user(`${n} ${title}`).lines);
    const library = await home.open({ watch: false });
    for (let n = 0; n < 3; n++) {
      await expect(scanAll(library)).rejects.toMatchObject({
        code: "UNAVAILABLE",
        message: expect.stringMatching(/Could not write the index.*free some space/),
      });
    }
    expect((await library.list(LIST)).total).toBeLessThan(sessions);
    execFileSync("mount", ["-o", "remount,size=100m", home.data]);
    expect(await scanAll(library)).toHaveLength(sessions);
    // Text may find no room from now on, but there are no records that have none.
    const { bavail, bsize } = await statfs(home.data);
    await writeFile(join(home.data, "filler"), new Uint8Array(bavail * bsize)).catch(() => undefined);
    expect(await scanAll(library)).toHaveLength(sessions);
  });

  it("at the start leaves what was known before", async () => {
    await writeText(5, 1000);
    let library = await home.open();
    await untilIndexed(library);
    await library.toggleFavorite(join(home.sessions, "p", "0.jsonl"));
    await home.close(library);
    await writeText(5, 200_000, "more");
    const { bavail, bsize } = await statfs(home.data);
    await writeFile(join(home.data, "filler"), new Uint8Array(bavail * bsize - 300_000));
    library = await home.open();
    await library.scan().catch(() => undefined);
    await until(() => library.status().state === "degraded");
    const path = join(home.sessions, "p", "more0.jsonl");
    expect((await library.list(LIST)).total).toBeGreaterThanOrEqual(5);
    expect((await library.list({ ...LIST, favorites_only: true })).total).toBe(1);
    expect(["", "UNAVAILABLE"]).toContain(await codeOf(library.search(searchFor("dugong"))));
    expect(await library.readEntries({ path, limit: 1 })).toMatchObject({ total: 2 });
    execFileSync("mount", ["-o", "remount,size=100m", home.data]);
    await until(async () => {
      await library.scan().catch(() => undefined);
      return library.status().state === "ready";
    });
    expect(await library.search(searchFor("dugong", { limit: 100 }))).toMatchObject({ total: 10 });
  });

  it("wholly, before the first start, leaves sessions to be listed, read and searched", async () => {
    const path = await home.write("p/a.jsonl", new SessionText().user("dugong").lines);
    const { bavail, bsize } = await statfs(home.data);
    await writeFile(join(home.data, "filler"), new Uint8Array(bavail * bsize));
    const library = await home.open();
    await untilIndexed(library);
    expect(library.status()).toMatchObject({
      state: "degraded",
      reason: expect.stringMatching(/full|space/),
      sessions: 1,
    });
    expect(await library.readEntries({ path, limit: 1 })).toMatchObject({ total: 1 });
    expect(await library.search(searchFor("dugong"))).toMatchObject({ total: 1 });
    expect(await library.list({ ...LIST, favorites_only: true })).toMatchObject({ total: 0 });
    expect(await codeOf(library.toggleFavorite(path))).toBe("UNAVAILABLE");
  });

  it("under the sessions leaves no half line in a file", async () => {
    const folder = join(home.sessions, "small");
    await mkdir(folder, { recursive: true });
    mount("size=64k", folder);
    mounts.push(folder);
    const session = new SessionText().user("dugong");
    const path = await home.write("small/a.jsonl", session.lines);
    const before = await readFile(path);
    // Of the last page of the file some bytes are left, fewer than a line takes.
    const free = 4096 - (before.length % 4096) - 40;
    const padded = Buffer.concat([
      before,
      Buffer.from(`${JSON.stringify({ type: "custom", data: "x".repeat(free - 28) })}\n`),
    ]);
    await writeFile(path, padded);
    await writeFile(join(folder, "filler"), new Uint8Array(64 * 1024)).catch(() => undefined);
    execFileSync("mount", ["-o", "remount,size=100m", home.data]);
    const library = await home.open();
    expect(await codeOf(library.rename(path, "a name that does not fit"))).toBe("UNAVAILABLE");
    expect(await codeOf(library.fork(path, null))).toBe("UNAVAILABLE");
    const after = await readFile(path);
    expect(after.subarray(0, padded.length).equals(padded)).toBe(true);
    expect(after.at(-1)).toBe(0x0a);
    expect((await readdir(folder)).sort()).toEqual(["a.jsonl", "filler"]);
  });
});

describe("a folder whose names may be read and whose files may not", () => {
  it("hides its own sessions and no others", async () => {
    await using children = await LibraryChildren.create();
    await using home = await homeWithSessions(3, 10);
    const locked = join(home.sessions, "locked");
    await home.write("locked/a.jsonl", new SessionText().user("dugong").lines);
    await chmod(home.directory, 0o755);
    await mkdir(home.data, { mode: 0o777 });
    await chmod(home.data, 0o777);
    await chmod(locked, 0o444);
    const [opened, scanned] = await children.run(home.options, [["scan"]], ANOTHER_USER);
    await chmod(locked, 0o755);
    expect(opened?.error).toBeUndefined();
    expect(scanned?.value).toHaveLength(3);
  });
});

describe("an index that may not be written", () => {
  it("is said, and what can be told without it is told", async () => {
    await using children = await LibraryChildren.create();
    await using home = await homeWithSessions(5, 10);
    const first = await home.open();
    await untilIndexed(first);
    await home.close(first);
    const path = await home.write("p/new.jsonl", new SessionText().user("dugong new").lines);
    await chmod(home.directory, 0o755);
    await chmod(home.data, 0o777);
    for (const name of await readdir(home.data)) {
      const file = join(home.data, name);
      if (name.startsWith("index")) await chmod(file, 0o444);
      else if (ANOTHER_USER.uid !== undefined) await chown(file, ANOTHER_USER.uid, ANOTHER_USER.gid ?? 0);
    }
    const [opened, scanned, entries, listed, found, status] = await children.run(
      home.options,
      [["scan"], ["readEntries", { path, limit: 1 }], ["list", LIST], ["search", searchFor("dugong")], ["status"]],
      ANOTHER_USER,
    );
    expect(opened?.error).toBeUndefined();
    expect(entries?.value).toMatchObject({ total: 1 });
    expect(status?.value).toMatchObject({
      state: "degraded",
      reason: expect.stringContaining("Could not write the index"),
    });
    // From the index as it was, or from a temporary one.
    for (const outcome of [scanned, listed, found]) {
      if (outcome?.error !== undefined) expect(outcome.error.code).toBe("UNAVAILABLE");
    }
    expect((listed?.value as { total: number } | undefined)?.total).toBeGreaterThanOrEqual(5);
  });
});
