import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { SearchHit, SearchOptions } from "@sm/core";
import { claudeCorpus, codexCorpus, piCorpus } from "@sm/core/corpora.fixture";
import { type Library, openLibrary } from "@sm/core/node";
import { RemoteReaders, type SearchTask, sharePaths } from "@sm/core/remote";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CatalogSessions } from "../catalog/catalog-sessions.ts";
import { skipChange } from "../catalog/changes.ts";
import { log, TestHub } from "../catalog/hub.fixture.ts";
import { newIndexingThread } from "../catalog/indexing-thread.ts";
import { SessionCounts } from "../catalog/session-counts.ts";
import { LineReader } from "../files/line-reader.ts";
import { needsPostgres, type PostgresServer, startPostgres } from "../postgres-server.fixture.ts";
import { Users } from "../state/users.ts";
import { indexTexts } from "./text-indexing.ts";
import { TextMerging } from "./text-merging.ts";
import { TextSearch } from "./text-search.ts";

const WORDS = ["getUserName", "user", "name", "parse", "config.ts", "src/app/main.ts", "中文字", "größe", "the", "of"];
const SESSIONS = 30;
const START = Date.UTC(2026, 0, 1);

/** Words of a seed, as a transcript may have them: few are common. */
function textOf(seed: number, count: number): string {
  let state = (Math.imul(seed + 1, 2_654_435_761) + 1) >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 8;
  };
  return Array.from({ length: count }, () => {
    return next() % 3 === 0
      ? (WORDS[next() % WORDS.length] ?? "")
      : `word${Math.floor(4_000 ** ((next() % 1_000) / 1_000))}`;
  }).join(" ");
}

/** Texts that are at the limits of what databases index. */
const LIMITS: Record<string, string> = {
  "one word 300 times": "repeated ".repeat(300),
  "20,000 words, with a phrase at their end": `${textOf(5, 20_000)} ending exactly here`,
  "two megabytes of distinct words": Array.from({ length: 200_000 }, (_, at) => `d${(at * 7_919) % 1_000_003}`).join(
    " ",
  ),
  "a word of 5,000 letters": `begin ${"abcdefghij".repeat(500)} after`,
  "NUL and halves of pairs": "nul\0inside half\ud800 pair\udc00 whole😀",
};

