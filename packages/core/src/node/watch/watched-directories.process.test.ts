import { execFileSync } from "node:child_process";
import { watch } from "node:fs";
import {
  appendFile,
  mkdir,
  mkdtemp,
  open as openFile,
  rename,
  rm,
  stat,
  unlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  jsonl,
  LIST,
  SessionText,
  scanAll,
  searchFor,
  TestHome,
  until,
  untilIndexed,
} from "../library/library.fixture.ts";
import type { Library } from "../library/library.ts";
import { LibraryChildren } from "../library/library-child.fixture.ts";
import { Listener } from "../library/library-events.fixture.ts";
import type { Work } from "../session-file/work.ts";
import { Watching } from "./watched-directories.ts";

const MEGABYTE = 1024 * 1024;

/** What was done to the user's files since `before`. */
async function workSince(library: Library, before: Work): Promise<Work> {
  await until(() => library.status().pending === 0);
  const after = await library.work();
  return {
    filesOpened: after.filesOpened - before.filesOpened,
    bytesRead: after.bytesRead - before.bytesRead,
    reads: after.reads - before.reads,
    linesParsed: after.linesParsed - before.linesParsed,
    rowsWritten: after.rowsWritten - before.rowsWritten,
  };
}

/** A library that watches; a comparison would find what is then done anyway. */
async function watching(home: TestHome, listener = new Listener()): Promise<{ library: Library; listener: Listener }> {
  const library = await home.open({ onEvent: listener.onEvent });
  await untilIndexed(library);
  const first = await home.write("first.jsonl", new SessionText().user("first").lines);
  await until(() => listener.told.some((record) => record.path === first && record.indexed));
  listener.forget();
  return { library, listener };
}

describe("an append", () => {
  const grown = (session: SessionText) => session.assistant("capercaillie").lines.slice(-1);

  it("to a small file is read alone", async () => {
    await using home = await TestHome.create();
    const session = new SessionText().user("x".repeat(100_000));
    const path = await home.write("p/a.jsonl", session.lines);
    const { library, listener } = await watching(home);
    const before = await library.work();
    await home.append(path, grown(session));
    await until(() => listener.told.some((record) => record.indexed));
    const { bytesRead, linesParsed } = await workSince(library, before);
    // Its line and the fingerprints before and after it, for the record; then its line again, for the text.
    expect(bytesRead).toBeLessThan(2 * jsonl(grown(session)).length + 2 * 1024);
    expect(linesParsed).toBeLessThanOrEqual(3);
  });

  it("to a file of 80 MB is read alone", async () => {
    await using home = await TestHome.create();
    const session = new SessionText();
    const path = await home.write("p/large.jsonl", session.lines);
    const file = await openFile(path, "a");
    while ((await file.stat()).size < 80 * MEGABYTE) {
      const from = session.lines.length;
      for (let n = 0; n < 500; n++) session.user("word ".repeat(400));
      await file.write(jsonl(session.lines.slice(from)));
    }
    await file.close();
    const { library, listener } = await watching(home);
    const before = await library.work();
    await home.append(path, grown(session));
    await until(() => listener.told.some((record) => record.indexed), 30_000);
    expect(listener.changed).toEqual([path]);
    expect((await workSince(library, before)).bytesRead).toBeLessThan(64 * 1024);
    expect((await library.search(searchFor("capercaillie"))).hits).toMatchObject([{ session_path: path }]);
  });
});

