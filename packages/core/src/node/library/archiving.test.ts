import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ListOptions, SearchOptions } from "../../library.ts";
import { LIST, SessionText, scanAll, searchAll, searchFor, TestHome, until, untilIndexed } from "./library.fixture.ts";
import type { Library } from "./library.ts";
import { Listener } from "./library-events.fixture.ts";

const said = (text: string, day: number) =>
  new SessionText({}, Date.parse(`2026-03-0${day}T10:00:00Z`)).user(text).lines;

/** Where the extension pi-subagents keeps what a session has started. */
const below = (parent: string) => `${parent.replace(/\.jsonl$/, "")}/7f3e2a/run-0/2026_sub.jsonl`;

/** Three sessions, of which the first has a subagent that has one too. */
async function opened(home: TestHome) {
  const paths = {
    parent: await home.write("p/parent.jsonl", said("otter one", 1)),
    child: await home.write(below("p/parent.jsonl"), said("otter two", 2)),
    deepest: await home.write(join(dirname(below("p/parent.jsonl")), "2026_sub/1a/run-0/d.jsonl"), said("otter 3", 3)),
    a: await home.write("p/a.jsonl", said("otter four", 4)),
    b: await home.write("p/b.jsonl", said("otter five", 5)),
  };
  const library = await home.open({ watch: false });
  await untilIndexed(library);
  return { library, ...paths };
}

