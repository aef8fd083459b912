import { unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SearchOptions } from "../../library.ts";
import {
  jsonl,
  SessionText,
  searchAll,
  searchFor,
  TestHome,
  untilIndexed,
  withoutTree,
} from "../library/library.fixture.ts";
import type { Library } from "../library/library.ts";
import { openDatabase } from "../storage/sqlite.ts";

const START = Date.parse("2026-03-01T10:00:00.000Z");
const DAY = 24 * 60 * 60 * 1000;

let home: TestHome;
let library: Library;
let paths: Record<"shop" | "blog" | "old", string>;

beforeAll(async () => {
  home = await TestHome.create();
  const call = { type: "toolCall", id: "c", name: "edit", arguments: { path: "src/lib/App.test.ts", text: "x" } };
  const shop = new SessionText({ cwd: "/home/dev/Shop-Front" }, START + 2 * DAY)
    .user("first question about taxes")
    .assistant("an answer", [call])
    .toolResult("done", "edit")
    .entry({ type: "session_info", name: "Former title" })
    .entry({ type: "session_info", name: "Rework of the löginForm" })
    .user("second question");
  const blog = new SessionText({ cwd: "/home/dev/blog" }, START + DAY)
    .user("a question of style")
    .message({ role: "bashExecution", command: "ls", output: "files", exitCode: 0 })
    .message({
      role: "assistant",
      content: [{ type: "text", text: "styled" }],
      model: "claude-opus-4-5",
      provider: "p",
    });
  const old = new SessionText({ cwd: "/srv/blog" }, START).user("a question long ago").assistant("settled");
  paths = {
    shop: await home.write("shop.jsonl", shop.lines),
    blog: await home.write("blog.jsonl", blog.lines),
    old: await home.write("old.jsonl", withoutTree(old.lines)),
  };
  library = await home.open();
  await untilIndexed(library);
  await library.toggleFavorite(paths.blog);
  tag(paths.old, "Area", null);
  tag(paths.shop, "Detail", "Area");
});
afterAll(() => home[Symbol.asyncDispose]());

/** Past the library, which has no commands for tags. */
function tag(path: string, name: string, parent: string | null): void {
  const state = openDatabase(join(home.data, "state.db"), { durability: "full" });
  state.prepare("INSERT INTO tags VALUES (?, ?, '#00ff00', ?)").run(name, name, parent);
  state.prepare("INSERT INTO marked_sessions (path, session_id) VALUES (?, '')").run(path);
  state.prepare("INSERT INTO session_tags SELECT key, ? FROM marked_sessions WHERE path = ?").run(name, path);
  state.close();
}

const nameOf = (path: string) => Object.entries(paths).find(([, own]) => own === path)?.[0] ?? path;

async function sessions(query: string, more: Partial<SearchOptions> = {}): Promise<string[]> {
  const { hits } = await library.search(searchFor(query, more));
  return hits.map((hit) => nameOf(hit.session_path));
}

