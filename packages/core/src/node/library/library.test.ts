import { readFile, rename, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { ListOptions, SessionSort } from "../../library.ts";
import type { SessionRecord } from "../../session/record.ts";
import { openUserState } from "../state/user-state.ts";
import {
  codeOf,
  jsonl,
  LIST,
  SessionText,
  scanAll,
  searchFor,
  TestHome,
  touch,
  until,
  untilIndexed,
} from "./library.fixture.ts";
import type { Library } from "./library.ts";

const DAY = 24 * 60 * 60 * 1000;
const START = Date.parse("2026-03-01T10:00:00.000Z");

describe("scan", () => {
  it("gives the records of all sessions, the newest first, and none of other files", async () => {
    await using home = await TestHome.create();
    const old = await home.write("p/old.jsonl", new SessionText({}, START).user("old").lines);
    const young = await home.write("young.jsonl", new SessionText({}, START + DAY).user("young").lines);
    const deep = await home.write("a/b/c/d.jsonl", new SessionText({}, START + DAY / 2).user("deep").lines);
    await home.write("p/subagent-artifacts/x.jsonl", new SessionText().user("of a helper").lines);
    await home.write("p/transcripts/x.jsonl", new SessionText().user("a copy").lines);
    await home.write("transcripts/deeper/x.jsonl", new SessionText().user("a copy").lines);
    await home.write("p/notes.json", "{}");
    await home.write("p/a.jsonl.bak", new SessionText().lines);
    const library = await home.open();
    expect(await scanAll(library)).toMatchObject([{ path: young }, { path: deep }, { path: old }]);
    expect(library.status()).toMatchObject({ reason: null, sessions: 3 });
    await untilIndexed(library);
    expect(library.status()).toMatchObject({ state: "ready", pending: 0 });
    expect((await library.search(searchFor("copy"))).hits).toEqual([]);
  });

  it("gives sessions whose names have no UTF-8", async () => {
    await using home = await TestHome.create();
    await home.write("p/a.jsonl", new SessionText({ id: "half \ud83d", cwd: "/half \udca1" }).user("whole").lines);
    const library = await home.open();
    await untilIndexed(library);
    const project = "/half \ufffd";
    expect(await scanAll(library)).toMatchObject([{ id: "half \ufffd", cwd: project }]);
    expect((await library.list({ ...LIST, project })).total).toBe(1);
    expect(library.status()).toMatchObject({ state: "ready", reason: null });
  });

  it("gives the whole record", async () => {
    await using home = await TestHome.create();
    const call = { type: "toolCall", id: "call", name: "bash", arguments: { command: "ls" } };
    const session = new SessionText({ id: "the-id", parentSession: "/somewhere/else.jsonl" }, START)
      .user("What is\nhere?")
      .assistant("Let me see.", [call, call])
      .toolResult("a file")
      .assistant("A file.");
    const path = await home.write("p/a.jsonl", session.lines);
    const library = await home.open();
    await untilIndexed(library);
    expect(await scanAll(library)).toEqual([
      {
        path,
        id: "the-id",
        owner: null,
        machine: null,
        format: "pi",
        capabilities: {
          rename: true,
          fork: true,
          delete: true,
          start: true,
          resume_command: `cd /home/dev/project && pi --session ${path}`,
        },
        source: "file",
        name: null,
        title: "What is here?",
        cwd: "/home/dev/project",
        created_at: "2026-03-01T10:00:01.000Z",
        modified_at: "2026-03-01T10:00:05.000Z",
        size_bytes: (await stat(path)).size,
        message_count: 4,
        user_message_count: 1,
        assistant_message_count: 2,
        tool_call_count: 2,
        first_message: "What is\nhere?",
        last_message: "A file.",
        last_role: "assistant",
        outcome: null,
        outcome_message: null,
        models: ["test-1"],
        providers: ["test"],
        usage: {
          input_tokens: 20,
          output_tokens: 10,
          cache_read_tokens: 0,
          cache_write_tokens: 0,
          cache_write_1h_tokens: 0,
          reasoning_tokens: 0,
          total_tokens: 30,
          cost_usd: 0.5,
          estimated_cost_usd: null,
        },
        branch_count: 1,
        parent_session_path: "/somewhere/else.jsonl",
        relation: "fork",
        subagent_count: 0,
        subagent_usage: null,
        rate_limits: null,
        tag_ids: [],
        is_favorite: false,
        archived_at: null,
        expires_at: null,
        note_count: 0,
        is_live: false,
        malformed_lines: 0,
        indexed: true,
      } satisfies SessionRecord,
    ]);
  });

  it("is complete: it knows what was written, changed, moved and removed just before", async () => {
    await using home = await TestHome.create();
    const library = await home.open();
    expect(await scanAll(library)).toEqual([]);
    const paths: string[] = [];
    for (let n = 0; n < 20; n++) {
      const session = new SessionText().user(`session ${n}`);
      const path = await home.write(`p/${n}.jsonl`, session.lines);
      paths.push(path);
      expect((await scanAll(library)).map((record) => record.path).sort()).toEqual([...paths].sort());
      await home.append(path, session.assistant("more").lines.slice(-1));
      const [appended] = (await scanAll(library)).filter((record) => record.path === path);
      expect(appended).toMatchObject({ message_count: 2, size_bytes: (await stat(path)).size });
    }
    const [first = "", second = ""] = paths;
    await rename(first, `${first}-moved.jsonl`);
    await unlink(second);
    const after = (await scanAll(library)).map((record) => record.path);
    expect(after).toHaveLength(19);
    expect(after).toContain(`${first}-moved.jsonl`);
    expect(after).not.toContain(first);
    expect(after).not.toContain(second);
  });

  it("is complete also for a file that was being read just then", async () => {
    await using home = await TestHome.create();
    const library = await home.open();
    await library.scan();
    const filler = jsonl(new SessionText().user("word ".repeat(12_000)).lines);
    for (let round = 0; round < 40; round++) {
      // The smallest is the newest and read first; the others, one batch with it, take some milliseconds.
      for (let n = 0; n < 60; n++) await home.write(`${n}.jsonl`, `${filler}${"{}\n".repeat(round + n)}`);
      const session = new SessionText().user("first");
      const path = await home.write("small.jsonl", session.lines);
      const scanning = library.scan();
      await delay(round / 2);
      await home.append(path, session.assistant("second").lines.slice(-1));
      const record = (await scanAll(library)).find((candidate) => candidate.path === path);
      expect(record).toMatchObject({ message_count: 2, size_bytes: jsonl(session.lines).length });
      await scanning;
    }
  });

  it("is complete for many callers at once", async () => {
    await using home = await TestHome.create();
    for (let n = 0; n < 150; n++) await home.write(`p/${n}.jsonl`, new SessionText().user(`session ${n}`).lines);
    const library = await home.open();
    for (const records of await Promise.all([scanAll(library), scanAll(library), scanAll(library)])) {
      expect(records).toHaveLength(150);
    }
  });

  it("forgets no work and does none twice when sessions go while their text waits for the index", async () => {
    await using home = await TestHome.create();
    const paths: string[] = [];
    for (let n = 0; n < 900; n++) paths.push(await home.write(`p/${n}.jsonl`, new SessionText().user("word").lines));
    const library = await home.open();
    await library.scan();
    expect(library.status()).toMatchObject({ state: "indexing", sessions: 900 });
    await Promise.all(paths.slice(1).map((path) => unlink(path)));
    await untilIndexed(library);
    expect(library.status()).toMatchObject({ state: "ready", sessions: 1, pending: 0 });
    expect((await library.search(searchFor("word"))).hits).toHaveLength(1);
  });
});

describe("list", () => {
  let home: TestHome;
  let library: Library;
  const paths: string[] = [];
  const NAMES = ["delta", "Alpha", "charlie", "bravo", "echo"];

  beforeAll(async () => {
    home = await TestHome.create();
    for (let n = 0; n < 25; n++) {
      const cwd = n % 5 === 0 ? null : `/home/dev/project-${n % 2}`;
      const session = new SessionText({ cwd, id: `id-${n}` }, START + ((n * 7) % 25) * DAY);
      // Some are equal in every way that is sorted by, so that only the path can tell them apart.
      session.user(`${NAMES[n % 5]} words-${n % 3}`);
      for (let at = 0; at < n % 4; at++) session.assistant("x".repeat(n % 2));
      paths.push(await home.write(`p/${String(n).padStart(2, "0")}.jsonl`, session.lines));
    }
    library = await home.open();
    await untilIndexed(library);
    for (const n of [3, 8, 13]) await library.toggleFavorite(paths[n] ?? "");
  });
  afterAll(() => home[Symbol.asyncDispose]());

  async function allPages(options: ListOptions): Promise<SessionRecord[]> {
    const sessions: SessionRecord[] = [];
    let cursor: string | undefined;
    do {
      const page = await library.list({ ...options, cursor });
      expect(page.sessions.length).toBeLessThanOrEqual(options.limit);
      sessions.push(...page.sessions);
      cursor = page.next_cursor ?? undefined;
      if (cursor !== undefined) expect(page.sessions).toHaveLength(options.limit);
    } while (cursor !== undefined);
    return sessions;
  }

  const keys: Record<SessionSort, (record: SessionRecord) => string | number> = {
    modified: (record) => record.modified_at,
    created: (record) => record.created_at,
    size: (record) => record.size_bytes,
    messages: (record) => record.message_count,
    cost: (record) => record.usage.cost_usd ?? 0,
    title: (record) => record.title,
  };
  const sorts = Object.keys(keys) as SessionSort[];
  const orders = ["asc", "desc"] as const;

  it.each(sorts.flatMap((sort) => orders.map((order) => [sort, order] as const)))(
    "pages through everything once by %s, %s",
    async (sort, order) => {
      const key = keys[sort];
      const ascending = (a: SessionRecord, b: SessionRecord) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
      const sorted = (await scanAll(library)).sort((a, b) => (order === "asc" ? ascending(a, b) : ascending(b, a)));
      const { sessions } = await library.list({ sort, order, limit: 100 });
      expect(sessions.map(key)).toEqual(sorted.map(key));
      expect(new Set(sessions.map((record) => record.path)).size).toBe(25);
      for (const limit of [4, 5, 25]) expect(await allPages({ sort, order, limit })).toEqual(sessions);
    },
  );

  it.each([
    ["project", { project: "/home/dev/project-1" }, [1, 3, 7, 9, 11, 13, 17, 19, 21, 23]],
    ["favorites", { favorites_only: true }, [3, 8, 13]],
    ["no tag that exists", { tag_ids: ["none"] }, []],
    ["format", { format: "pi" }, Array.from({ length: 25 }, (_, n) => n)],
    ["words in any case", { query: "ALPHA words-1" }, [1, 16]],
    ["a word of the path", { query: "p/24.json" }, [24]],
    ["the id", { query: "id-17" }, [17]],
    ["nothing that is there", { query: "zebra" }, []],
    ["a wildcard that is none", { query: "%" }, []],
    ["blanks", { query: "  " }, Array.from({ length: 25 }, (_, n) => n)],
    ["two things at once", { query: "bravo", favorites_only: true, project: "/home/dev/project-1" }, [3, 13]],
  ] as const)("filters by %s", async (_, filter, numbers) => {
    const expected = numbers.map((n) => paths[n]).sort();
    const options = { ...LIST, ...filter, tag_ids: "tag_ids" in filter ? [...filter.tag_ids] : undefined };
    const all = await library.list({ ...options, limit: 100 });
    expect(all.sessions.map((record) => record.path).sort()).toEqual(expected);
    expect(all.total).toBe(expected.length);
    const paged = await allPages({ ...options, limit: 2 });
    expect(paged.map((record) => record.path).sort()).toEqual(expected);
  });

  it("filters by time, whatever its zone and form", async () => {
    const until = await library.list({ ...LIST, until: "2026-03-04T12:00:00+02:00" });
    expect(until.sessions.map((record) => record.modified_at.slice(0, 10)).sort()).toEqual([
      "2026-03-01",
      "2026-03-02",
      "2026-03-03",
    ]);
    expect((await library.list({ ...LIST, since: "2026-03-04T10:00:00Z" })).total).toBe(22);
    const [newest] = until.sessions;
    const exact = newest?.modified_at ?? "";
    expect((await library.list({ ...LIST, since: exact, until: "2026-03-04T10:00:00Z" })).sessions).toEqual([newest]);
    expect((await library.list({ ...LIST, since: "2026-03-03T00:00:00Z", until: exact })).sessions).toEqual([]);
  });

  it("marks favorites", async () => {
    const marked = (await library.list({ ...LIST, limit: 100 })).sessions.filter((record) => record.is_favorite);
    expect(marked.map((record) => record.path).sort()).toEqual([paths[3], paths[8], paths[13]]);
  });

  it("refuses a cursor of another list", async () => {
    const { next_cursor } = await library.list({ ...LIST, limit: 2 });
    const cursor = next_cursor ?? "";
    expect(cursor).not.toBe("");
    const forged = Buffer.from('{"sort":"modified","order":"desc","value":{},"path":1}').toString("base64url");
    const searched = await library.search(searchFor("alpha", { limit: 1 }));
    const wrong = [
      { ...LIST, sort: "size", cursor } as const,
      { ...LIST, order: "asc", cursor } as const,
      { ...LIST, cursor: forged },
      { ...LIST, cursor: "%%%" },
      { ...LIST, cursor: "" },
      { ...LIST, cursor: searched.next_cursor ?? "" },
    ];
    for (const options of wrong) expect(await codeOf(library.list(options))).toBe("INVALID_PAYLOAD");
  });

  it("keeps its pages apart while sessions are added", async () => {
    const first = await library.list({ ...LIST, limit: 10 });
    const added = await home.write("p/added.jsonl", new SessionText({}, START + 100 * DAY).user("new").lines);
    await library.scan();
    const second = await library.list({ ...LIST, limit: 100, cursor: first.next_cursor ?? "" });
    const seen = [...first.sessions, ...second.sessions].map((record) => record.path);
    expect([...seen].sort()).toEqual([...paths].sort());
    await unlink(added);
    await library.scan();
  });
});

describe("list and search", () => {
  it("answer at once from what is known, and hear of changes by themselves", async () => {
    await using home = await TestHome.create();
    const library = await home.open();
    expect(await library.list(LIST)).toMatchObject({ sessions: [], total: 0 });
    await library.scan();
    await home.write("p/a.jsonl", new SessionText().user("walrus").lines);
    await until(async () => (await library.list(LIST)).total === 1);
    await until(async () => (await library.search(searchFor("walrus"))).hits.length === 1);
  });
});

describe("delete", () => {
  it("removes the file, its record, its text and its favorite", async () => {
    await using home = await TestHome.create();
    const session = new SessionText().user("platypus");
    const path = await home.write("p/a.jsonl", session.lines);
    const kept = await home.write("p/b.jsonl", new SessionText().user("platypus too").lines);
    const library = await home.open();
    await untilIndexed(library);
    await library.toggleFavorite(path);
    expect(await library.delete(path, { force: false })).toEqual({
      path,
      method: "trash",
      companions: 0,
      left_behind: [],
    });
    await expect(stat(path)).rejects.toThrow(/ENOENT/);
    const pathsOf = (listed: { path: string }[]) => listed.map((record) => record.path);
    expect(pathsOf((await library.list(LIST)).sessions)).toEqual([kept]);
    expect((await library.search(searchFor("platypus"))).hits.map((hit) => hit.session_path)).toEqual([kept]);
    expect(await library.favorites()).toEqual([]);
    expect(pathsOf(await scanAll(library))).toEqual([kept]);
    expect(await codeOf(library.delete(path, { force: false }))).toBe("NOT_FOUND");
    expect(await codeOf(library.readEntries({ path, limit: 1 }))).toBe("NOT_FOUND");
    await home.write("p/a.jsonl", session.lines);
    expect(await scanAll(library)).toContainEqual(expect.objectContaining({ path, is_favorite: false }));
  });

  it("takes files that hold no session too, and those that are not read yet", async () => {
    await using home = await TestHome.create();
    const path = await home.write("p/a.jsonl", "nothing of the kind");
    const library = await home.open();
    expect(await library.delete(path, { force: true })).toEqual({
      path,
      method: "trash",
      companions: 0,
      left_behind: [],
    });
    expect(await scanAll(library)).toEqual([]);
  });
});

describe("favorites", () => {
  it("are listed newest first, survive a restart and follow a file that is moved", async () => {
    await using home = await TestHome.create();
    const a = await home.write("p/a.jsonl", new SessionText({ id: "a" }).user("a").lines);
    const b = await home.write("p/b.jsonl", new SessionText({ id: "b" }).user("b").lines);
    const other = await home.write("p/other.jsonl", "no session");
    let library = await home.open();
    expect(await library.toggleFavorite(a)).toEqual({ path: a, is_favorite: true });
    expect(await library.toggleFavorite(b)).toEqual({ path: b, is_favorite: true });
    expect(await codeOf(library.toggleFavorite(other))).toBe("NOT_FOUND");
    expect(await codeOf(library.toggleFavorite(`${a}.jsonl`))).toBe("NOT_FOUND");
    expect(await library.favorites()).toEqual([b, a]);
    await home.close(library);

    const moved = join(home.sessions, "moved.jsonl");
    await rename(a, moved);
    library = await home.open();
    await library.scan();
    expect(await library.favorites()).toEqual([b, moved]);
    expect(await library.toggleFavorite(b)).toEqual({ path: b, is_favorite: false });
    await rename(moved, a);
    expect((await scanAll(library)).filter((record) => record.is_favorite)).toMatchObject([{ path: a }]);
    expect(await library.favorites()).toEqual([a]);
  });
});

describe("status", () => {
  it("tells of progress from opening to the end", async () => {
    await using home = await TestHome.create();
    // More than are indexed between two moments in which progress is told.
    for (let n = 0; n < 400; n++) await home.write(`p/${n}.jsonl`, new SessionText().user(`session ${n}`).lines);
    const states = new Set<string>();
    const library = await home.open({ onProgress: (status) => states.add(status.state) });
    expect(library.status()).toMatchObject({ state: "opening", sessions: 0 });
    await untilIndexed(library);
    const status = library.status();
    expect(status).toMatchObject({ state: "ready", reason: null, sessions: 400, pending: 0 });
    expect(status.bytes_done).toBe(status.bytes_total);
    await until(() => states.has("ready"));
    expect(states).toContain("indexing");
  });
});

describe("the backup of the day", () => {
  it.each([
    ["looked after by a library that watches", true],
    ["left to the start where a library is only asked", false],
  ])("is %s", async (_, watch) => {
    await using home = await TestHome.create();
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const state = openUserState({ dataDir: home.data, log });
    const backUp = vi.spyOn(state, "backUpIfDue");
    const library = await home.open({ state, watch });
    await library.scan();
    if (watch) await until(() => backUp.mock.calls.length > 0);
    else expect(backUp).not.toHaveBeenCalled();
    await home.close(library);
    await state.close();
  });
});

describe("closing", () => {
  let library: Library | null = null;
  afterEach(() => library?.close());

  it("in the middle of the work leaves an index that the next one takes up", async () => {
    await using home = await TestHome.create();
    for (let n = 0; n < 300; n++) await home.write(`p/${n}.jsonl`, new SessionText().user(`session ${n}`).lines);
    for (const wait of [0, 20, 100, 200]) {
      const interrupted = await home.open();
      await delay(wait);
      await home.close(interrupted);
    }
    library = await home.open();
    await untilIndexed(library);
    expect((await library.search(searchFor("session", { limit: 1 }))).total).toBe(300);
    expect(home.log.filter((line) => line.level !== "info")).toEqual([]);
    await home.close(library);
    library = null;
  });
});

describe("a file's own time", () => {
  it("is taken where nothing in the file tells one", async () => {
    await using home = await TestHome.create();
    const path = await home.write(
      "p/a.jsonl",
      '{"type":"message","id":"a","parentId":null,"message":{"role":"user"}}\n',
    );
    await touch(path, "2020-01-02T03:04:05.000Z");
    const library = await home.open();
    const time = "2020-01-02T03:04:05.000Z";
    expect(await scanAll(library)).toMatchObject([{ path, id: "a", title: "a", created_at: time, modified_at: time }]);
    await writeFile(path, await readFile(path));
    await touch(path, "2021-01-02T03:04:05.000Z");
    expect(await scanAll(library)).toMatchObject([{ modified_at: "2021-01-02T03:04:05.000Z" }]);
  });
});

describe("a thread that hangs", () => {
  it("shows in the status after two minutes, and no more when it gets on", async () => {
    await using home = await TestHome.create();
    await home.write("p/a.jsonl", new SessionText().user("x").lines);
    const library = await home.open();
    await untilIndexed(library);
    const path = join(home.sessions, "p", "a.jsonl");
    const asked: Promise<unknown>[] = [];
    await until(() => {
      asked.push(library.readEntries({ path }));
      return statusAfter(library, 185_000) !== "ready: null";
    });
    expect(statusAfter(library, 185_000)).toMatch(
      /^degraded: A thread has been running one task \(entries\) for 3 minutes/,
    );
    expect(statusAfter(library, 110_000)).toBe("ready: null");
    await Promise.all(asked);
    expect(statusAfter(library, 185_000)).toBe("ready: null");
  });
});

/** What the status is where nothing happens for so many milliseconds. */
function statusAfter(library: Library, ms: number): string {
  const now = performance.now();
  using _ = vi.spyOn(performance, "now").mockReturnValue(now + ms);
  const { state, reason } = library.status();
  return `${state}: ${reason}`;
}
