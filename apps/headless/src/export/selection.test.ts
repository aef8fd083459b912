import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { SessionRecord } from "@sm/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SessionFilter, selectSessions } from "./selection.ts";

const NO_FILTER: SessionFilter = { project: undefined, since: undefined };

const SESSIONS = [
  session("0199aaaa-1", "Fix the Login / logout", "/home/ada/--shop--/a.jsonl"),
  session("0199aaab-2", "Tide clock", "/home/ada/--tide--/b.jsonl"),
  session("0199bbbb-3", "Login again", join(homedir(), "--shop--", ".c.jsonl")),
  session("0199cccc-4", "[draft] (x)", resolve("sub", "d.jsonl")),
];

function session(id: string, title: string, path: string): Pick<SessionRecord, "id" | "title" | "path"> {
  return { id, title, path };
}

/** Answers `list_sessions` in pages of two, and writes down what it is asked for. */
function connect() {
  const asked: Record<string, unknown>[] = [];
  return {
    asked,
    async send(_command: string, payload: unknown) {
      const { cursor, query = "" } = payload as { cursor?: string | null; query?: string };
      asked.push(payload as Record<string, unknown>);
      const start = Number(cursor ?? 0);
      const found = SESSIONS.filter(({ id }) => id.startsWith(query));
      return { sessions: found.slice(start, start + 2), next_cursor: start + 2 < found.length ? `${start + 2}` : null };
    },
  };
}

async function idsOf(named: string[], filter: Partial<SessionFilter> = {}) {
  const { sessions } = await selectSessions(named, { ...NO_FILTER, ...filter }, connect());
  return sessions.map(({ path }) => SESSIONS.findIndex((session) => session.path === path));
}

describe("selectSessions", () => {
  it.each<[string[], number[]]>([
    [["*"], [0, 1, 2, 3]],
    [["*login*"], [0, 2]],
    [["LOGIN*"], [2]],
    [["{tide,fix}*"], [0, 1]],
    [["fix*out"], [0]],
    [["0199aaa?-*"], [0, 1]],
    [["**/--shop--/**"], [0, 2]],
    [["/home/*/*/*.jsonl"], [0, 1]],
    [["~/--shop--/*"], [2]],
    [["./sub/*.jsonl"], [3]],
    [
      ["*clock", "*login*", "*"],
      [1, 0, 2, 3],
    ],
    [
      ["0199bb", "*login*"],
      [2, 0],
    ],
    [["last"], [0]],
  ])("finds %j", async (named, expected) => {
    expect(await idsOf(named)).toEqual(expected);
  });

  it.each([
    [["*nothing*"], 3, '"*nothing*"'],
    [["*login*", "*nothing*"], 3, '"*nothing*"'],
    [["/etc/*.jsonl"], 3, "/etc"],
    [["0199d"], 3, "0199d"],
    [[], 2, "Name a session"],
  ])("finds none with %j", async (named, exitCode, message) => {
    const outcome = selectSessions(named, NO_FILTER, connect());
    await expect(outcome).rejects.toMatchObject({ exitCode, message: expect.stringContaining(message) });
  });

  it("asks once for all that patterns are matched against, page by page", async () => {
    const connection = connect();
    await selectSessions(["*login*", "*tide*"], { project: "shop", since: "2026-01-01" }, connection);
    const filter = { project: resolve("shop"), since: "2026-01-01", limit: 500 };
    expect(connection.asked).toEqual([
      { ...filter, cursor: null },
      { ...filter, cursor: "2" },
    ]);
  });

  it("takes all that a filter leaves", async () => {
    expect(await idsOf([], { since: "2026-01-01" })).toEqual([0, 1, 2, 3]);
  });

  it("refuses a filter for what is named", async () => {
    const outcome = selectSessions(["*", "0199aaaa-1"], { ...NO_FILTER, project: "." }, connect());
    await expect(outcome).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining("0199aaaa-1") });
  });

  it.each<[string[], boolean]>([
    [["last"], false],
    [["*clock"], true],
    [["last", "last"], true],
  ])("knows whether %j may be several", async (named, isMany) => {
    expect(await selectSessions(named, NO_FILTER, connect())).toMatchObject({ sessions: [{}], isMany });
  });
});

describe("a file that is called like a pattern", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "session-cli-"));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it("is a file", async () => {
    const path = join(folder, "[a]*.jsonl");
    await writeFile(path, "");
    const { sessions, isMany } = await selectSessions([path], NO_FILTER, connect());
    expect({ sessions, isMany }).toEqual({ sessions: [{ path, title: null }], isMany: false });
  });
});