describe("a query of fields alone", () => {
  it.each([
    ["is:favorite", ["blog"]],
    ["-is:favorite role:all", ["shop", "old"]],
    ["is:live", []],
    ["tag:detail", ["shop"]],
    ["tag:AREA", ["shop", "old"]],
    ["tag:det*", ["shop"]],
    ["tag:det", []],
    ["name:rework", ["shop"]],
    ['name:"loginform rework"', ["shop"]],
    ["name:logi*", ["shop"]],
    ["name:login", ["shop"]],
    ["name:former", []],
    ["name:taxes", []],
    ["project:shop", ["shop"]],
    ["project:/dev/", ["shop", "blog"]],
    ["project:blog", ["blog", "old"]],
    ["project:blog -project:srv", ["blog"]],
    ["tool:edit", ["shop"]],
    ["tool:bash OR tool:edit", ["shop", "blog"]],
    ["model:opus", ["blog"]],
    ["model:test", ["shop", "old"]],
    ["file:app.test.ts", ["shop"]],
    ["file:src/lib/*.ts", ["shop"]],
    ["file:lib/src", []],
    ["after:2026-03-02 before:2026-03-03", ["blog"]],
    ["before:2026-03-02", ["old"]],
    ["role:tool", ["shop", "blog"]],
  ])("%s lists %j", async (query, expected) => {
    const page = await library.search(searchFor(query));
    expect(page.hits.map((hit) => nameOf(hit.session_path))).toEqual(expected);
    expect(page).toMatchObject({ total: expected.length, total_is_exact: true, next_cursor: null });
  });

  it("shows each session at the beginning of its newest entry that matches", async () => {
    const { hits } = await library.search(searchFor("role:user"));
    const shown = hits.map((hit) => [nameOf(hit.session_path), hit.snippet, hit.highlights]);
    expect(shown).toEqual([
      ["shop", "second question", []],
      ["blog", "a question of style", []],
      ["old", "a question long ago", []],
    ]);
    const ages = hits.map((hit) => hit.timestamp ?? "");
    expect(ages).toEqual([...ages].sort().reverse());
  });

  it.each(["relevance", "newest"] as const)("goes on from page to page, sorted by %s", async (sort) => {
    const hits = await searchAll(library, searchFor("role:user", { sort, limit: 1, per_session: 9 }));
    expect(hits.map((hit) => nameOf(hit.session_path))).toEqual(["shop", "blog", "old"]);
  });
});

describe("fields", () => {
  it.each([
    ["question project:shop", ["shop", "shop"]],
    ["question -is:favorite", ["shop", "shop", "old"]],
    ["question tag:area before:2026-03-02", ["old"]],
    ["question name:rework", ["shop", "shop"]],
    ["(question is:favorite) OR taxes", ["shop", "blog"]],
    ["edit tool:edit role:tool", ["shop"]],
    ["styled model:claude-opus", ["blog"]],
    ["styled model:test", []],
  ])("narrow down what words find: %s", async (query, expected) => {
    expect((await sessions(query)).sort()).toEqual([...expected].sort());
  });

  it("of the payload narrow down too", async () => {
    expect(await sessions("question", { project: "/srv/blog" })).toEqual(["old"]);
    expect(await sessions("question", { project: "/srv" })).toEqual([]);
    expect(await sessions("question", { tag_ids: ["Detail"] })).toEqual(["shop", "shop"]);
    expect(await sessions("question", { format: "pi", role: "user", sort: "newest" })).toEqual([
      "shop",
      "shop",
      "blog",
      "old",
    ]);
    const since = "2026-03-02T00:00:00.000Z";
    const until = "2026-03-03T00:00:00.000Z";
    expect(await sessions("question", { since, until })).toEqual(["blog"]);
    expect(await sessions("role:user", { since, until })).toEqual(["blog"]);
  });
});

describe("hits", () => {
  it("are none of text without a time where a time is asked for", async () => {
    const timeless = new SessionText({ timestamp: undefined }).user("timelessness");
    const lines = timeless.lines.map((line) => ({ ...line, timestamp: undefined }));
    const path = await home.write("timeless.jsonl", lines);
    await untilIndexed(library);
    expect(await sessions("timelessness")).toEqual([path]);
    expect(await sessions("timelessness", { sort: "newest" })).toEqual([path]);
    expect(await sessions("timelessness after:1970")).toEqual([]);
    expect(await sessions("timelessness", { until: "2999-01-01T00:00:00.000Z" })).toEqual([]);
    await unlink(path);
    await untilIndexed(library);
  });

  it("are passed over where the file was written anew and nobody has noticed", async () => {
    const still = await home.open({ watch: false, dataDir: join(home.directory, "still") });
    const path = await home.write("rewritten.jsonl", new SessionText().user("zebra one").user("zebra two").lines);
    await untilIndexed(still);
    expect((await still.search(searchFor("zebra"))).hits).toHaveLength(2);
    await writeFile(path, jsonl(new SessionText().user("zebra one").lines));
    expect((await still.search(searchFor("zebra", { limit: 1 }))).hits).toEqual([]);
    await unlink(path);
    await home.close(still);
    await untilIndexed(library);
  });
});
