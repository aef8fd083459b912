import { rename } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ListOptions } from "../../library.ts";
import { LIST, SessionText, searchAll, searchFor, TestHome, untilIndexed } from "../library/library.fixture.ts";
import type { Library } from "../library/library.ts";

const SESSIONS = 60;

let home: TestHome;
let library: Library;
let paths: string[];
beforeEach(async () => {
  home = await TestHome.create();
  paths = await Promise.all(
    Array.from({ length: SESSIONS }, (_, n) => {
      const text = new SessionText({ cwd: `/work/${n % 4}` }).user(`${n % 3 === 0 ? "capercaillie" : "grouse"} ${n}`);
      return home.write(`p/${n}.jsonl`, text.lines);
    }),
  );
  library = await home.open({ watch: false });
  await untilIndexed(library);
});
afterEach(() => home[Symbol.asyncDispose]());

async function listed(more: Partial<ListOptions>): Promise<{ paths: string[]; totals: number[] }> {
  const found: string[] = [];
  const totals: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await library.list({ ...LIST, limit: 100, ...more, cursor });
    found.push(...page.sessions.map(({ path }) => path));
    totals.push(page.total);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return { paths: found, totals };
}

describe("a list that is filtered by a tag of many sessions", () => {
  it("has those that all filters leave over, once each, and their number on every page", async () => {
    const { id } = await library.tags.create({ name: "many", color: "#aabbcc", parent_id: null });
    await library.tags.assign(paths.slice(1), id);
    const isWanted = (n: number) => n > 0 && n % 3 === 0 && n % 4 === 1;
    const wanted = paths.filter((_, n) => isWanted(n));
    for (const sort of ["modified", "size", "title"] as const) {
      for (const order of ["asc", "desc"] as const) {
        const all = await listed({ tag_ids: [id], sort, order });
        expect(all.paths.toSorted()).toEqual(paths.slice(1).toSorted());
        expect(new Set(all.totals)).toEqual(new Set([SESSIONS - 1]));
        const filters = { tag_ids: [id], project: "/work/1", query: "Capercaillie", since: "2026-01-01T00:00:00Z" };
        const some = await listed({ ...filters, sort, order, limit: 20 });
        expect(some.paths.toSorted()).toEqual(wanted.toSorted());
        expect(new Set(some.totals)).toEqual(new Set([wanted.length]));
      }
    }
    const [first = ""] = wanted;
    const moved = join(home.sessions, "moved.jsonl");
    await rename(first, moved);
    await library.scan();
    expect((await listed({ tag_ids: [id] })).paths).toContain(moved);
    expect((await listed({ tag_ids: [id], query: "moved.jsonl" })).paths).toEqual([moved]);
  });
});

describe("a list that is filtered by an agent", () => {
  it.each([
    ["agent:pi", SESSIONS],
    ["Agent:PI capercaillie", SESSIONS / 3],
    ["agent:claude", 0],
    ["agent:pi agent:claude", 0],
  ])("%s: %d sessions", async (query, count) => {
    expect((await listed({ query })).paths).toHaveLength(count);
    const text = query.includes("capercaillie") ? query : `${query} grouse`;
    const hits = await searchAll(library, searchFor(text, { limit: 200 }));
    expect(hits.length > 0).toBe(count > 0);
  });
});
