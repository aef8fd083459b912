import { chmod, mkdir, readFile, rename, rm, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionRecord } from "../../session/record.ts";
import { jsonl, LIST, SessionText, TestHome, touch, treeOf, until, untilIndexed } from "./library.fixture.ts";
import type { Library, LibraryOptions } from "./library.ts";
import { byPath, Listener } from "./library-events.fixture.ts";
import { LibraryEvents } from "./library-events.ts";

async function listAll(library: Library): Promise<SessionRecord[]> {
  const sessions: SessionRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await library.list({ ...LIST, limit: 500, cursor });
    sessions.push(...page.sessions);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return byPath(sessions);
}

/** A library that has come to rest and whose next events are all that happens from now on. */
async function listening(home: TestHome, more: Partial<LibraryOptions> = {}) {
  const listener = new Listener();
  const library = await home.open({ onEvent: listener.onEvent, ...more });
  await untilIndexed(library);
  // The text of the last session is told to be searchable.
  await until(() => listener.list.every((record) => record.indexed));
  listener.start(await listAll(library));
  listener.forget();
  return { library, listener };
}

/** Waits until what was told comes to what is listed, and everything is searchable. */
async function untilTold(library: Library, listener: Listener): Promise<void> {
  await until(
    async () =>
      library.status().pending === 0 && JSON.stringify(listener.list) === JSON.stringify(await listAll(library)),
  );
}

describe("changes that nobody hears of", () => {
  const write = (home: TestHome, folder: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        home.write(`${folder}/${n}.jsonl`, new SessionText().user("first").lines),
      ),
    );

  it("are told as lost where they are many, and all the same where they are few", async () => {
    await using home = await TestHome.create();
    let hasSubscribers = false;
    const { library, listener } = await listening(home, { watch: false, hasSubscribers: () => hasSubscribers });
    await write(home, "few", 3);
    await untilIndexed(library);
    expect(listener.told.length).toBeGreaterThanOrEqual(3);
    listener.forget();
    // Of these, a comparison reads and tells a page by itself.
    await write(home, "many", 250);
    await library.scan();
    expect(listener.events).toContainEqual({ type: "changes-lost" });
    const pathsTold = new Set(listener.told.map(({ path }) => path));
    expect(pathsTold.size).toBeLessThanOrEqual(100);
    hasSubscribers = true;
    listener.start(await listAll(library));
    await untilTold(library, listener);
    expect(listener.list.every(({ indexed }) => indexed)).toBe(true);
  });
});

describe("many changes at once", () => {
  it("are read and told 100 records at a time, and others have their turn in between", async () => {
    const asked: number[] = [];
    /** Pieces that were read before another had its turn. */
    let before = 0;
    const events = new LibraryEvents({
      emit: () => undefined,
      log: { info() {}, warn() {}, error() {} },
      records: async (paths) => {
        asked.push(paths.length);
        return [];
      },
      followMoves: async () => [],
    });
    const path = (n: number) => `/s/${n}.jsonl`;
    const list = <T>(count: number, of: (n: number) => T) => Array.from({ length: count }, (_, n) => of(n));
    setImmediate(() => {
      before = asked.length;
    });
    events.listChanged(new Map(list(2_500, (n) => [path(n), "removed"])));
    await events.settled();
    expect(asked).toEqual([1_000, 1_000, 500]);
    events.touched(list(350, path));
    await events.settled();
    expect(asked.slice(3)).toEqual([100, 100, 100, 50]);
    expect(before).toBe(1);
    events.close();
  });
});