describe("a file that is moved", () => {
  const moves: [string, (home: TestHome) => Promise<string>][] = [
    [
      "to another name",
      async ({ sessions }) => {
        await rename(join(sessions, "p/a.jsonl"), join(sessions, "p/b.jsonl"));
        return join(sessions, "p/b.jsonl");
      },
    ],
    [
      "to another folder",
      async ({ sessions }) => {
        await rename(join(sessions, "p/a.jsonl"), join(sessions, "q/a.jsonl"));
        return join(sessions, "q/a.jsonl");
      },
    ],
    [
      "with its folder",
      async ({ sessions }) => {
        await rename(join(sessions, "p"), join(sessions, "q/p"));
        return join(sessions, "q/p/a.jsonl");
      },
    ],
    [
      "and whose place a folder takes",
      async ({ sessions }) => {
        await rename(join(sessions, "p/a.jsonl"), join(sessions, "q/a.jsonl"));
        await mkdir(join(sessions, "p/a.jsonl"));
        return join(sessions, "q/a.jsonl");
      },
    ],
    [
      "with its folder, whose place a file takes",
      async ({ sessions }) => {
        await rename(join(sessions, "p"), join(sessions, "q/p"));
        await writeFile(join(sessions, "p"), "");
        return join(sessions, "q/p/a.jsonl");
      },
    ],
    [
      "over another session",
      async ({ sessions }) => {
        await rename(join(sessions, "p/a.jsonl"), join(sessions, "q/other.jsonl"));
        return join(sessions, "q/other.jsonl");
      },
    ],
  ];

  async function homeWithFavorite(): Promise<{ home: TestHome; from: string }> {
    const home = await TestHome.create();
    const from = await home.write("p/a.jsonl", new SessionText().user("capercaillie").assistant("yes").lines);
    await home.write("q/other.jsonl", new SessionText().user("other").lines);
    return { home, from };
  }

  async function expectMoved(library: Library, listener: Listener, from: string, to: string): Promise<void> {
    const [record] = (await library.list(LIST)).sessions.filter((one) => one.path === to);
    expect(record).toMatchObject({ path: to, is_favorite: true, indexed: true, first_message: "capercaillie" });
    expect((await library.list(LIST)).sessions.map((one) => one.path)).not.toContain(from);
    expect(listener.removed).toEqual([from]);
    expect(listener.changed).toEqual([to]);
    expect(listener.told).toEqual([record]);
    expect((await library.search(searchFor("capercaillie"))).hits).toMatchObject([{ session_path: to }]);
    expect(await library.favorites()).toEqual([to]);
  }

  it.each(moves)("%s keeps its record, its text and its favorite: nothing is parsed", async (_, move) => {
    const { home, from } = await homeWithFavorite();
    await using _home = home;
    const { library, listener } = await watching(home);
    await library.toggleFavorite(from);
    await until(() => listener.events.length > 0);
    listener.forget();
    const before = await library.work();
    const to = await move(home);
    await until(() => listener.told.length > 0);
    const { bytesRead, linesParsed } = await workSince(library, before);
    expect(linesParsed).toBe(0);
    expect(bytesRead).toBeLessThanOrEqual(1024);
    await expectMoved(library, listener, from, to);
  });

  it.each(moves)("%s while nobody looks is found at the next start", async (_, move) => {
    const { home, from } = await homeWithFavorite();
    await using _home = home;
    const { library } = await watching(home);
    await library.toggleFavorite(from);
    await home.close(library);
    const to = await move(home);
    const listener = new Listener();
    const next = await home.open({ onEvent: listener.onEvent });
    await untilIndexed(next);
    expect(await next.work()).toMatchObject({ filesOpened: 1, linesParsed: 0 });
    expect((await next.work()).bytesRead).toBeLessThanOrEqual(1024);
    const [record] = (await next.list(LIST)).sessions.filter((one) => one.path === to);
    expect(record).toMatchObject({ is_favorite: true, indexed: true });
    // Marks follow when all files are known.
    await until(() => listener.list.some((one) => one.is_favorite));
    expect(listener.list).toEqual([record]);
    expect([listener.removed, listener.changed]).toEqual([[from], [to]]);
    expect((await next.search(searchFor("capercaillie"))).hits).toMatchObject([{ session_path: to }]);
  });

  it("takes its text along that is still to be read", async () => {
    await using home = await TestHome.create();
    const paths: string[] = [];
    for (let n = 0; n < 300; n++) paths.push(await home.write(`p/${n}.jsonl`, new SessionText().user("word").lines));
    const library = await home.open();
    await library.scan();
    await rename(join(home.sessions, "p"), join(home.sessions, "q"));
    await untilIndexed(library);
    expect(library.status()).toMatchObject({ state: "ready", sessions: 300 });
    expect((await library.search(searchFor("word", { limit: 1 }))).total).toBe(300);
  });

  it("and written to meanwhile is read on, or anew where it is another", async () => {
    await using home = await TestHome.create();
    const session = new SessionText().user("first");
    const path = await home.write("p/a.jsonl", session.lines);
    const library = await home.open({ watch: false });
    await untilIndexed(library);
    const moved = join(home.sessions, "p/b.jsonl");
    await rename(path, moved);
    await appendFile(moved, jsonl(session.assistant("second").lines.slice(-1)));
    expect(await scanAll(library)).toMatchObject([{ path: moved, message_count: 2 }]);

    // The same inode, size and time, and all the same other bytes.
    const { mtime } = await stat(moved);
    await rename(moved, path);
    const file = await openFile(path, "r+");
    await file.write("}", 0);
    await file.close();
    await utimes(path, mtime, mtime);
    await rename(path, moved);
    expect(await scanAll(library)).toMatchObject([{ path: moved, malformed_lines: 1 }]);
    await untilIndexed(library);
    expect(library.status()).toMatchObject({ state: "ready", sessions: 1 });
  });
});

