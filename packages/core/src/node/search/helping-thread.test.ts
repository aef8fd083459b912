import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Phrase } from "../../search/query-tree.ts";
import { openShard, prepareIndex } from "../catalog/index-databases.ts";
import { SessionText, searchFor, TestHome, until, untilIndexed } from "../library/library.fixture.ts";
import { createBuilder } from "../postings/builder.ts";
import { build, type TestDocument } from "../postings/model.fixture.ts";
import { openSegments } from "../postings/segments.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import { Thread } from "../threads/thread.ts";
import { CostBudget } from "./cost-budget.ts";
import { HelpingThread, type HelpLimits } from "./helping-thread.ts";
import { LivingDocuments, type LivingSegment } from "./living.ts";
import { matchPhrases } from "./phrases.ts";
import type { SearchTask, SearchTasks } from "./search-tasks.ts";

const WORDS = ["one", "two", "three", "four", "five", "onetwo", "rare"];
const ALL = new Set([1]);
const STEPS = 1_000_000;

/** Texts that have the common words in all orders. */
function textsOf(seed: number, count: number): string[] {
  let state = seed;
  const next = (limit: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor(state / 65_536) % limit;
  };
  return Array.from({ length: count }, () => Array.from({ length: 12 }, () => WORDS[next(WORDS.length - 1)]).join(" "));
}

const builder = createBuilder();

function store(database: SqliteDatabase, texts: readonly string[]): void {
  const documents = texts.map((text, ordinal): TestDocument => {
    const origin = { key: 1, ordinal, part: 0, code: 0, timestamp: null };
    return { origin, texts: [text], fields: [] };
  });
  build(builder, documents);
  openSegments(database).write(builder);
}

