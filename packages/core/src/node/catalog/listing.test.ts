import { rename } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ListOptions } from "../../library.ts";
import { LIST, SessionText, searchAll, searchFor, TestHome, untilIndexed } from "../library/library.fixture.ts";
import type { Library } from "../library/library.ts";
import { ListRows } from "./list-rows.ts";

const SESSIONS = 60;

let home: TestHome;
let library: Library;
let paths: string[];
beforeEach(async () => {
  home = await TestHome.create();
  paths = await Promise.all(
    Array.from({ length: SESSIONS }, (_, n) => {
      const text = new SessionText({ cwd: `/code/${n % 4}` }).user(`${n % 3 === 0 ? "capercaillie" : "grouse"} ${n}`);
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
        const filters = { tag_ids: [id], project: "/code/1", query: "Capercaillie", since: "2026-01-01T00:00:00Z" };
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

it("the newest sessions of one format are found without reading rows of all sessions", async () => {
  await using mixed = await TestHome.create();
  const start = Date.parse("2026-03-01T10:00:00Z");
  const byFormat: Record<"pi" | "claude-code", string[]> = { pi: [], "claude-code": [] };
  for (let n = 0; n < 12; n++) {
    const time = start + n * 3_600_000;
    byFormat.pi.push(await mixed.write(`p/${n}.jsonl`, new SessionText({}, time).user("grouse").lines));
    // At the same time: nothing but the format tells them apart.
    const timestamp = new Date(time).toISOString();
    const tree = { uuid: `uuid-${n}`, parentUuid: null, isSidechain: false, sessionId: `claude-${n}` };
    const prompt = { type: "user", message: { role: "user", content: "grouse" }, cwd: "/code", timestamp, ...tree };
    byFormat["claude-code"].push(await mixed.write(`c/claude-${n}.jsonl`, [prompt]));
  }
  const subagent = await mixed.write("p/0/7f3e2a/run-0/sub.jsonl", new SessionText({}, start - 1).user("grouse").lines);
  const ofMixed = await mixed.open({ watch: false });
  await untilIndexed(ofMixed);
  const archived = [byFormat.pi[11] ?? "", byFormat.pi[3] ?? "", byFormat["claude-code"][5] ?? ""];
  const places = vi.spyOn(ListRows.prototype, "places");
  for (const isArchived of [false, true]) {
    if (isArchived) await ofMixed.setArchived(archived, true);
    for (const format of ["pi", "claude-code", "codex"] as const) {
      const all = format === "codex" ? [] : byFormat[format];
      const wanted = isArchived ? all.filter((path) => !archived.includes(path)) : all;
      const since = new Date(start + 2 * 3_600_000).toISOString();
      for (const [options, expected] of [
        [{}, wanted.toReversed()],
        [{ order: "asc" }, wanted],
        [{ since }, wanted.slice(2).toReversed()],
        [{ archived: "include" }, all.toReversed()],
        [{ archived: "only" }, isArchived ? all.filter((path) => archived.includes(path)).toReversed() : []],
      ] as const) {
        const found: string[] = [];
        let cursor: string | null = null;
        do {
          const page = await ofMixed.list({ ...LIST, limit: 5, format, ...options, cursor });
          found.push(...page.sessions.map(({ path }) => path));
          expect(page.total).toBe(expected.length);
          cursor = page.next_cursor;
        } while (cursor !== null);
        expect(found).toEqual(expected);
      }
    }
  }
  expect(places).not.toHaveBeenCalled();
  places.mockRestore();
  const withSubagents = await ofMixed.list({ ...LIST, format: "pi", subagents: "all", archived: "include" });
  expect(withSubagents.sessions.map(({ path }) => path)).toEqual([...byFormat.pi.toReversed(), subagent]);
});
