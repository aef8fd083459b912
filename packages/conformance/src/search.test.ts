import type { SearchHit, SearchPage } from "@sm/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RealService, startRealService } from "./real-service.ts";

let service: RealService;

beforeAll(async () => {
  service = await startRealService();
});

afterAll(() => service[Symbol.asyncDispose]());

/** All hits of a query, with highlights that lie in the snippet, in order and apart. */
async function search(query: string, more: object = {}): Promise<SearchHit[]> {
  const page = await service.ask<SearchPage>("search", { query, per_session: 200, limit: 200, ...more });
  expect(page).toMatchObject({ total_is_exact: true, indexing: { done: 4, pending: 0 } });
  for (const { snippet, highlights } of page.hits) {
    const borders = highlights.flat();
    expect(borders).toEqual([...new Set(borders)].sort((a, b) => a - b));
    expect(borders.every((border) => border >= 0 && border <= snippet.length)).toBe(true);
  }
  return page.hits;
}

const places = (hits: SearchHit[]) => hits.map(({ entry_id, kind }) => `${entry_id} ${kind}`).sort();
const highlighted = (hits: SearchHit[]) =>
  new Set(hits.flatMap(({ snippet, highlights }) => highlights.map(([start, end]) => snippet.slice(start, end))));

describe("search", () => {
  it.each([
    // Roles.
    ["parser", "all", ["b2 text", "b3 thinking"], ["parser"]],
    ["parser", "user", ["b2 text"], ["parser"]],
    ["parser", "assistant", ["b3 thinking"], ["parser"]],
    ["parser", "tool", [], []],
    ["names", "tool", ["b3 tool_call", "b8 tool_call", "b9 tool_result"], ["names"]],
    ["npm test", "tool", ["b15 bash"], ["npm", "test"]],
    ["role:user parser", "all", ["b2 text"], ["parser"]],
    ["umlauts", "all", ["b14 name", "b3 thinking"], ["umlauts"]],
    ["start", "all", ["b10 label"], ["start"]],
    // Words that are all there, phrases, beginnings, exclusion.
    ["form normal", "all", ["b16 text", "b7 text"], ["normal", "form"]],
    ['"normal form"', "all", ["b16 text", "b7 text"], ["normal form"]],
    ['"form normal"', "all", [], []],
    ["diacritic*", "all", ["b5 text", "b6 summary"], ["diacritic", "diacritics"]],
    ["diacritic", "all", ["b5 text"], ["diacritic"]],
    ["fold -diacritic*", "all", ["b4 tool_result"], ["fold"]],
    ['drops -"every diacritic"', "all", ["b3 thinking", "b6 summary"], ["drops"]],
    // Case, diacritics, identifiers.
    ["GROSSE", "all", ["b2 text"], ["Größe"]],
    ["get_user_name", "all", ["b2 text", "b4 tool_result"], ["getUserName"]],
    ["userName", "all", ["b2 text", "b4 tool_result"], ["UserName"]],
    ["src/names.ts", "all", ["b3 tool_call", "b8 tool_call", "b9 tool_result"], ["src/names.ts"]],
  ] as const)("%s, role %s", async (query, role, expected, marked) => {
    const hits = await search(query, { role });
    expect(places(hits)).toEqual([...expected]);
    expect(highlighted(hits)).toEqual(new Set(marked));
  });

  it("says all about a hit", async () => {
    const [hit] = await search("newText", { sort: "newest" });
    expect(hit).toStrictEqual({
      session_path: service.home.paths.branched,
      format: "pi",
      session_id: "branched",
      session_title: "Names with umlauts",
      cwd: "/home/user/project",
      entry_id: "b8",
      role: "tool",
      kind: "tool_call",
      tool_name: "edit",
      timestamp: "2026-03-01T10:00:08.000Z",
      snippet: "edit path: src/names.ts newText: name.normalize()",
      highlights: [[24, 31]],
      score: expect.any(Number),
    });
  });

  it("finds text without ids, in a sequence and between bytes that are no UTF-8", async () => {
    expect(places(await search("old question"))).toEqual(["@0 text", "@3 text"]);
    expect(places(await search("bytes"))).toEqual(["r1 text"]);
  });

  it.each([
    [{ project: "/home/user/other" }, ["p1 text", "p2 text"]],
    [{ project: "/home/user/project" }, []],
    [{ since: "2026-02-01T10:00:02Z" }, ["p2 text"]],
    [{ until: "2026-02-01T10:00:02Z" }, ["p1 text"]],
    [{ per_session: 1, sort: "newest" }, ["p2 text"]],
  ])("takes %j into account", async (more, expected) => {
    const { hits } = await service.ask<SearchPage>("search", { query: "hello", ...more });
    expect(places(hits)).toEqual(expected);
  });

  it.each(["relevance", "newest"])("shows every hit once, page by page: %s", async (sort) => {
    const all = await search("names", { sort });
    const seen: SearchHit[] = [];
    let cursor: string | null = null;
    do {
      const page: SearchPage = await service.ask("search", {
        query: "names",
        sort,
        per_session: 200,
        limit: 2,
        cursor,
      });
      expect(page.total).toBe(all.length);
      seen.push(...page.hits);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(all);
  });

  it.each([
    [{ query: '"open' }, "query", "column 1"],
    [{ query: 'parser "open' }, "query", "column 8"],
    [{ query: "-parser" }, "query", "column 1"],
    [{ query: "parser role:nobody" }, "query", "column 8"],
    [{ query: "..." }, "query", "column 1"],
    [{ query: "parser", cursor: "nonsense" }, "cursor", "cursor"],
  ])("refuses %j and says where", async (payload, path, where) => {
    const { error } = await service.call("search", payload);
    expect(error).toMatchObject({ code: "INVALID_PAYLOAD", details: [{ path }] });
    expect(error?.message).toContain(where);
  });
});
