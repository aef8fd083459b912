import { parseQuery } from "@sm/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newestHours } from "./hours.ts";
import { rangeOfDays } from "./range.ts";
import { hoursLink, sessionLink, sessionsLink, timeLink } from "./sessions-link.ts";

const ALL = rangeOfDays(null, null);

function queryOf(link: string): string | null {
  const { pathname, searchParams } = new URL(link, "http://localhost");
  expect(pathname).toBe("/search");
  return searchParams.get("q");
}

describe("links to sessions", () => {
  beforeEach(() => {
    vi.stubEnv("TZ", "Europe/Berlin");
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    [{ range: ALL }, "/"],
    [{ range: ALL, project: "/home/me/a b" }, "/?project=%2Fhome%2Fme%2Fa+b"],
    [{ range: ALL, agent: "codex" }, "/?agent=codex"],
    [{ range: ALL, project: "/a", model: "m" }, "/?project=%2Fa&model=m"],
    [{ range: ALL, owner: "ada b" }, "/?owner=ada+b"],
    [{ range: ALL, mine: true as const }, "/?mine=1"],
  ])("of all time lead to the list: %j", (filter, link) => {
    expect(sessionsLink(filter)).toBe(link);
  });

  it("of a range lead to a search from midnight to midnight by the clock of the browser", () => {
    const range = rangeOfDays("2026-03-29", "2026-03-29");
    expect(queryOf(sessionsLink({ range, project: "/a", model: "m-1", tool: "bash" }))).toBe(
      'after:2026-03-29T00:00+01:00 before:2026-03-30T00:00+02:00 project:"/a" model:"m-1" tool:"bash"',
    );
  });

  it("of an agent in a range lead to a search for it", () => {
    const range = { since: new Date("2026-01-01T12:00:00Z"), until: null };
    expect(queryOf(sessionsLink({ range, agent: "claude-code" }))).toMatch(/ agent:"claude-code"$/);
  });

  it("of a time and an agent lead to a search for both", () => {
    const [from, to] = [new Date("2026-01-01T12:00:00Z"), new Date("2026-01-01T17:00:00Z")];
    expect(queryOf(timeLink(from, to, { agent: "codex" }))).toMatch(/ before:\S+ agent:"codex"$/);
  });

  it("of somebody's sessions lead to a search among them", () => {
    const [from, to] = [new Date("2026-01-01T12:00:00Z"), new Date("2026-01-01T17:00:00Z")];
    const params = (link: string) => new URL(link, "http://localhost").searchParams;
    expect(params(timeLink(from, to, { owner: "ada" })).get("owner")).toBe("ada");
    expect(params(hoursLink([from], { mine: true })).get("mine")).toBe("1");
    expect(params(sessionsLink({ range: ALL, tool: "bash", owner: "ada" })).get("owner")).toBe("ada");
  });

  it("write times west of Greenwich and at it", () => {
    vi.stubEnv("TZ", "America/St_Johns");
    const [from, to] = [new Date("2026-01-01T12:00:00Z"), new Date("2026-01-01T17:00:00Z")];
    expect(queryOf(timeLink(from, to, {}))).toBe("after:2026-01-01T08:30-03:30 before:2026-01-01T13:30-03:30");
    vi.stubEnv("TZ", "UTC");
    expect(queryOf(timeLink(from, to, {}))).toBe("after:2026-01-01T12:00Z before:2026-01-01T17:00Z");
  });

  it("write times to the millisecond where they are not whole minutes", () => {
    vi.stubEnv("TZ", "UTC");
    const range = { since: new Date("2026-01-01T12:00:01.500Z"), until: null };
    expect(queryOf(sessionsLink({ range }))).toBe("after:2026-01-01T12:00:01.500Z");
  });

  it("are queries that the service takes, whatever a name is and however long the year was", () => {
    const days = Array.from({ length: 365 }, (_, day) =>
      new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10),
    );
    const project = `/home/user/${"long-name-of-a-project/".repeat(5)}`;
    const hours = newestHours(days, 0, 9);
    expect(hours).toHaveLength(10);
    expect(hours.at(-1)).toEqual(new Date(2025, 11, 29, 9));
    const links = [
      hoursLink(hours, { project, agent: "claude-code" }),
      hoursLink(hours.slice(0, 1), {}),
      sessionsLink({ range: ALL, tool: 'quoted "tool") OR (' }),
    ];
    for (const link of links) expect(() => parseQuery(queryOf(link) ?? "")).not.toThrow();
  });

  it("lead to a session by its path", () => {
    expect(sessionLink("/a/b c.jsonl")).toBe("/session?path=%2Fa%2Fb+c.jsonl");
  });
});
