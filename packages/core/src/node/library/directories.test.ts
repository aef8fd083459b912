import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SessionDirectories } from "./directories.ts";
import { codeOf, EXPORT, SessionText, scanAll, TestHome, treeOf } from "./library.fixture.ts";

let folder: string;
let sessions: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "directories-")));
  sessions = join(folder, "agent", "sessions");
  await mkdir(sessions, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

function directories(...sessionPaths: string[]): SessionDirectories {
  return new SessionDirectories({ agentDir: join(folder, "agent"), agentHome: folder, sessionPaths });
}

async function write(...parts: string[]): Promise<string> {
  const path = join(folder, ...parts);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, "");
  return path;
}

describe("sessionPath", () => {
  it("takes a file inside, also by way of `..` and links, and names it as it is", async () => {
    const path = await write("agent", "sessions", "p", "a.jsonl");
    await symlink(path, join(sessions, "link.jsonl"));
    await symlink(join(sessions, "p"), join(sessions, "folder"));
    await symlink(sessions, join(folder, "outside"));
    const spellings = [
      path,
      `${sessions}/p/../p/./a.jsonl`,
      `${sessions}//p//a.jsonl`,
      join(sessions, "link.jsonl"),
      join(sessions, "folder", "a.jsonl"),
      join(folder, "outside", "p", "a.jsonl"),
    ];
    for (const spelling of spellings) expect(await directories().sessionPath(spelling)).toBe(path);
  });

  it("refuses what lies outside or is no session file", async () => {
    const outside = await write("other", "a.jsonl");
    const sibling = await write("agent", "sessions-of-others", "a.jsonl");
    await write("agent", "sessions", "a.json");
    await mkdir(join(sessions, "folder.jsonl"));
    execFileSync("mkfifo", [join(sessions, "fifo.jsonl")]);
    await symlink(outside, join(sessions, "link-out.jsonl"));
    await symlink(join(folder, "other"), join(sessions, "folder-out"));
    await symlink(join(sessions, "a.json"), join(sessions, "link-to-json.jsonl"));
    await symlink(join(sessions, "loop.jsonl"), join(sessions, "loop.jsonl"));
    const refused = [
      outside,
      sibling,
      sessions,
      join(sessions, "a.json"),
      join(sessions, "folder.jsonl"),
      join(sessions, "fifo.jsonl"),
      join(sessions, "link-out.jsonl"),
      join(sessions, "folder-out", "a.jsonl"),
      join(sessions, "folder-out", "missing.jsonl"),
      join(sessions, "link-to-json.jsonl"),
      join(sessions, "loop.jsonl"),
      `${sessions}/../../other/a.jsonl`,
      `${sessions}/../../other/missing.jsonl`,
      join(folder, "missing", "a.jsonl"),
      "/etc/passwd",
      "a.jsonl",
      "./agent/sessions/a.jsonl",
      "",
      `${sessions}/a.jsonl\0`,
      `${sessions}/\0/a.jsonl`,
      `/etc/passwd\0.jsonl`,
      `${sessions}/${"x".repeat(300)}.jsonl`,
    ];
    for (const path of refused)
      expect([path, await codeOf(directories().sessionPath(path))]).toEqual([path, "FORBIDDEN"]);
  });

  it("says what is inside and missing", async () => {
    await write("agent", "sessions", "a.jsonl");
    await symlink(join(sessions, "gone.jsonl"), join(sessions, "dangling.jsonl"));
    const missing = ["missing.jsonl", "p/missing.jsonl", "a.jsonl/b.jsonl", "p/../missing.jsonl", "dangling.jsonl"];
    for (const name of missing) {
      expect([name, await codeOf(directories().sessionPath(`${sessions}/${name}`))]).toEqual([name, "NOT_FOUND"]);
    }
  });

  it("refuses everything where there is no directory at all", async () => {
    const path = await write("agent", "sessions", "a.jsonl");
    await rm(sessions, { recursive: true });
    expect(await codeOf(directories().sessionPath(path))).toBe("FORBIDDEN");
  });

  it("reaches sessions through a root that is a link", async () => {
    await rm(sessions, { recursive: true });
    const path = await write("elsewhere", "a.jsonl");
    await symlink(join(folder, "elsewhere"), sessions);
    expect(await directories().sessionPath(join(sessions, "a.jsonl"))).toBe(join(sessions, "a.jsonl"));
    expect(await directories().sessionPath(path)).toBe(join(sessions, "a.jsonl"));
  });
});

describe("folders that are not scanned", () => {
  it.each([
    ["p/transcripts/a.jsonl", "FORBIDDEN"],
    ["tool-results/a.jsonl", "FORBIDDEN"],
    ["p/memory/a.jsonl", "FORBIDDEN"],
    ["memory/a.jsonl", ""],
    ["p/s/subagents/a.jsonl", ""],
    // Only folders are ignored.
    ["p/memory.jsonl", ""],
  ])("hold no session: %s", async (name, code) => {
    const path = await write("agent", "sessions", name);
    expect(await codeOf(directories().sessionPath(path))).toBe(code);
  });
});

