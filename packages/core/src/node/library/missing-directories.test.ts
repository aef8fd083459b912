import { appendFile, mkdir, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jsonl, LIST, SessionText, scanAll, searchFor, TestHome, until, untilIndexed } from "./library.fixture.ts";
import type { Library, LibraryOptions } from "./library.ts";
import { Listener } from "./library-events.fixture.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const TAG = { name: "kept", color: "#aabbcc", parent_id: null };

let home: TestHome;
let disk: string;
let unplugged: string;
let now: number;
beforeEach(async () => {
  home = await TestHome.create();
  disk = join(home.directory, "disk");
  unplugged = join(home.directory, "unplugged");
  now = Date.parse("2026-06-01T12:00:00.000Z");
  await mkdir(disk);
});
afterEach(() => home[Symbol.asyncDispose]());

function open(more: Partial<LibraryOptions> = {}): Promise<Library> {
  return home.open({ sessionPaths: [disk], watch: false, now: () => now, ...more });
}

/** Writes a session below the disk. */
function write(name: string, text: SessionText): Promise<string> {
  return home.write(join("..", "..", "disk", name), text.lines);
}

async function listed(library: Library): Promise<string[]> {
  return (await library.list(LIST)).sessions.map(({ path }) => path);
}

async function found(library: Library, query: string): Promise<string[]> {
  return (await library.search(searchFor(query))).hits.map((hit) => hit.session_path);
}

/** Two sessions on the disk, of which one is a favorite with a tag, and one in the agent's own directory. */
async function prepared(library: Library) {
  const marked = await write("p/marked.jsonl", new SessionText().user("capercaillie"));
  const other = await write("q/other.jsonl", new SessionText().user("capercaillie"));
  const junk = await home.write("../../disk/junk.jsonl", "no session\n");
  const stays = await home.write("stays.jsonl", new SessionText().user("capercaillie").lines);
  await untilIndexed(library);
  const tag = await library.tags.create(TAG);
  await library.tags.assign([marked], tag.id);
  await library.toggleFavorite(marked);
  return { marked, other, junk, stays, tag: tag.id };
}

const unplug: [string, () => Promise<void>][] = [
  ["is not there", () => rename(disk, unplugged)],
  [
    "is an empty mount point",
    async () => {
      await rename(disk, unplugged);
      await mkdir(disk);
    },
  ],
];

async function plugIn(): Promise<void> {
  await rm(disk, { recursive: true, force: true });
  await rename(unplugged, disk);
}

describe.each(unplug)("while a configured directory %s", (_, unplugDisk) => {
  it("nothing in it is offered, and the status says why", async () => {
    const library = await open();
    const { stays, tag } = await prepared(library);
    await unplugDisk();
    await library.scan();
    expect(await listed(library)).toEqual([stays]);
    expect(await found(library, "capercaillie")).toEqual([stays]);
    expect(await library.favorites()).toEqual([]);
    expect(await library.list({ ...LIST, tag_ids: [tag] })).toMatchObject({ sessions: [], total: 0 });
    expect(await library.tags.list()).toMatchObject([{ id: tag, session_count: 0 }]);
    expect(library.status()).toMatchObject({ state: "degraded", sessions: 1, pending: 0 });
    expect(library.status().reason).toContain(disk);
    await library.scan();
    expect(home.log.filter(({ level }) => level === "warn")).toMatchObject([{ fields: { path: disk } }]);
  });

  it.each([false, true])("its sessions are kept and come back as they were, restarted meanwhile: %s", async (again) => {
    const listener = new Listener();
    let library = await open({ onEvent: listener.onEvent });
    const { marked, other, stays, tag } = await prepared(library);
    listener.forget();
    await unplugDisk();
    await library.scan();
    expect(listener.removed.toSorted()).toEqual([marked, other]);
    if (again) {
      await home.close(library);
      now += DAY_MS / 2;
      library = await open({ onEvent: listener.onEvent });
      await library.scan();
      expect(await listed(library)).toEqual([stays]);
    }
    now += DAY_MS / 2 - 1;
    await library.scan();
    listener.forget();
    const { filesOpened } = await library.work();
    await plugIn();
    const records = await scanAll(library);
    expect(records.map(({ path }) => path).toSorted()).toEqual([marked, other, stays].toSorted());
    expect(listener.changed.toSorted()).toEqual([marked, other]);
    expect(records.find(({ path }) => path === marked)).toMatchObject({ tag_ids: [tag], is_favorite: true });
    expect(library.status()).toMatchObject({ state: "ready", reason: null, sessions: 3, pending: 0 });
    expect((await library.work()).filesOpened).toBe(filesOpened);
    expect((await found(library, "capercaillie")).toSorted()).toEqual([marked, other, stays].toSorted());
  });

  it("its sessions are dropped after a day, with their tags and favorites", async () => {
    const first = await open();
    const { marked, stays, tag } = await prepared(first);
    await unplugDisk();
    await first.scan();
    await home.close(first);
    now += DAY_MS;
    const library = await open();
    expect((await scanAll(library)).map(({ path }) => path)).toEqual([stays]);
    await plugIn();
    await library.scan();
    expect(await listed(library)).toContain(marked);
    expect(await library.favorites()).toEqual([]);
    expect(await library.tags.list()).toMatchObject([{ id: tag, session_count: 0 }]);
  });

  it("nothing is kept of it once it is no longer configured", async () => {
    const library = await open();
    const { stays } = await prepared(library);
    await unplugDisk();
    await library.scan();
    await library.setPaths({ sessionPaths: [], otherAgentPaths: [] });
    expect(library.status()).toMatchObject({ state: "ready", reason: null });
    await plugIn();
    const { filesOpened } = await library.work();
    await library.setPaths({ sessionPaths: [disk], otherAgentPaths: [] });
    expect(await listed(library)).toHaveLength(3);
    expect(await listed(library)).toContain(stays);
    expect((await library.work()).filesOpened).toBeGreaterThan(filesOpened);
  });
});

