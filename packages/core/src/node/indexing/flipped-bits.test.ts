import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { IndexError } from "@sm/text-index/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppError } from "../../errors.ts";
import type { ListOptions, SessionSort } from "../../library.ts";
import { Catalog } from "../catalog/catalog.ts";
import { openCatalog, openShard, prepareIndex } from "../catalog/index-databases.ts";
import { Listing } from "../catalog/listing.ts";
import { reconcile } from "../catalog/reconcile.ts";
import { LIST, SessionText, searchFor, TestHome, until, untilIndexed } from "../library/library.fixture.ts";
import { foldsIn } from "../reading/known-fold.ts";
import { SessionReader } from "../reading/reader.ts";
import { Searcher } from "../search/searcher.ts";
import { sharePaths } from "../search/shared-paths.ts";
import { SqliteStatistics } from "../statistics/sqlite-statistics.ts";
import { StatisticsReader } from "../statistics/statistics-reader.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import { isCorrupt, type SqliteDatabase } from "../storage/sqlite.ts";
import { CurrentTask, noneUnwanted } from "../threads/unwanted.ts";
import { verifyIndex } from "./verify-index.ts";

const START = Date.parse("2026-03-01T10:00:00.000Z");
const SESSIONS = 14;
const SORTS: SessionSort[] = ["modified", "created", "size", "messages", "cost", "title"];
const QUERIES = [
  "dugong",
  '"dugong 3" -word8',
  "~ugon",
  "word1*",
  "name:former",
  "name:present",
  "tool:bash",
  "title:dugong",
];
const task = new CurrentTask(noneUnwanted(), 1);

let home: TestHome;
let paths: string[];
let pristine: Map<string, Buffer>;
let expected: string | null;

beforeAll(async () => {
  home = await TestHome.create();
  paths = [];
  for (let n = 0; n < SESSIONS; n++) {
    const session = new SessionText({ cwd: `/home/dev/p${n % 3}` }, START + n * 60_000).user(`dugong ${n}`);
    const branch = session.leaf;
    const text = Array.from({ length: 150 }, (_, at) => `word${(at * 7 + n * 13) % 400}`).join(" ");
    for (let turn = 0; turn <= n % 7; turn++) session.assistant(`${text} ${turn}`).toolResult(`result ${turn}`);
    if (n % 4 === 0) session.entry({ type: "session_info", name: `former ${n}` });
    if (n % 4 === 0) session.entry({ type: "session_info", name: `present ${n}` });
    if (n % 5 === 0) session.label(branch, "a label").from(branch).user("another way");
    paths.push(await home.write(`p${n % 3}/${n}.jsonl`, session.lines));
  }
  // A fork, whose first messages are copies, and a file that is no session.
  const [original = ""] = paths;
  const lines = readFileSync(original, "utf8").trim().split("\n").slice(1);
  const fork = [{ type: "session", version: 3, id: "fork", timestamp: new Date(START).toISOString(), cwd: "/x" }];
  paths.push(await home.write("p0/fork.jsonl", [...fork, ...lines.map((line): object => JSON.parse(line))]));
  await home.write("p0/other.jsonl", "no session\n");
  const library = await home.open({ watch: false });
  await untilIndexed(library);
  // An append replaces rows, which leaves pages free.
  await home.append(original, new SessionText().user("dugong once more").entries);
  await untilIndexed(library);
  await home.close(library);
  const names = readdirSync(home.data).filter((name) => /^index.*\.db$/.test(name));
  pristine = new Map(names.map((name) => [name, readFileSync(join(home.data, name))]));
  expected = (await outcome("", 0)).answers;
});
afterAll(() => home[Symbol.asyncDispose]());

/** Asks for everything that an index answers, in the way and the order in which a start does. */
async function askAll(place: IndexPlace): Promise<string> {
  const open: SqliteDatabase[] = [];
  const opened = (database: SqliteDatabase) => {
    open.push(database);
    return database;
  };
  try {
    const client = opened(openCatalog(place));
    const catalog = new Catalog(client);
    reconcile(client, catalog, place);
    const listing = new Listing(client);
    const reading = opened(openCatalog(place, true));
    const readable = new Catalog(reading);
    const reader = new SessionReader(foldsIn(readable));
    const shards = Array.from({ length: place.shards }, (_, shard) => opened(openShard(place, shard, true)));
    const searcher = new Searcher(reading, shards);
    const all = { since: null, until: null, project: null, format: null, stackBy: null };
    const question = { ...all, timeZone: "UTC", prices: {}, now: START };
    const statistics = new StatisticsReader(new SqliteStatistics(reading));
    return JSON.stringify({
      stamps: [...catalog.stamps()].sort(),
      missing: [...catalog.missingDirectories()],
      left: [catalog.unindexed(), catalog.droppedShards(), catalog.shardBytes(place.shards)],
      count: [listing.count(), await listing.all(), await listing.projects()],
      lists: await Promise.all(SORTS.map((sort, at) => pages(listing, { sort, order: at % 2 === 0 ? "asc" : "desc" }))),
      filtered: await Promise.all([
        pages(listing, { query: "dugong 1" }),
        pages(listing, { project: "/home/dev/p1", sort: "cost" }),
        pages(listing, { since: new Date(START + 600_000).toISOString() }),
      ]),
      known: paths.map((path) => [catalog.find(path), listing.one(path)]),
      some: listing.some(paths).sort((a, b) => (a.path < b.path ? -1 : 1)),
      identities: listing.identities(paths.map((path) => ({ path, id: "fork" }))),
      sessions: paths.map((path) => [
        Buffer.from(reader.entries({ path, limit: 3 })).toString(),
        [...reader.tree(path)],
        [readable.find(path)].flatMap((known) => (known === null ? [] : [...readable.entriesFrom(known, 1)])),
      ]),
      statistics: [
        statistics.statistics(question, task),
        statistics.statistics({ ...question, since: START + 1_200_000, timeZone: "Asia/Tokyo" }, task),
      ],
      searches: QUERIES.map((query, at) => {
        const search = searchFor(query, { sort: at % 2 === 0 ? "newest" : "relevance", limit: 30 });
        return searcher.search(
          {
            ...{ ...search, now: START, paths: null, tagged: [], named: [], renamed: [], favorite: [], live: [] },
            ...{
              expiring: [],
              failed: [],
              aborted: [],
              noted: [],
              withNotes: [],
              bookmarked: [],
              archived: "include",
              archivedPaths: sharePaths(new Set()),
            },
          },
          task,
        );
      }),
    });
  } finally {
    for (const database of open.reverse()) database.close();
  }
}

