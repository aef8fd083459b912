import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { AppError } from "../../errors.ts";
import {
  codeOf,
  LIST,
  SessionText,
  scanAll,
  searchAll,
  searchFor,
  TestHome,
  until,
  untilIndexed,
} from "./library.fixture.ts";
import { Listener } from "./library-events.fixture.ts";
import type { SessionAgents } from "./live-files.ts";

/** Of agents that take none. */
const NO_ORDERS: SessionAgents = { rename: async () => undefined, stop: async () => undefined };

/** Three sessions, of which the second and the third are live, and the first and the second favorites. */
async function threeSessions(home: TestHome, agents = NO_ORDERS) {
  const write = (name: string) => home.write(`p/${name}.jsonl`, new SessionText().user(`okapi ${name}`).lines);
  const [favorite, both, live] = [await write("one"), await write("two"), await write("three")];
  const listener = new Listener();
  const library = await home.open({ onEvent: listener.onEvent });
  await untilIndexed(library);
  await library.toggleFavorite(favorite);
  await library.toggleFavorite(both);
  library.setLivePaths(new Set([both, live]), agents);
  return { favorite, both, live, library, listener };
}

describe("a session in which an agent is at work", () => {
  it("is live wherever its record is given out, and in those that have changed", async () => {
    await using home = await TestHome.create();
    const { favorite, both, live, library, listener } = await threeSessions(home);
    const isLive = { [favorite]: false, [both]: true, [live]: true };
    const liveOf = (records: { path: string; is_live: boolean }[]) =>
      Object.fromEntries(records.map(({ path, is_live }) => [path, is_live]));
    expect(liveOf((await library.list(LIST)).sessions)).toEqual(isLive);
    expect(liveOf(await scanAll(library))).toEqual(isLive);
    expect(await library.rename(both, "renamed")).toMatchObject({ name: "renamed", is_live: true, is_favorite: true });
    await until(() => listener.told.some(({ path, is_live }) => path === live && is_live));
    await until(() => listener.told.some(({ name, indexed }) => name === "renamed" && indexed));

    listener.forget();
    library.setLivePaths(new Set([both]), NO_ORDERS);
    await until(() => listener.told.length > 0);
    expect(listener.told).toMatchObject([{ path: live, is_live: false }]);
  });

  it("is told once, and not again while nothing changes", async () => {
    await using home = await TestHome.create();
    const { both, live, library, listener } = await threeSessions(home);
    await until(() => listener.list.filter(({ is_live }) => is_live).length === 2);
    listener.forget();
    library.setLivePaths(new Set([live, both]), NO_ORDERS);
    await library.toggleFavorite(live);
    await until(() => listener.told.length > 0);
    expect(listener.told).toMatchObject([{ path: live, is_favorite: true }]);
  });

  it("is live from its first record on, although its file comes later", async () => {
    await using home = await TestHome.create();
    const listener = new Listener();
    const library = await home.open({ onEvent: listener.onEvent });
    await untilIndexed(library);
    const path = join(home.sessions, "p", "new.jsonl");
    library.setLivePaths(new Set([path]), NO_ORDERS);
    await home.write("p/new.jsonl", new SessionText().user("hello").lines);
    await until(() => listener.told.length > 0);
    expect(listener.told[0]).toMatchObject({ path, is_live: true });
  });

  it.each([
    ["is:live", ["three", "two"]],
    ["is:favorite", ["one", "two"]],
    ["is:favorite is:live", ["two"]],
    ["okapi is:live thr", ["three"]],
    ["is:live nobody", []],
  ])("is found by %j in lists", async (query, names) => {
    await using home = await TestHome.create();
    const { library } = await threeSessions(home);
    const { sessions, total } = await library.list({ ...LIST, sort: "title", order: "asc", query });
    expect(sessions.map(({ title }) => title)).toEqual(names.map((name) => `okapi ${name}`));
    expect(total).toBe(names.length);
  });

  it.each([
    ["is:live", ["three", "two"]],
    ["-is:live okapi", ["one"]],
    ["is:live is:favorite", ["two"]],
  ])("is found by %j in searches", async (query, names) => {
    await using home = await TestHome.create();
    const { library } = await threeSessions(home);
    const hits = await searchAll(library, searchFor(query));
    expect(hits.map(({ session_title }) => session_title).sort()).toEqual(names.map((name) => `okapi ${name}`));
  });

  it("is renamed by its agent, which writes the name", async () => {
    await using home = await TestHome.create();
    const rename = vi.fn((path: string, name: string) => home.append(path, [{ type: "session_info", name }]));
    const { favorite, live, library } = await threeSessions(home, { ...NO_ORDERS, rename });
    const before = await lineCount(live);
    expect(await library.rename(live, "by its agent")).toMatchObject({ name: "by its agent", is_live: true });
    expect(await lineCount(live)).toBe(before + 1);
    await library.rename(favorite, "by the library");
    expect(rename.mock.calls).toEqual([[live, "by its agent"]]);
  });

  it("is renamed by the library where its agent does not", async () => {
    await using home = await TestHome.create();
    const { live, library } = await threeSessions(home);
    expect(await library.rename(live, "name")).toMatchObject({ name: "name" });
    expect(await library.rename(live, "")).toMatchObject({ name: null });
  });

  it("keeps its name where its agent fails", async () => {
    await using home = await TestHome.create();
    const rename = () => Promise.reject(new AppError("TIMEOUT", "It does not answer."));
    const { live, library } = await threeSessions(home, { ...NO_ORDERS, rename });
    expect(await codeOf(library.rename(live, "name"))).toBe("TIMEOUT");
    expect(await library.session(live)).toMatchObject({ name: null });
  });

  it("is deleted by force alone, when its agent has stopped", async () => {
    await using home = await TestHome.create();
    const stop = vi.fn(async (path: string) => {
      expect(existsSync(path)).toBe(true);
    });
    const { favorite, live, library } = await threeSessions(home, { ...NO_ORDERS, stop });
    expect(await codeOf(library.delete(live, { force: false }))).toBe("CONFLICT");
    expect(existsSync(live)).toBe(true);
    expect(stop).not.toHaveBeenCalled();
    expect(await library.delete(live, { force: true })).toEqual({
      path: live,
      method: "trash",
      companions: 0,
      left_behind: [],
    });
    expect(existsSync(live)).toBe(false);
    await library.delete(favorite, { force: true });
    expect(stop.mock.calls).toEqual([[live]]);
    expect((await library.list({ ...LIST, query: "is:live" })).sessions).toMatchObject([{ title: "okapi two" }]);
  });

  it("stays where its agent cannot be stopped", async () => {
    await using home = await TestHome.create();
    const stop = () => Promise.reject(new AppError("TIMEOUT", "It does not end."));
    const { live, library } = await threeSessions(home, { ...NO_ORDERS, stop });
    expect(await codeOf(library.delete(live, { force: true }))).toBe("TIMEOUT");
    expect(existsSync(live)).toBe(true);
  });
});

async function lineCount(path: string): Promise<number> {
  return (await readFile(path, "utf8")).split("\n").length;
}