describe("a change on disk", () => {
  const oneSession = () => new SessionText().user("first");

  it("is told with the file and its record, and once more when its text is searchable", async () => {
    await using home = await TestHome.create();
    const session = oneSession();
    const path = await home.write("p/a.jsonl", session.lines);
    const { library, listener } = await listening(home);
    await home.append(path, session.assistant("second").lines.slice(-1));
    await until(() => listener.told.some((record) => record.indexed));
    const [record] = await listAll(library);
    expect(record).toMatchObject({ path, message_count: 2, indexed: true });
    expect(listener.events).toEqual([
      { type: "files-changed", changed_paths: [path], removed_paths: [] },
      { type: "records-changed", added: [], updated: [{ ...record, indexed: false }], removed: [] },
      { type: "records-changed", added: [], updated: [record], removed: [] },
    ]);
  });

  it.each([
    ["made", async (home: TestHome) => [await home.write("p/new.jsonl", oneSession().lines)], "added"],
    [
      "made in a new folder",
      async (home: TestHome) => [await home.write("q/r/new.jsonl", oneSession().lines)],
      "added",
    ],
    [
      "replaced by a rename",
      async (_: TestHome, path: string) => {
        await writeFile(`${path}.tmp`, jsonl(oneSession().user("other").lines));
        await rename(`${path}.tmp`, path);
        return [path];
      },
      "updated",
    ],
    [
      "rewritten in a shorter way",
      async (_: TestHome, path: string) => {
        await writeFile(path, jsonl(oneSession().lines));
        return [path];
      },
      "updated",
    ],
  ] as const)("is told when a file is %s", async (_, change, kind) => {
    await using home = await TestHome.create();
    const kept = await home.write("p/a.jsonl", oneSession().assistant("second").lines);
    const { library, listener } = await listening(home);
    const paths = await change(home, kept);
    await until(() => listener.told.some((record) => record.indexed));
    await untilTold(library, listener);
    expect(new Set(listener.changed)).toEqual(new Set(paths));
    expect(listener.events[1]).toMatchObject({ type: "records-changed", [kind]: paths.map((path) => ({ path })) });
  });

  it.each([
    ["removed", (path: string) => unlink(path)],
    ["removed with its folder", (path: string) => rm(dirname(path), { recursive: true })],
    ["no session any more", (path: string) => writeFile(path, "nothing of the kind\n")],
    ["moved out of sight", (path: string) => rename(path, `${path}.bak`)],
  ])("is told when a file is %s", async (_, change) => {
    await using home = await TestHome.create();
    const path = await home.write("p/a.jsonl", oneSession().lines);
    await home.write("q/b.jsonl", oneSession().lines);
    const { listener } = await listening(home);
    await change(path);
    await until(() => listener.events.length === 2);
    expect(listener.events).toEqual([
      { type: "files-changed", changed_paths: [], removed_paths: [path] },
      { type: "records-changed", added: [], updated: [], removed: [path] },
    ]);
  });

  it("is not told where nothing has changed, or nothing that is a session", async () => {
    await using home = await TestHome.create();
    const path = await home.write("p/a.jsonl", oneSession().lines);
    const other = await home.write("p/other.jsonl", "nothing of the kind\n");
    const { library, listener } = await listening(home);
    await touch(path, "2020-01-02T03:04:05.000Z");
    await chmod(path, 0o600);
    await writeFile(path, await readFile(path));
    await writeFile(other, "nothing of the kind either\n");
    await home.write("p/notes.txt", "text");
    await home.write("p/empty.jsonl", "");
    await until(() => library.watchEvents > 3);
    const last = await home.write("p/last.jsonl", oneSession().lines);
    await until(() => listener.told.some((record) => record.path === last && record.indexed));
    expect([...listener.changed, ...listener.removed]).toEqual([last]);
    expect(new Set(listener.told.map((record) => record.path))).toEqual(new Set([last]));
  });

  it("by 200 agents at once is told once a file, and what they wrote is all that is read", async () => {
    await using home = await TestHome.create();
    const paths: string[] = [];
    for (let n = 0; n < 200; n++) paths.push(await home.write(`p${n % 7}/${n}.jsonl`, oneSession().lines));
    const { library, listener } = await listening(home);
    const before = await library.work();
    await Promise.all(paths.map((path) => home.append(path, oneSession().lines.slice(-1))));
    await until(() => listener.changed.length >= 200);
    await untilTold(library, listener);
    expect(new Set(listener.changed)).toEqual(new Set(paths));
    expect(listener.changed).toHaveLength(200);
    for (const event of listener.events) {
      if (event.type === "records-changed") expect(event.updated.length).toBeLessThanOrEqual(100);
    }
    // Once for the record and once for the text.
    expect((await library.work()).filesOpened - before.filesOpened).toBe(400);
  });
});

describe("a command", () => {
  it("is told as a change on disk is, and once", async () => {
    await using home = await TestHome.create();
    const session = new SessionText().user("first");
    const path = await home.write("p/a.jsonl", session.lines);
    const { library, listener } = await listening(home);

    await library.rename(path, "A name");
    await untilTold(library, listener);
    expect(listener.changed).toEqual([path]);
    expect(listener.told.at(-1)).toMatchObject({ path, name: "A name" });
    listener.forget();

    const fork = await library.fork(path, null);
    await untilTold(library, listener);
    expect(listener.changed).toEqual([fork.path]);
    listener.forget();

    await library.toggleFavorite(fork.path);
    await until(() => listener.events.length > 0);
    const [listed] = (await listAll(library)).filter((record) => record.path === fork.path);
    expect(listed?.is_favorite).toBe(true);
    expect(listener.events).toEqual([{ type: "records-changed", added: [], updated: [listed], removed: [] }]);
    listener.forget();

    await library.delete(path, { force: false });
    await until(() => listener.events.length >= 2);
    expect(listener.events).toEqual([
      { type: "files-changed", changed_paths: [], removed_paths: [path] },
      { type: "records-changed", added: [], updated: [], removed: [path] },
    ]);
  });

  it.each([
    ["scan", (library: Library) => library.scan()],
    ["a page", (library: Library, path: string) => library.readEntries({ path, limit: 1 })],
  ])("that reads, such as %s, tells what it finds where nobody watches", async (_, read) => {
    await using home = await TestHome.create();
    const session = new SessionText().user("first");
    const path = await home.write("p/a.jsonl", session.lines);
    const { library, listener } = await listening(home, { watch: false });
    await home.append(path, session.assistant("second").lines.slice(-1));
    await read(library, path);
    await until(() => listener.told.some((record) => record.indexed));
    expect(listener.changed).toEqual([path]);
    expect(library.watchEvents).toBe(0);
  });
});