describe.runIf(needsPostgres())("a search on a hub", () => {
  let server: PostgresServer;
  let hub: TestHub;
  let directory: string;
  let library: Library;
  const readers = new RemoteReaders(100);
  const lines = new LineReader();
  let search: TextSearch;
  const sent: string[] = [];

  const entry = (number: number, id: string, message: object, parentId: string | null) => ({
    type: "message",
    id,
    parentId,
    timestamp: new Date(START + number * 3_600_000).toISOString(),
    message,
  });

  function session(number: number, texts: readonly string[]): object[] {
    const at = new Date(START + number * 3_600_000).toISOString();
    const cwd = `/home/dev/${number % 3 === 0 ? "shop" : "blog"}`;
    const all: object[] = [{ type: "session", version: 3, id: `session-${number}`, timestamp: at, cwd }];
    let parent: string | null = null;
    for (const [place, text] of texts.entries()) {
      const id = `${number.toString(16).padStart(4, "0")}${place.toString(16).padStart(4, "0")}`;
      const content = [{ type: "text", text }];
      const call = { type: "toolCall", id: "c", name: "edit", arguments: { path: `src/${place % 4}/App.ts` } };
      const message =
        place % 3 === 0
          ? { role: "user", content }
          : place % 3 === 1
            ? {
                role: "assistant",
                content: [...content, call],
                provider: "p",
                model: "claude-opus-4-5",
                stopReason: "stop",
              }
            : { role: "toolResult", toolCallId: "c", toolName: "edit", content, isError: false };
      all.push(entry(number + place / 1_000, id, message, parent));
      parent = id;
    }
    if (number % 5 === 0)
      all.push({
        type: "session_info",
        id: `n${number}`,
        parentId: parent,
        timestamp: at,
        name: `Former title ${number}`,
      });
    if (number % 5 === 0)
      all.push({
        type: "session_info",
        id: `m${number}`,
        parentId: parent,
        timestamp: at,
        name: `Present user ${number}`,
      });
    return all;
  }

  async function write(path: string, content: readonly object[]): Promise<string> {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await hub.sendFile(path);
    if (!sent.includes(path)) sent.push(path);
    return path;
  }

  const pi = (name: string) => join(directory, "agent", "sessions", "p", name);

  function taskOf(query: string, more: Partial<SearchTask> = {}): SearchTask {
    const nothing = { tagged: [], noted: [], withNotes: [], named: [], renamed: [], favorite: [], bookmarked: [] };
    return {
      ...{ query, role: "all", sort: "relevance", limit: 20, per_session: 3, now: Date.now(), paths: null, ...nothing },
      ...{ live: [], expiring: [], failed: [], aborted: [], archived: "exclude", archivedPaths: sharePaths(new Set()) },
      ...more,
    };
  }

  /** Of the hub's user; remembered from one search to the next, as a library does. */
  const counts = new SessionCounts();

  async function onHub(query: string, more: Partial<SearchTask> = {}, userId = hub.userId) {
    const files = new CatalogSessions((ask) => hub.database.read(userId, ask));
    const searcher = { userId, counts: userId === hub.userId ? counts : new SessionCounts() };
    return (await search.search(searcher, files, taskOf(query, more))).page;
  }

  const atHome = (query: string, more: Partial<SearchOptions> = {}) =>
    library.search({ query, role: "all", sort: "relevance", limit: 20, per_session: 3, ...more });

  const withoutScore = ({ score, ...hit }: SearchHit) => JSON.stringify(hit);

  /** As on the hub. */
  const moved = (hit: SearchHit): SearchHit => ({ ...hit, session_path: hub.pathOf(hit.session_path) });

  async function expectSame(query: string, more: { role?: SearchOptions["role"] } = {}): Promise<void> {
    const all = { limit: 200, per_session: 200, ...more };
    const [expected, found] = [await atHome(query, all), await onHub(query, all)];
    expect(found.total).toBe(expected.total);
    expect(found.total_is_exact).toBe(expected.total_is_exact);
    if (expected.total > 200) return;
    expect(found.hits.map(withoutScore).sort()).toEqual(expected.hits.map(moved).map(withoutScore).sort());
  }

  beforeAll(async () => {
    server = await startPostgres();
    hub = await TestHub.open(await server.newDatabase());
    directory = mkdtempSync(join(tmpdir(), "session-manager-hub-search-"));
    search = new TextSearch({ database: hub.database, readers, lines });
    hub.index({ indexTexts });
    for (let number = 0; number < SESSIONS; number++) {
      const texts = Array.from({ length: 12 }, (_, place) =>
        textOf(number * 100 + place, 5 + ((number * 7 + place * 13) % 120)),
      );
      const all = session(number, texts);
      const path = pi(`${number}.jsonl`);
      // Some grow while they are indexed.
      if (number % 4 === 0) await write(path, all.slice(0, 5));
      await write(path, all);
    }
    await write(pi("limits.jsonl"), session(100, Object.values(LIMITS)));
    await write(pi("corpus.jsonl"), piCorpus.lines);
    await write(join(directory, ".claude/projects/p/11111111-1111-4111-8111-111111111111.jsonl"), claudeCorpus.lines);
    await write(join(directory, ".codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-b.jsonl"), codexCorpus.lines);
    library = await openLibrary({
      agentDir: join(directory, "agent"),
      agentHome: directory,
      sessionPaths: [],
      otherAgentPaths: [join(directory, ".claude/projects"), join(directory, ".codex/sessions")],
      dataDir: join(directory, "data"),
      log,
      watch: false,
    });
    while ((await library.status()).state !== "ready") await delay(20);
    await hub.indexed();
  });

  afterAll(async () => {
    await library?.close();
    await hub.close();
    await readers.stop();
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it.each([
    ["user"],
    ["getUserName parse"],
    ['"the user"'],
    ['"ending exactly here"'],
    ["repeated"],
    ["d791* after"],
    ["d1900 OR d7919"],
    [`${"abcdefghij".repeat(6)}*`],
    ["nul inside"],
    ["half pair"],
    ["whole"],
    ["~ding exac"],
    ["文字 -user"],
    ["name:present"],
    ["name:former"],
    ["former"],
    ["tool:edit file:App.ts user"],
    ["model:opus project:shop the"],
    ["agent:claude*"],
    ["agent:codex OR agent:pi"],
    ["role:user user before:2026-01-02"],
    ["is:archived"],
    ["nowhere"],
    ...[piCorpus, claudeCorpus, codexCorpus].map(({ found }) => [found.words[0] ?? ""]),
  ])("finds what a library at home finds: %s", (query) => expectSame(query));

  it("finds what a library at home finds, whatever is asked", async () => {
    const word = fc.constantFrom(...WORDS, "word1", "word17", "word3999", "zzz");
    const leaf = fc
      .oneof(
        word,
        word.map((text) => `${text}*`),
        fc.tuple(word, word).map((words) => `"${words.join(" ")}"`),
        fc.tuple(word, word).map((words) => `"${words.join(" ")}"*`),
        fc.constantFrom(
          "~erNa",
          "~app/m",
          "~rd17 t",
          "~文字",
          "tool:edit",
          "file:3/app.ts",
          "project:blog",
          "after:2026-01-02",
          "role:tool",
        ),
      )
      .filter((text) => text !== "~文字");
    const query = fc.oneof(
      leaf,
      fc.tuple(leaf, leaf).map(([one, two]) => `${one} OR ${two}`),
      fc.tuple(leaf, leaf, leaf).map(([one, two, three]) => `${one} ${two} -${three}`),
      fc.tuple(leaf, leaf, leaf).map(([one, two, three]) => `(${one} OR ${two}) ${three}`),
    );
    const role = fc.constantFrom<SearchOptions["role"][]>("all", "user", "assistant", "tool");
    await fc.assert(
      fc.asyncProperty(query, role, (text, role) => expectSame(text, { role })),
      { numRuns: 60 },
    );
  });

  it.each(["user", "the of", "word1", "name parse", "getUserName OR größe", "word17 user"])(
    "has at least nine of the ten best: %s",
    async (query) => {
      const best = { limit: 10, per_session: 200 };
      const [expected, found] = [await atHome(query, best), await onHub(query, best)];
      const ids = new Set(found.hits.map(({ entry_id }) => entry_id));
      expect(expected.hits).toHaveLength(10);
      expect(expected.hits.filter(({ entry_id }) => ids.has(entry_id)).length).toBeGreaterThanOrEqual(9);
    },
  );

  it("goes on from page to page while texts come, newest first", async () => {
    const page = { limit: 5, per_session: 200, sort: "newest" } as const;
    const first = await onHub("user", page);
    await write(pi("later.jsonl"), session(201, ["user of something newer"]));
    await hub.indexed();
    const second = await onHub("user", { ...page, cursor: first.next_cursor ?? "" });
    const all = await onHub("user", { ...page, limit: 11 });
    const ids = (hits: readonly SearchHit[]) => hits.map(({ entry_id }) => entry_id);
    expect(ids([...first.hits, ...second.hits])).toEqual(ids(all.hits.slice(1)));
  });

  it("finds what was appended, not what was rewritten or removed", async () => {
    const path = pi("changing.jsonl");
    await write(path, session(300, ["before anything zebra"]));
    await hub.indexed();
    expect((await onHub("zebra")).total).toBe(1);
    await write(path, session(300, ["before anything zebra", "and another zebra"]));
    await hub.indexed();
    expect((await onHub("zebra")).total).toBe(2);
    await write(path, session(301, ["written anew: giraffe"]));
    await hub.indexed();
    expect([(await onHub("zebra")).total, (await onHub("giraffe")).total]).toEqual([0, 1]);
    await hub.database.write(hub.userId, async (db) => {
      await db.execute(sql`UPDATE sessions SET removed_at = now() WHERE path = ${hub.pathOf(path)}`);
      await skipChange(db);
    });
    expect((await onHub("giraffe")).total).toBe(0);
  });

  it("leaves out archived sessions, and finds them where they are asked for", async () => {
    const archivedPaths = sharePaths(new Set([hub.pathOf(pi("1.jsonl"))]));
    const every = { limit: 200, per_session: 200 };
    const [without, only, all] = [
      await onHub("user", { ...every, archivedPaths }),
      await onHub("user", { ...every, archivedPaths, archived: "only" }),
      await onHub("user", every),
    ];
    expect(only.total).toBeGreaterThan(0);
    expect(without.total + only.total).toBe(all.total);
  });

  it("shows a user nothing of others, and nothing to nobody", async () => {
    const other = await new Users(hub.database).create("other", "owner");
    expect(await onHub("user OR the", {}, other.id)).toMatchObject({ hits: [], total: 0 });
    const count = sql`SELECT (SELECT count(*)::int FROM text_segments) AS segments, (SELECT count(*)::int FROM text_chunks) AS chunks`;
    const seen = async (userId: string) => (await hub.database.read(userId, (db) => db.execute(count))).rows[0];
    expect(await seen(other.id)).toEqual({ segments: 0, chunks: 0 });
    expect(await seen(hub.userId)).not.toMatchObject({ segments: 0 });
    expect((await hub.database.asService((db) => db.execute(count))).rows[0]).toEqual({ segments: 0, chunks: 0 });
  });

  it("reads chunks by the index, whatever the policies add", async () => {
    const { rows } = await hub.database.read(hub.userId, async (db) => {
      await db.execute(sql`SET LOCAL enable_seqscan = off`);
      return db.execute<{ "QUERY PLAN": string }>(sql`
        EXPLAIN SELECT bytes FROM text_chunks WHERE segment_id = 7 AND component = 3 AND chunk >= 2 AND chunk < 9`);
    });
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/^Index Scan using text_chunks_by_place/);
    expect(plan).toMatch(/Index Cond: .*segment_id = .*component = .*chunk >= /);
  });

  it("merges segments without a difference to anybody, and drops what is dead", async () => {
    const count = async () => {
      const found = await hub.database.read(hub.userId, (db) =>
        db.execute<{ count: number }>(sql`SELECT count(*)::int AS count FROM text_segments`),
      );
      return found.rows[0]?.count ?? 0;
    };
    for (let number = 0; number < 12; number++) {
      await write(pi(`small-${number}.jsonl`), session(401 + 5 * number, ["a small session"]));
      await hub.indexed();
    }
    const before = await count();
    const asked = await onHub("user", { limit: 200, per_session: 200 });
    const mergings = [1, 2].map(() => new TextMerging({ database: hub.database, log }));
    const mergeAll = async (merging: TextMerging | undefined) => {
      while ((await merging?.merge(hub.userId)) === true);
    };
    await Promise.all(mergings.map(mergeAll));
    await mergeAll(mergings[0]);
    while ((await mergings[0]?.merge(hub.userId, { worn: true })) === true);
    await Promise.all(mergings.map((merging) => merging.close()));
    await hub.database.vacuum("text_chunks");
    expect(before).toBeGreaterThan(16);
    expect(await count()).toBeLessThan(before / 2);
    expect((await onHub("small")).total).toBe(12);
    const after = await onHub("user", { limit: 200, per_session: 200 });
    expect(after.hits.map(withoutScore).sort()).toEqual(asked.hits.map(withoutScore).sort());
    await expectSame('"ending exactly here"');
  });

  it("leaves nothing of a merge that was ended in its middle", async () => {
    for (let number = 0; number < 10; number++) {
      await write(pi(`more-${number}.jsonl`), session(501 + 5 * number, ["another session"]));
      await hub.indexed();
    }
    const thread = newIndexingThread();
    const ended: Pick<typeof thread, "run" | "stop"> = {
      // What has been written is given back with the transaction.
      run: async (name, input, { source } = {}) => {
        await thread.run(name, input, { source });
        throw new Error("The thread has ended.");
      },
      stop: () => thread.stop(),
    };
    const merging = new TextMerging({ database: hub.database, log, thread: ended });
    const segments = () =>
      hub.database.read(hub.userId, (db) => db.execute(sql`SELECT id FROM text_segments ORDER BY id`));
    const { rows: before } = await segments();
    await expect(merging.merge(hub.userId)).rejects.toThrow(/has ended/);
    expect((await segments()).rows).toEqual(before);
    await merging.close();
    expect((await onHub("another")).total).toBe(10);
  });
});