async function pages(listing: Listing, more: Partial<ListOptions>): Promise<unknown[]> {
  const found: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page = await listing.page({ ...LIST, limit: 6, ...more, ...(cursor === null ? {} : { cursor }) });
    found.push(page);
    // A damaged order may lead round in a circle.
    cursor = found.length > 10 ? null : page.nextCursor;
  } while (cursor !== null);
  return found;
}

/** Writes the files of the index, one of them with a bit that is another one. */
function layOut(directory: string, name: string, bit: number): void {
  for (const [file, bytes] of pristine) {
    const copy = Buffer.from(bytes);
    if (file === name) copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    writeFileSync(join(directory, file), copy);
  }
}

interface Outcome {
  answers: string | null;
  /** How damage was told: when the index was opened, to whoever asked, or by who looks for it. */
  told: "opening" | "asking" | "verifying" | null;
}

/** Whether what it does meets damage. */
async function isDamaged(doing: () => Promise<void> | void): Promise<boolean> {
  try {
    await doing();
    return false;
  } catch (error) {
    if (error instanceof IndexError || isCorrupt(error)) return true;
    throw error;
  }
}

/** Opens an index in which one bit of a file is another one; `null` if it is built anew. */
async function opened(name: string, bit: number): Promise<IndexPlace | null> {
  const directory = join(home.directory, "flipped");
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
  layOut(directory, name, bit);
  let place: IndexPlace | null = null;
  await isDamaged(() => {
    const { rebuilt, isOutdated, ...prepared } = prepareIndex(directory, 1);
    if (rebuilt === null && !isOutdated) ({ place } = prepared);
  });
  return place;
}

/** What comes of such an index. */
async function outcome(name: string, bit: number): Promise<Outcome> {
  const place = await opened(name, bit);
  if (place === null) return { answers: null, told: "opening" };
  let answers: string | null = null;
  const isMet = await isDamaged(async () => {
    answers = await askAll(place);
  });
  if (isMet) return { answers: null, told: "asking" };
  return { answers, told: (await isDamaged(() => verifyIndex(place))) ? "verifying" : null };
}

/** Whether who looks for damage finds it. Asking for everything takes twenty times as long. */
async function isVerifiable(name: string, bit: number): Promise<boolean> {
  const place = await opened(name, bit);
  return place !== null && (await isDamaged(() => verifyIndex(place)));
}

/** While the index is built anew. */
function isRetry(error: unknown): false {
  if (error instanceof AppError && error.code === "UNAVAILABLE") return false;
  throw error;
}

/** Some bits of a file, always the same. */
function bitsOf(name: string, from: number, below: number, count: number): number[] {
  const bits = 8 * (Math.min(below, pristine.get(name)?.length ?? 0) - from);
  let state = 1;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 8 * from + Math.floor((state / 2 ** 32) * bits);
  });
}

/** Flips that are tried in each place. */
const FLIPS = Math.ceil(50 * Number(process.env.SESSION_MANAGER_TEST_SCALE ?? 1));

describe("a bit that is another one in the files of an index", () => {
  it.each([
    ["the header of the catalog", "index.db", 0, 100],
    ["the tables' names in the catalog", "index.db", 100, 10_000],
    ["the catalog", "index.db", 0, Number.POSITIVE_INFINITY],
    ["the header of a text database", "index-text-0.db", 0, 100],
    ["a text database", "index-text-0.db", 0, Number.POSITIVE_INFINITY],
  ])("changes no answer, or is told: in %s", async (_, name, from, below) => {
    const wrong: number[] = [];
    const told = new Set<Outcome["told"]>();
    for (const bit of bitsOf(name, from, below, FLIPS)) {
      const flipped = await outcome(name, bit);
      told.add(flipped.told);
      if (flipped.told === null && flipped.answers !== expected) wrong.push(bit);
    }
    expect(wrong).toEqual([]);
    expect(told.size).toBeGreaterThan(1);
  });

  it("is noticed where nobody meets it who asks, and the index is built anew", async () => {
    let bit = 0;
    for (bit of bitsOf("index.db", 0, Number.POSITIVE_INFINITY, 1_000)) {
      if (!(await isVerifiable("index.db", bit))) continue;
      const { told, answers } = await outcome("index.db", bit);
      // What an answer differs by, such as a time of a file, a start may replace by what is true.
      if (told === "verifying" && answers === expected) break;
    }
    layOut(home.data, "index.db", bit);
    const library = await home.open({ watch: false });
    const message = "The index is damaged and is being rebuilt";
    await until(() => home.log.some((line) => line.message === message));
    await until(() => library.scan().then(() => library.status().pending === 0, isRetry));
    await home.close(library);
    verifyIndex(prepareIndex(home.data, 1).place);
    expect(home.log.filter((line) => line.level !== "info").map((line) => line.message)).toEqual([message]);
  });
});