/** Turns the pages; all say the same total. */
async function listed(library: Library, more: Partial<ListOptions> = {}): Promise<string[]> {
  const found: string[] = [];
  const totals = new Set<number>();
  let cursor: string | undefined;
  do {
    const page = await library.list({ ...LIST, limit: 1, ...more, cursor });
    found.push(...page.sessions.map(({ path }) => path));
    totals.add(page.total);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(totals).toEqual(new Set([found.length]));
  return found;
}

async function foundBy(library: Library, query: string, more: Partial<SearchOptions> = {}): Promise<string[]> {
  const hits = await searchAll(library, searchFor(query, { sort: "newest", ...more }));
  return hits.map(({ session_path }) => session_path);
}

describe("archived sessions", () => {
  it("are left out of lists and searches with their subagents, unless they are asked for", async () => {
    await using home = await TestHome.create();
    const { library, parent, child, deepest, a, b } = await opened(home);
    expect(await library.setArchived([parent], true)).toEqual({ changed: [parent], failed: [] });
    const all = [b, a, deepest, child, parent];
    for (const sort of ["modified", "created"] as const) {
      const lists: [Partial<ListOptions>, string[]][] = [
        [{}, [b, a]],
        [{ order: "asc" }, [a, b]],
        [{ archived: "include" }, [b, a, parent]],
        [{ archived: "only" }, [parent]],
        [{ query: "is:archived" }, [parent]],
        [{ query: "is:archived otter" }, [parent]],
        [{ query: "-is:archived", archived: "include" }, [b, a]],
        [{ subagents: "all" }, [b, a]],
        [{ subagents: "all", archived: "include" }, all],
        [{ subagents: "all", archived: "only" }, [deepest, child, parent]],
        [{ until: "2026-03-05T00:00:00Z" }, [a]],
        [{ until: "2026-03-05T00:00:00Z", archived: "only" }, [parent]],
        [{ since: "2026-03-02T00:00:00Z", archived: "only" }, []],
        // Whoever asks for the subagents of an archived session sees them.
        [{ parent_path: parent }, [child]],
        [{ parent_path: parent, archived: "only" }, []],
      ];
      for (const [options, expected] of lists) {
        expect(await listed(library, { sort, ...options }), JSON.stringify(options)).toEqual(expected);
      }
    }
    const searches: [string, Partial<SearchOptions>, string[]][] = [
      ["otter", {}, [b, a]],
      ["otter", { archived: "include" }, all],
      ["otter", { archived: "only" }, [deepest, child, parent]],
      ["otter is:archived", {}, [deepest, child, parent]],
      ["otter -is:archived", { archived: "include" }, [b, a]],
      ["is:archived OR four", {}, [a, deepest, child, parent]],
      ["otter", { path: child }, [child]],
      ["otter", { path: a, archived: "only" }, []],
    ];
    for (const [query, options, expected] of searches) {
      expect(await foundBy(library, query, options), `${query} ${JSON.stringify(options)}`).toEqual(expected);
    }

    expect(await library.setArchived([parent], false)).toEqual({ changed: [parent], failed: [] });
    expect(await listed(library)).toEqual([b, a, parent]);
    expect(await foundBy(library, "otter")).toEqual(all);
    expect(await foundBy(library, "is:archived")).toEqual([]);
  });

  it("that are subagents are left out without their parents", async () => {
    await using home = await TestHome.create();
    const { library, parent, child, deepest, a, b } = await opened(home);
    await library.setArchived([child], true);
    expect(await listed(library)).toEqual([b, a, parent]);
    expect(await listed(library, { parent_path: parent })).toEqual([]);
    expect(await listed(library, { parent_path: parent, archived: "only" })).toEqual([child]);
    expect(await foundBy(library, "otter")).toEqual([b, a, parent]);
    expect(await foundBy(library, "otter", { archived: "only" })).toEqual([deepest, child]);
  });

  it("are told in records, in scans and to those who listen, and their files stay as they are", async () => {
    await using home = await TestHome.create();
    const path = await home.write("p/a.jsonl", said("otter", 1));
    const listener = new Listener();
    const library = await home.open({ watch: false, onEvent: listener.onEvent });
    await untilIndexed(library);
    const before = await readFile(path);
    listener.start([]);
    listener.forget();
    await library.setArchived([path], true);
    const isTold = (isArchived: boolean) => () =>
      listener.list.some((record) => record.path === path && (record.archived_at !== null) === isArchived);
    await until(isTold(true));
    const [scanned] = await scanAll(library);
    expect(scanned?.archived_at).toMatch(/^\d{4}-.*Z$/);
    expect((await library.session(path)).archived_at).toBe(scanned?.archived_at);
    expect((await library.list({ archived: "only" })).sessions).toEqual([scanned]);
    expect(await library.setArchived([path], true)).toEqual({ changed: [], failed: [] });
    expect((await library.session(path)).archived_at).toBe(scanned?.archived_at);
    await library.setArchived([path, path], false);
    await until(isTold(false));
    expect(await readFile(path)).toEqual(before);
    expect((await library.statistics()).totals.sessions).toBe(1);
  });

  it("stay so when their files are moved, written to or written anew, and end with them", async () => {
    await using home = await TestHome.create();
    const { library, a, b, parent } = await opened(home);
    await library.setArchived([a], true);
    await library.list({ archived: "only" });
    const moved = join(home.sessions, "elsewhere/renamed.jsonl");
    await mkdir(dirname(moved));
    await rename(a, moved);
    await scanAll(library);
    expect(await listed(library, { archived: "only" })).toEqual([moved]);
    await home.append(moved, said("otter more", 9).slice(1));
    await scanAll(library);
    expect([await listed(library), await listed(library, { archived: "only" })]).toEqual([[b, parent], [moved]]);
    await home.write("elsewhere/renamed.jsonl", said("an ermine", 9));
    await untilIndexed(library);
    await scanAll(library);
    expect(await foundBy(library, "ermine")).toEqual([]);
    expect(await foundBy(library, "ermine", { archived: "only" })).toEqual([moved]);
    await rm(moved);
    await scanAll(library);
    expect(await listed(library, { archived: "only" })).toEqual([]);
    expect(await listed(library)).toEqual([b, parent]);
  });

  it("do not count for tags, and paths of no session are told", async () => {
    await using home = await TestHome.create();
    const { library, a, b } = await opened(home);
    const tag = await library.tags.create({ name: "work", color: "#336699" });
    await library.tags.assign([a, b], tag.id);
    const missing = join(home.sessions, "p/missing.jsonl");
    const { changed, failed } = await library.setArchived([missing, a, "/etc/passwd"], true);
    expect(changed).toEqual([a]);
    expect(failed).toMatchObject([
      { path: missing, error: { code: "NOT_FOUND" } },
      { path: "/etc/passwd", error: { code: "FORBIDDEN" } },
    ]);
    expect(await library.tags.list()).toMatchObject([{ session_count: 1 }]);
    expect(await listed(library, { tag_ids: [tag.id] })).toEqual([b]);
    expect(await listed(library, { tag_ids: [tag.id], archived: "only" })).toEqual([a]);
  });

  it("can be looked over before: number and size of those that are old and no favorites", async () => {
    await using home = await TestHome.create();
    const { library, parent, a } = await opened(home);
    await library.toggleFavorite(parent);
    const old = { until: "2026-03-05T00:00:00Z", query: "-is:favorite", with_total_size: true };
    const { sessions, total, total_size_bytes } = await library.list({ ...LIST, ...old });
    expect({ paths: sessions.map(({ path }) => path), total }).toEqual({ paths: [a], total: 1 });
    expect(total_size_bytes).toBe(sessions[0]?.size_bytes);
    expect((await library.list(LIST)).total_size_bytes).toBeNull();
    const sizes = (await scanAll(library)).map(({ size_bytes }) => size_bytes);
    const whole = await library.list({ ...LIST, subagents: "all", limit: 1, with_total_size: true });
    expect(whole.total_size_bytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
    expect(await listed(library, { query: "-is:live" })).toHaveLength(3);
  });
});
