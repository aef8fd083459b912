import { anyText } from "@sm/text-index/any-text.fixture";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SearchHit } from "../../library.ts";
import { printQuery } from "../../search/query.ts";
import type { PositiveNode, QueryNode } from "../../search/query-tree.ts";
import { jsonl, SessionText, searchFor, TestHome, untilIndexed } from "../library/library.fixture.ts";
import type { Library } from "../library/library.ts";
import { MemoryTexts } from "./memory-texts.fixture.ts";

const SESSIONS = 17;
const WORDS = [
  "getUserName",
  "user",
  "name",
  "parse",
  "config.ts",
  "src/app/main.ts",
  "中文字",
  "größe",
  "v1.2.3",
  "the",
];
const anyWord = fc.constantFrom(...WORDS);
const anyLine = fc.oneof(
  { weight: 4, arbitrary: fc.array(anyWord, { minLength: 1, maxLength: 8 }).map((words) => words.join(" ")) },
  anyText,
);

let home: TestHome;
let library: Library;
let texts: MemoryTexts;
let paths: string[];

beforeAll(async () => {
  home = await TestHome.create();
  const lines = fc.sample(anyLine, { numRuns: SESSIONS * 8, seed: 7 });
  const sessions = Array.from({ length: SESSIONS }, (_, number) => {
    const [one = "", two = "", three = "", ...more] = lines.slice(8 * number, 8 * number + 8);
    const call = {
      type: "toolCall",
      id: "c",
      name: "edit",
      arguments: { path: `src/${number % 3}/App.ts`, text: two },
    };
    const session = new SessionText(
      { cwd: `/home/dev/${number % 2 === 0 ? "shop" : "blog"}` },
      Date.UTC(2026, number % 6, 1 + number),
    );
    session
      .user(one)
      .assistant(two, [call])
      .toolResult(three, number % 2 === 0 ? "edit" : "bash");
    if (number % 4 === 0) session.entry({ type: "session_info", name: "Former user" });
    for (const text of more) session.user(text);
    if (number % 4 === 0) session.entry({ type: "session_info", name: `Present ${one}` });
    return session;
  });
  paths = await Promise.all(sessions.map(({ lines }, number) => home.write(`${number}.jsonl`, lines)));
  texts = new MemoryTexts();
  for (const [number, path] of paths.entries()) {
    // Some are read line by line, as they are appended.
    const { lines } = sessions[number] as SessionText;
    if (number % 5 === 0) {
      await home.write(`${number}.jsonl`, lines.slice(0, 3));
      texts.index(path);
      await home.write(`${number}.jsonl`, lines);
    }
    texts.index(path);
  }
  library = await home.open();
  await untilIndexed(library);
});

afterAll(() => home[Symbol.asyncDispose]());

const word = (text: string, prefix: boolean, quoted: boolean): PositiveNode => ({ type: "term", text, quoted, prefix });
const anyLeaf: fc.Arbitrary<PositiveNode> = fc.oneof(
  fc.tuple(anyWord, fc.boolean()).map(([text, prefix]) => word(text, prefix, false)),
  fc
    .tuple(fc.array(anyWord, { minLength: 2, maxLength: 3 }), fc.boolean())
    .map(([some, prefix]) => word(some.join(" "), prefix, true)),
  fc
    .constantFrom("getU", "ser", "rname", "p/ma", "文字", "the u")
    .map((text): PositiveNode => ({ type: "substring", text: text.padEnd(3, "e") })),
  fc.constantFrom<PositiveNode>(
    { type: "field", field: "tool", value: "edit", prefix: false },
    { type: "field", field: "file", value: "App.ts", prefix: false },
    { type: "field", field: "project", value: "shop", prefix: false },
    { type: "field", field: "agent", value: "pi", prefix: false },
    { type: "field", field: "name", value: "user", prefix: true },
    { type: "field", field: "model", value: "test", prefix: false },
    { type: "role", role: "user" },
    { type: "time", side: "after", value: "2026-03-01" },
    { type: "time", side: "before", value: "2026-04-01" },
  ),
);
const anyQuery: fc.Arbitrary<QueryNode> = fc.oneof(
  anyLeaf,
  fc.tuple(anyLeaf, anyLeaf).map((nodes): QueryNode => ({ type: "or", nodes })),
  fc.tuple(anyLeaf, anyLeaf, fc.array(anyLeaf, { maxLength: 2 })).map(([one, two, excluded]): QueryNode => {
    return { type: "and", nodes: [one, two, ...excluded.map((node): QueryNode => ({ type: "not", node }))] };
  }),
);