describe("the first reading", () => {
  it("adds every session once and tells when all are searchable", async () => {
    await using home = await TestHome.create();
    for (let n = 0; n < 350; n++) await home.write(`p/${n}.jsonl`, new SessionText().user(`session ${n}`).lines);
    const listener = new Listener();
    const library = await home.open({ onEvent: listener.onEvent });
    await untilIndexed(library);
    await untilTold(library, listener);
    const added = listener.events.flatMap((event) => (event.type === "records-changed" ? event.added : []));
    expect(added).toHaveLength(350);
    expect(new Set(added.map((record) => record.path)).size).toBe(350);
    expect(listener.list.every((record) => record.indexed)).toBe(true);
    for (const event of listener.events) {
      if (event.type === "records-changed") expect(event.added.length + event.updated.length).toBeLessThanOrEqual(100);
    }
  });

  it("tells nothing where nothing has changed since the last run", async () => {
    await using home = await TestHome.create();
    for (let n = 0; n < 20; n++) await home.write(`p/${n}.jsonl`, new SessionText().user(`session ${n}`).lines);
    const { library } = await listening(home);
    await home.close(library);
    const listener = new Listener();
    const next = await home.open({ onEvent: listener.onEvent });
    await untilIndexed(next);
    expect(listener.events).toEqual([]);
  });
});

describe("a list and all later events", () => {
  type Step =
    | { do: "append" | "create" | "rewrite" | "delete" | "toggle" | "touch" | "read"; file: number }
    | { do: "rename"; file: number; to: number }
    | { do: "rename folder"; from: number; to: number }
    | { do: "scan" | "wait" | "list" };

  const FILES = 8;
  const nameOf = (file: number) => `d${file % 3}/${file % 2 === 0 ? "e/" : ""}${file}.jsonl`;
  const file = fc.nat(FILES - 1);
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constantFrom("append", "create", "rewrite", "delete", "toggle", "touch", "read"),
        file,
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("rename"), file, to: file }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("rename folder"), from: fc.nat(2), to: fc.nat(4) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("scan", "wait", "list") }) },
  );

  async function run(home: TestHome, library: Library, listener: Listener, one: Step): Promise<void> {
    const pathOf = (number: number) => join(home.sessions, nameOf(number));
    const text = () => new SessionText({ id: "the same" }).user(`text ${Math.random()}`);
    switch (one.do) {
      case "append":
        return home.append(pathOf(one.file), text().lines.slice(-1));
      case "create":
      case "rewrite":
        await home.write(nameOf(one.file), text().lines);
        return;
      case "delete":
        return unlink(pathOf(one.file));
      case "touch":
        return touch(pathOf(one.file), new Date(1e12 + Math.random() * 1e11).toISOString());
      case "toggle":
        await library.toggleFavorite(pathOf(one.file));
        return;
      case "read":
        await treeOf(library, pathOf(one.file));
        return;
      case "rename":
        await mkdir(dirname(pathOf(one.to)), { recursive: true });
        return rename(pathOf(one.file), pathOf(one.to));
      case "rename folder":
        return rename(join(home.sessions, `d${one.from}`), join(home.sessions, `d${one.to}`));
      case "scan":
        await library.scan();
        return;
      case "list":
        listener.start(await listAll(library));
        return;
      case "wait":
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
    }
  }

  it("come to the list at the end, record by record", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        await using home = await TestHome.create();
        for (let n = 0; n < FILES; n += 2) await home.write(nameOf(n), new SessionText().user(`file ${n}`).lines);
        const listener = new Listener();
        const library = await home.open({ onEvent: listener.onEvent });
        // What a step needs may be gone.
        for (const one of steps) await run(home, library, listener, one).catch(() => undefined);
        await library.scan();
        await untilTold(library, listener);

        const fresh = await home.open({ dataDir: join(home.directory, "fresh"), watch: false });
        await untilIndexed(fresh);
        const withoutMarks = (records: SessionRecord[]) => records.map((one) => ({ ...one, is_favorite: false }));
        expect(withoutMarks(listener.list)).toEqual(withoutMarks(await listAll(fresh)));
        expect(home.log.filter((line) => line.level !== "info")).toEqual([]);
      }),
      { numRuns: 40, interruptAfterTimeLimit: 12_000, markInterruptAsFailure: false },
    );
  });
});
