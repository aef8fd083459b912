import { describe, expect, it } from "vitest";
import type { ListSearch } from "./list-search.ts";
import { sessionRecord } from "./record.fixture.ts";
import { selectSessions } from "./select.ts";

const NOW = new Date("2026-03-10T12:00:00.000Z");

const SESSIONS = [
  sessionRecord("Fix the Café menu", {
    cwd: "/home/me/shop",
    modified_at: "2026-03-10T09:00:00.000Z",
    size_bytes: 10,
    tag_ids: ["bug"],
    models: ["opus"],
    is_favorite: true,
  }),
  sessionRecord("item 10", {
    cwd: null,
    first_message: "登录问题",
    modified_at: "2026-03-01T09:00:00.000Z",
    size_bytes: 30,
    is_live: true,
    usage: { ...sessionRecord("").usage, cost_usd: 2 },
  }),
  sessionRecord("item 9", {
    format: "claude-code",
    cwd: "/home/me/shop",
    modified_at: "2025-01-01T09:00:00.000Z",
    size_bytes: 20,
    tag_ids: ["bug/ui"],
    models: ["gpt", "opus"],
    usage: { ...sessionRecord("").usage, cost_usd: 0.5 },
  }),
];

const select = (search: ListSearch) =>
  selectSessions(SESSIONS, search, (id) => (id === "bug" ? ["bug/ui"] : []), NOW).map(({ title }) =>
    title.replace("Fix the Café menu", "menu").replace("item ", ""),
  );

describe("filters", () => {
  it.each<[ListSearch, string[]]>([
    [{}, ["menu", "10", "9"]],
    [{ q: "CAFE" }, ["menu"]],
    [{ q: "menu shop" }, ["menu"]],
    [{ q: "menu item" }, []],
    [{ q: "录问" }, ["10"]],
    [{ q: "gpt" }, ["9"]],
    [{ project: "/home/me/shop" }, ["menu", "9"]],
    [{ project: "/home/me" }, []],
    [{ agent: "claude-code" }, ["9"]],
    [{ agent: "claude" }, ["9"]],
    [{ q: "Agent:claude" }, ["9"]],
    [{ q: "agent:claude café" }, []],
    [{ q: "agent:cla" }, []],
    [{ q: "agent:pi agent:claude" }, []],
    [{ tag: ["bug"] }, ["menu", "9"]],
    [{ tag: ["bug/ui"] }, ["9"]],
    [{ model: "opus" }, ["menu", "9"]],
    [{ favorites: true }, ["menu"]],
    [{ live: true }, ["10"]],
    [{ since: "7d" }, ["menu"]],
    [{ since: "30d" }, ["menu", "10"]],
    [{ since: "2026-03-01" }, ["menu", "10"]],
    [{ until: "2026-03-02" }, ["10", "9"]],
    [{ since: "2026-03-01", until: "2026-03-02" }, ["10"]],
    [{ since: "3m" }, []],
  ])("%j", (search, expected) => {
    expect(select(search)).toEqual(expected);
  });
});

describe("orders", () => {
  it.each<[ListSearch, string[]]>([
    [{ sort: "modified", order: "asc" }, ["9", "10", "menu"]],
    [{ sort: "title" }, ["menu", "9", "10"]],
    [{ sort: "title", order: "desc" }, ["10", "9", "menu"]],
    [{ sort: "size" }, ["10", "9", "menu"]],
    [{ sort: "cost" }, ["10", "9", "menu"]],
    [{ sort: "cost", order: "asc" }, ["menu", "9", "10"]],
    [{ sort: "messages" }, ["menu", "10", "9"]],
  ])("%j", (search, expected) => {
    expect(select(search)).toEqual(expected);
  });
});