/** What a hit says, without its score: that depends on dead documents, which segments have until they are merged. */
const told = ({ score, ...hit }: SearchHit) => JSON.stringify(hit);

async function expectSame(query: string, sort: "relevance" | "newest" = "relevance"): Promise<void> {
  const all = { limit: 200, per_session: 200, sort };
  const expected = await library.search(searchFor(query, all));
  const found = texts.search(query, all);
  const inOrder = (hits: readonly SearchHit[]) => (sort === "newest" ? hits.map(told) : hits.map(told).sort());
  expect(inOrder(found.hits)).toEqual(inOrder(expected.hits));
  expect(found).toMatchObject({ total: expected.total, total_is_exact: expected.total_is_exact });
}

describe("a search of what is kept elsewhere", () => {
  it("finds what a search at home finds", async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery, fc.constantFrom<["relevance", "newest"]>("relevance", "newest"), (query, sort) =>
        expectSame(printQuery(query), sort),
      ),
      { numRuns: 200 },
    );
  });

  it.each(["former", "user", '"the user"', "name:present", "role:tool app"])(
    "finds the same after a merge: %s",
    async (query) => {
      while (texts.merge());
      expect(texts.segmentCount).toBeLessThan(8);
      await expectSame(query);
    },
  );

  it("goes on from page to page", () => {
    const all = texts.search("user OR the", { limit: 100, per_session: 1 });
    const first = texts.search("user OR the", { limit: 3, per_session: 1 });
    const second = texts.search("user OR the", { limit: 3, per_session: 1, cursor: first.next_cursor ?? "" });
    const ids = ({ hits }: { hits: SearchHit[] }) => hits.map(({ entry_id }) => entry_id);
    expect([...ids(first), ...ids(second)]).toEqual(ids(all).slice(0, 6));
  });

  it("asks little: for what has changed, and for the sessions, outlines and lines of a page", async () => {
    const own = new MemoryTexts();
    for (const path of paths) own.index(path);
    // The columns of all documents.
    own.search("nothing");
    own.asked.length = 0;
    const found = own.search("user", { limit: 20, now: 0 });
    expect(found.hits).toHaveLength(20);
    expect(own.asked).toEqual(["textState", "textPlaces", "lines"]);
    own.asked.length = 0;
    expect(own.search("user", { limit: 20, now: 0 }).hits).toEqual(found.hits);
    expect(own.asked).toEqual(["textState", "textPlaces"]);
  });

  it.each([
    { query: '"words these"', questions: 3 },
    { query: "these words", questions: 3 },
    { query: '"never written"', questions: 1 },
  ])("asks for what is in many segments at once: $query", async ({ query, questions }) => {
    const own = new MemoryTexts();
    for (let number = 0; number < 12; number++) {
      const session = new SessionText();
      const rare = Array.from({ length: 12_000 }, (_, at) => `word${number}x${at}`).join(" ");
      session.user(`${number % 3 === 0 ? "any of these words" : "these words of any"} ${rare}`);
      own.index(await home.write(`many-${number}.jsonl`, session.lines));
    }
    // The columns of all documents.
    own.search("word");
    own.asked.length = 0;
    own.search(query, { limit: 1 });
    expect(own.asked.filter((name) => name === "textBytes")).toHaveLength(questions);
  });

  it("names the same files", async () => {
    expect(texts.namedFiles("ap")).toEqual(await library.namedFiles({ prefix: "ap", limit: 10 }));
  });

  it("forgets what is removed, and a merge drops it", async () => {
    const own = new MemoryTexts();
    const path = await home.write("removed.jsonl", new SessionText().user("unheard of").lines);
    own.index(path);
    expect(own.search("unheard").total).toBe(1);
    own.remove(path);
    expect(own.search("unheard").total).toBe(0);
    expect([own.merge(), own.merge(true), own.segmentCount]).toEqual([false, true, 0]);
  });

  it("says of a file that has changed that it has no text", async () => {
    const own = new MemoryTexts();
    const path = await home.write("changed.jsonl", new SessionText().user("unheard of").lines);
    own.index(path);
    await home.write("changed.jsonl", [JSON.parse(jsonl(new SessionText().user("other").lines).split("\n")[0] ?? "")]);
    expect(own.search("unheard")).toMatchObject({ hits: [], total: 1 });
  });
});