describe("what happens to files while their directory is missing", () => {
  it("is seen when it is back: what has grown, what is gone, what is new", async () => {
    const library = await open();
    const { marked, other } = await prepared(library);
    await rename(disk, unplugged);
    await library.scan();
    await appendFile(join(unplugged, "p/marked.jsonl"), jsonl(new SessionText().user("ptarmigan").lines.slice(1)));
    await unlink(join(unplugged, "q/other.jsonl"));
    await plugIn();
    const added = await write("p/new.jsonl", new SessionText().user("grouse"));
    await untilIndexed(library);
    expect(await listed(library)).toEqual(expect.arrayContaining([marked, added]));
    expect(await listed(library)).not.toContain(other);
    expect(await library.favorites()).toEqual([marked]);
    expect(await found(library, "ptarmigan")).toEqual([marked]);
    expect(library.status().sessions).toBe(3);
  });

  it("is followed where they have been moved to another directory", async () => {
    const library = await open();
    const { marked, tag } = await prepared(library);
    await rename(disk, unplugged);
    await library.scan();
    const before = await library.work();
    const moved = join(home.sessions, "moved.jsonl");
    await rename(join(unplugged, "p/marked.jsonl"), moved);
    const records = await scanAll(library);
    expect(records.find(({ path }) => path === moved)).toMatchObject({ tag_ids: [tag], is_favorite: true });
    expect((await library.work()).linesParsed).toBe(before.linesParsed);
    expect(await library.favorites()).toEqual([moved]);
    await plugIn();
    await library.scan();
    expect(await listed(library)).not.toContain(marked);
    expect(library.status().sessions).toBe(3);
  });

  it("is read at once where one is asked for before the next comparison", async () => {
    const library = await open();
    const { marked } = await prepared(library);
    await rename(disk, unplugged);
    await library.scan();
    await plugIn();
    expect((await library.readEntries({ path: marked, limit: 10 })).total).toBe(1);
    expect(await listed(library)).toContain(marked);
    await library.scan();
    expect(library.status().sessions).toBe(3);
  });
});

describe("what is gone at once", () => {
  it.each([
    ["a file", () => unlink(join(disk, "p/marked.jsonl"))],
    ["a folder", () => rm(join(disk, "p"), { recursive: true })],
  ])("%s below a directory that is there", async (_, remove) => {
    const library = await open();
    const { marked } = await prepared(library);
    await remove();
    await library.scan();
    expect(library.status()).toMatchObject({ state: "ready", sessions: 2 });
    const { filesOpened } = await library.work();
    await write("p/marked.jsonl", new SessionText().user("new"));
    await library.scan();
    expect(await listed(library)).toContain(marked);
    expect((await library.work()).filesOpened).toBeGreaterThan(filesOpened);
  });
});

it("a default directory that was emptied is no trouble, and one that never was is not told", async () => {
  const library = await open({ sessionPaths: [] });
  await home.write("p/a.jsonl", new SessionText().user("one").lines);
  await library.scan();
  await rm(join(home.sessions, "p"), { recursive: true });
  expect(await scanAll(library)).toEqual([]);
  expect(library.status()).toMatchObject({ state: "ready", reason: null, sessions: 0 });
  expect(home.log).toMatchObject([{ level: "warn", fields: { path: home.sessions } }]);
});

it("a configured directory that never existed is told", async () => {
  const library = await open({ sessionPaths: [join(home.directory, "never")] });
  await library.scan();
  expect(library.status()).toMatchObject({ state: "degraded", reason: expect.stringContaining("never") });
});

it("a watched directory that is renamed and back is noticed without a comparison of ours", async () => {
  const library = await open({ watch: true });
  const { marked } = await prepared(library);
  await rename(disk, unplugged);
  await until(async () => !(await listed(library)).includes(marked));
  await until(() => library.status().state === "degraded");
  await rename(unplugged, disk);
  await until(async () => (await listed(library)).includes(marked));
  expect(await library.favorites()).toEqual([marked]);
});