describe("list", () => {
  it("gives the existing directories, the agent's own first", async () => {
    const more = join(folder, "more");
    await mkdir(more);
    expect(await directories(more, join(folder, "missing")).list()).toEqual([sessions, more]);
    expect(await directories(more, join(folder, "missing")).survey()).toEqual({
      existing: [sessions, more],
      missing: [join(folder, "gateway", "sessions"), join(folder, "missing")],
      configured: [more, join(folder, "missing")],
    });
    await mkdir(join(folder, "gateway", "sessions"), { recursive: true });
    expect(await directories(more).list()).toEqual([sessions, join(folder, "gateway", "sessions"), more]);
  });

  it("gives those of other agents before the configured ones, and tells of missing ones only as missing", async () => {
    const [other, more] = [join(folder, "other"), join(folder, "more")];
    await mkdir(other);
    await mkdir(more);
    const options = { agentDir: join(folder, "agent"), agentHome: folder, sessionPaths: [more] };
    const all = new SessionDirectories({ ...options, otherAgentPaths: [other, join(folder, "missing")] });
    expect(await all.survey()).toEqual({
      existing: [sessions, other, more],
      missing: [join(folder, "gateway", "sessions"), join(folder, "missing")],
      configured: [more],
    });
    all.setPaths({ sessionPaths: [], otherAgentPaths: [more] });
    expect(await all.list()).toEqual([sessions, more]);
  });

  it("folds duplicates, links to the same place and nested ones", async () => {
    const file = await write("file");
    const nested = join(sessions, "project");
    await mkdir(nested);
    await symlink(sessions, join(folder, "link"));
    await symlink(nested, join(folder, "link-to-nested"));
    const all = [sessions, `${sessions}/`, nested, join(folder, "link"), join(folder, "link-to-nested"), file];
    expect(await directories(...all).list()).toEqual([sessions]);
    expect(await directories(folder, ...all).list()).toEqual([folder]);
    expect(await directories("/").list()).toEqual(["/"]);
  });
});

describe("a library", () => {
  it("shows a session that is in two of its directories once, and by one path", async () => {
    await using home = await TestHome.create();
    const path = await home.write("p/a.jsonl", new SessionText().user("hello").lines);
    await symlink(home.sessions, join(home.directory, "link"));
    const library = await home.open({ sessionPaths: [join(home.directory, "link"), join(home.sessions, "p")] });
    expect(await library.directories()).toEqual([home.sessions]);
    expect((await scanAll(library)).map((record) => record.path)).toEqual([path]);
    const linked = join(home.directory, "link", "p", "a.jsonl");
    expect(await library.toggleFavorite(linked)).toEqual({ path, is_favorite: true });
    expect(await library.favorites()).toEqual([path]);
    expect(await library.rename(linked, "named")).toMatchObject({ path, name: "named", is_favorite: true });
  });

  it("counts the sessions of directories, also of parts and by way of links", async () => {
    await using home = await TestHome.create();
    for (const name of ["p/a.jsonl", "p/q/b.jsonl", "pq/c.jsonl", "d.jsonl"]) {
      await home.write(name, new SessionText().user("hello").lines);
    }
    for (const name of ["p/q/unknown.jsonl", "pq/unknown.jsonl", "empty.jsonl"]) {
      await home.write(name, name.startsWith("p") ? [{ foo: 1 }] : "");
    }
    await symlink(join(home.sessions, "p"), join(home.directory, "link"));
    const library = await home.open();
    await scanAll(library);
    const wanted = [home.sessions, `${home.sessions}/p`, `${home.directory}/link`, home.directory, "/missing"];
    const counts = await library.filesIn(wanted);
    expect(counts.map(({ sessions }) => sessions)).toEqual([4, 2, 2, 0, 0]);
    expect(counts.map(({ skipped }) => skipped)).toEqual([3, 1, 1, 0, 0]);
    expect(await library.filesIn([])).toEqual([]);
    expect(library.status()).toMatchObject({ sessions: 4, skipped_files: 3 });
  });

  it("reads directories that are added to it, and lets no path out of them by any method", async () => {
    await using home = await TestHome.create();
    const more = join(home.directory, "more");
    await mkdir(more);
    await writeFile(join(more, "a.jsonl"), `${JSON.stringify(new SessionText().lines[0])}\n`);
    const library = await home.open({ sessionPaths: [more] });
    expect((await scanAll(library)).map((record) => record.path)).toEqual([join(more, "a.jsonl")]);
    const path = join(home.directory, "secret.jsonl");
    await writeFile(path, "secret");
    const choice = { ...EXPORT, path };
    const attempts = [
      library.readText(path),
      library.readEntries({ path, limit: 1 }),
      treeOf(library, path),
      library.rename(path, "x"),
      library.fork(path, null),
      library.delete(path, { force: true }),
      library.export({ ...choice, format: "json" }),
      library.exportStream({ ...choice, format: "jsonl" }),
      library.toggleFavorite(path),
    ];
    expect(await Promise.all(attempts.map(codeOf))).toEqual(attempts.map(() => "FORBIDDEN"));
  });
});