let directory: string;
let place: IndexPlace;
let databases: SqliteDatabase[];
let living: LivingDocuments[];

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "session-manager-test-"));
  place = prepareIndex(directory, 2).place;
  databases = [0, 1].map((shard) => openShard(place, shard));
  for (const [shard, database] of databases.entries()) {
    for (const part of [0, 1]) store(database, [...textsOf(2 * shard + part, 60), `one rare two ${shard}`]);
  }
  living = databases.map((database) => new LivingDocuments(database));
});
afterAll(() => {
  for (const database of databases) database.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Segments by text database. */
const shards = (): LivingSegment[][] => living.map((documents) => documents.refresh(ALL));

async function started(limits: HelpLimits = {}): Promise<HelpingThread> {
  const thread = new HelpingThread(place, { leastDocuments: 1, ...limits });
  thread.over(shards());
  expect(thread.isWanted).toBe(true);
  await thread.start();
  expect(thread.isWanted).toBe(false);
  return thread;
}

interface Found {
  matches: [document: number, frequency: number][];
  most: number;
}

/** What the other thread finds in each segment; `null` where it has not looked. */
function helped(
  thread: HelpingThread,
  phrases: readonly Phrase[],
  budget = new CostBudget(STEPS),
  segments = shards(),
): (Found | null)[] {
  const all = segments.flat();
  const help = thread.over(segments);
  const found = help.begin(
    phrases,
    all.map(({ view }) => view),
    all.map((segment) => segment.living),
    budget,
  );
  return all.map((_, number) => {
    const matches: Found["matches"] = [];
    const most = found.take(number, (document, frequency) => matches.push([document, frequency]));
    return most === null ? null : { matches, most };
  });
}

function alone(phrases: readonly Phrase[], { view, living }: LivingSegment, budget = new CostBudget(STEPS)): Found {
  const matches: Found["matches"] = [];
  const onMatch = (document: number, frequency: number) => matches.push([document, frequency]);
  const most = matchPhrases(view.segment, phrases, living, budget, onMatch);
  return { matches, most };
}

const phrase = (text: string): Phrase => ({ terms: text.split(" "), prefix: false });

describe("a thread that helps", () => {
  it("finds phrases in the later half of the text databases as one thread would", async () => {
    const thread = await started();
    const words = fc.array(fc.constantFrom(...WORDS, "absent"), { minLength: 1, maxLength: 4 });
    const anyPhrase = fc.record({ terms: words, prefix: fc.boolean() });
    let tried = 0;
    let helpedWith = 0;
    fc.assert(
      fc.property(fc.array(anyPhrase, { minLength: 1, maxLength: 3 }), (phrases) => {
        tried++;
        const own = new CostBudget(STEPS);
        const [first = [], second = []] = shards();
        const expected = [...first.map(() => null), ...second.map((segment) => alone(phrases, segment, own))];
        const isPhrase = phrases.some(({ terms }) => terms.length > 1);
        const budget = new CostBudget(STEPS);
        expect(helped(thread, phrases, budget)).toEqual(isPhrase ? expected : expected.map(() => null));
        if (!isPhrase) return;
        expect(budget.left).toBe(own.left);
        expect(budget.isComplete).toBe(true);
        helpedWith++;
      }),
      { numRuns: 200 },
    );
    expect(helpedWith).toBeGreaterThan(tried / 2);
  });

  it("looks only in the documents that it is told", async () => {
    const thread = await started();
    const [first = [], [segment] = []] = shards();
    if (segment === undefined) throw new Error("Nothing was stored.");
    const matches = alone([phrase("one two")], segment).matches;
    expect(matches.length).toBeGreaterThan(1);
    for (const [document] of matches.slice(0, 3)) {
      const only = new Uint32Array(segment.living.length);
      only[document >>> 5] = 1 << (document & 31);
      const found = helped(thread, [phrase("one two")], undefined, [first, [{ ...segment, living: only }]]);
      expect(found.at(-1)?.matches.map(([other]) => other)).toEqual([document]);
    }
    const none = new Uint32Array(segment.living.length);
    expect(helped(thread, [phrase("one two")], undefined, [first, [{ ...segment, living: none }]]).at(-1)).toBeNull();
  });

  it("sees segments that come and go", async () => {
    const thread = await started();
    const [, database] = databases;
    if (database === undefined) throw new Error("There is one text database only.");
    store(database, ["a newer one two", "one two one two"]);
    const newest = helped(thread, [phrase("one two")]).at(-1);
    expect(newest?.matches).toEqual([
      [0, 1],
      [1, 2],
    ]);
    const before = shards();
    const segments = openSegments(database);
    const [newer] = segments.refresh().slice(-1);
    if (newer === undefined) throw new Error("Nothing was stored.");
    for (const _ of segments.merge([newer], () => false));
    const found = helped(thread, [phrase("one two")], undefined, before);
    expect(found.map((each) => each !== null)).toEqual([false, false, true, true, false]);
  });

  it("takes no more steps than are left", async () => {
    const thread = await started();
    const budget = new CostBudget(250);
    helped(thread, [phrase("one two")], budget);
    expect(budget).toMatchObject({ isComplete: false, left: 0 });
  });
});

describe("a thread that does not help", () => {
  it("is not wanted for few documents, for too many, or one text database", () => {
    const large = new HelpingThread(place, { leastDocuments: 1, mostDocuments: 100 });
    expect(helped(large, [phrase("one two")])).toEqual([null, null, null, null]);
    expect(large.isWanted).toBe(false);
    const small = new HelpingThread(place, { leastDocuments: 1_000 });
    expect(helped(small, [phrase("one two")])).toEqual([null, null, null, null]);
    expect(small.isWanted).toBe(false);
    const single = new HelpingThread({ ...place, shards: 1 }, { leastDocuments: 1 });
    expect(helped(single, [phrase("one two")], undefined, shards().slice(0, 1))).toEqual([null, null]);
    expect(single.isWanted).toBe(false);
  });

  it("is not waited for before it has started", () => {
    const thread = new HelpingThread(place, { leastDocuments: 1 });
    expect(helped(thread, [phrase("one two")])).toEqual([null, null, null, null]);
    expect(thread.isWanted).toBe(true);
  });

  it("is not asked again once it was too slow", async () => {
    const thread = await started({ longest: 0 });
    await until(() => helped(thread, [phrase("one two")]).every((found) => found === null));
    expect(helped(thread, [phrase("one two")])).toEqual([null, null, null, null]);
    expect(thread.isWanted).toBe(false);
  });
});

it("answers of a thread are the same with help, and it ends with its helper", async () => {
  await using home = await TestHome.create();
  const index = prepareIndex(home.data, 2).place;
  for (let number = 0; number < 12; number++) {
    const session = new SessionText();
    for (const text of textsOf(number, 20)) session.user(text).assistant(`${text} rare`);
    await home.write(`${number}.jsonl`, session.lines);
  }
  const library = await home.open();
  await untilIndexed(library);

  const thread = new Thread<SearchTasks>({ index, help: { leastDocuments: 1 } });
  const queries = ['"one two three"', "oneTwo", '"four five" -"five one"', '"two one" OR "five rare"', '"three tw"*'];
  const search = (query: string) => {
    const more = { now: 0, paths: null, tagged: [], favorite: [], live: [] };
    return thread.run("search", { ...searchFor(query, { limit: 100 }), ...more } satisfies SearchTask);
  };
  const before = await Promise.all(queries.map(search));
  expect(before.every(({ wantsHelp }) => wantsHelp)).toBe(true);
  expect(before.every(({ hits }) => hits.length > 0)).toBe(true);
  // Searches come in between.
  const during = thread.run("enlist", null).then(() => Promise.all(queries.map(search)));
  const meanwhile = await Promise.all(queries.map(search));
  const unhelped = before.map((answer) => ({ ...answer, wantsHelp: false }));
  expect(await during).toEqual(unhelped);
  expect(meanwhile).toEqual(unhelped);
  await thread.stop();
  expect(thread.started).toBe(false);
});