describe("the bytes that were indexed", () => {
  it("are those of the files, whether the watcher, a comparison or the first start has found them", async () => {
    await using home = await TestHome.create();
    const size = async (path: string) => (await stat(path)).size;
    const first = new SessionText().user("dugong".repeat(1_000)).assistant("manatee");
    const a = await home.write("p/a.jsonl", first.lines);
    const library = await home.open();
    await untilIndexed(library);
    let expected = await size(a);
    expect(library.indexedBytes).toBe(expected);

    const second = new SessionText().user("capercaillie").assistant("grouse");
    const b = await home.write("p/b.jsonl", second.lines);
    expected += await size(b);
    await until(() => library.indexedBytes === expected);

    const before = await size(a);
    await home.append(a, first.assistant("sirenia").lines.slice(-1));
    expected += (await size(a)) - before;
    await until(() => library.indexedBytes === expected);
    await home.close(library);

    const again = await home.open({ watch: false });
    await untilIndexed(again);
    expect(again.indexedBytes).toBe(0);
    const known = await size(a);
    await home.append(a, [...first.assistant("sea cow").lines.slice(-1), ...first.user("thanks").lines.slice(-1)]);
    await again.scan();
    await untilIndexed(again);
    expect(again.indexedBytes).toBe((await size(a)) - known);
  });
});

describe("session paths", () => {
  it("are exchanged at once: what is in them is known when that is answered, and watched", async () => {
    await using home = await TestHome.create();
    const folder = await mkdtemp(join(tmpdir(), "session-manager-more-"));
    const { library, listener } = await watching(home);
    const outside = join(folder, "x.jsonl");
    await appendFile(outside, jsonl(new SessionText().user("albatross").lines));
    await library.setPaths({ sessionPaths: [folder], otherAgentPaths: [] });
    expect(await library.directories()).toEqual([home.sessions, folder]);
    expect((await library.list(LIST)).sessions.map((one) => one.path)).toContain(outside);
    expect(listener.changed).toEqual([outside]);
    await appendFile(outside, jsonl(new SessionText().user("cormorant").lines.slice(-1)));
    await until(() => listener.changed.length === 2);

    await library.setPaths({ sessionPaths: [], otherAgentPaths: [] });
    expect((await library.list(LIST)).sessions.map((one) => one.path)).not.toContain(outside);
    expect(listener.removed).toEqual([outside]);
    const events = library.watchEvents;
    await appendFile(outside, "{}\n");
    const inside = await home.write("p/new.jsonl", new SessionText().user("new").lines);
    await until(() => listener.changed.includes(inside));
    expect(listener.changed.filter((path) => path === outside)).toHaveLength(2);
    expect(library.watchEvents).toBeGreaterThan(events);
    await rm(folder, { recursive: true });
  });

  it("of which the default does not exist at the start are watched when it does", async () => {
    await using home = await TestHome.create();
    await rm(home.sessions, { recursive: true });
    const listener = new Listener();
    const library = await home.open({ onEvent: listener.onEvent });
    expect(await scanAll(library)).toEqual([]);
    await until(() => library.status().state === "ready");
    const path = await home.write("p/a.jsonl", new SessionText().user("a").lines);
    await until(() => listener.changed.includes(path));
    await rm(home.sessions, { recursive: true });
    await until(() => listener.removed.includes(path));
    await mkdir(home.sessions);
    const again = await home.write("p/b.jsonl", new SessionText().user("b").lines);
    await until(() => listener.changed.includes(again));
  });
});

describe("without a watcher", () => {
  it("only a scan looks for changes", async () => {
    await using home = await TestHome.create();
    const library = await home.open({ watch: false });
    await library.scan();
    const path = await home.write("p/a.jsonl", new SessionText().user("a").lines);
    expect((await library.list(LIST)).total).toBe(0);
    expect(await scanAll(library)).toMatchObject([{ path }]);
    await unlink(path);
    expect((await library.list(LIST)).total).toBe(1);
    expect(await scanAll(library)).toEqual([]);
  });
});

describe("what cannot be watched", () => {
  let folder: string;
  let kept: Watching | null = null;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "session-manager-watching-"));
  });

  afterEach(async () => {
    vi.useRealTimers();
    kept?.close();
    await rm(folder, { recursive: true });
  });

  function watchingFolder(isFailing: () => boolean, duration = 0) {
    const warnings: string[] = [];
    let comparisons = 0;
    const log = {
      info: () => undefined,
      error: () => undefined,
      warn: (_: object, text: string) => warnings.push(text),
    };
    const made: Watching = new Watching({
      log,
      compare: async () => {
        comparisons++;
        await made.cover([folder], []);
        // By the clock of the test.
        if (duration > 0) vi.advanceTimersByTime(duration);
      },
      isBehind: () => false,
      look: async () => undefined,
      onEvent: () => undefined,
      watchDirectory: ((path: string, options: object, listener: () => void) => {
        if (isFailing()) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
        return watch(path, options, listener);
      }) as typeof watch,
    });
    kept = made;
    return { made, warnings, comparisons: () => comparisons };
  }

  it("is said once, and compared every 30 seconds until it can be watched again", async () => {
    let isFailing = true;
    const { made, warnings, comparisons } = watchingFolder(() => isFailing);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    made.begin();
    await until(() => made.problem !== null);
    // The second follows from the problem.
    await until(() => comparisons() === 2);
    for (let round = 3; round < 6; round++) {
      vi.advanceTimersByTime(30_000);
      await until(() => comparisons() === round);
    }
    expect(warnings).toEqual([expect.stringMatching(/max_user_watches/)]);
    expect(made.problem).toBe(warnings[0]);

    isFailing = false;
    vi.advanceTimersByTime(30_000);
    await until(() => made.problem === null);
    const before = comparisons();
    vi.advanceTimersByTime(4 * 60_000);
    expect(comparisons()).toBe(before);
    vi.advanceTimersByTime(2 * 60_000);
    await until(() => comparisons() === before + 1);
  });

  it("is compared so seldom that comparisons take at most a hundredth of the time", async () => {
    const { made, comparisons } = watchingFolder(() => true, 1_000);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    made.begin();
    await until(() => comparisons() === 2);
    const settle = () => new Promise((resolve) => setTimeout(resolve, 20));
    await settle();
    for (let seconds = 0; seconds < 600; seconds += 30) {
      vi.advanceTimersByTime(30_000);
      await settle();
    }
    // Without that, there are 20.
    expect(comparisons() - 2).toBeGreaterThanOrEqual(1);
    expect(comparisons() - 2).toBeLessThanOrEqual(7);
  });

  const LIMITED = 'echo 5 > /proc/sys/user/max_inotify_watches && exec "$@"';
  const limited = ["unshare", "--user", "--map-root-user", "sh", "-c", LIMITED, "sh"];

  function canLimit(): boolean {
    try {
      execFileSync("unshare", [...limited.slice(1), "true"], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  }

  // Where there are no user namespaces, the test above stands for it with an error that is made up.
  it.runIf(canLimit())("because the system allows no more watches is the reason of the status", async () => {
    await using home = await TestHome.create();
    await using children = await LibraryChildren.create();
    for (let n = 0; n < 20; n++) await home.write(`p${n}/a.jsonl`, new SessionText().user("a").lines);
    const outcomes = await children.run(home.options, [["untilIndexed"], ["scan"], ["status"]], { within: limited });
    expect(outcomes[2]?.value).toHaveLength(20);
    expect(outcomes[3]?.value).toMatchObject({
      state: "degraded",
      reason: expect.stringMatching(/max_user_watches/),
      sessions: 20,
    });
  });
});
