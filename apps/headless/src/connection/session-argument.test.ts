import { resolve } from "node:path";
import type { SessionRecord } from "@sm/core";
import { describe, expect, it } from "vitest";
import { findSession, sessionsNamed } from "./session-argument.ts";

const SESSIONS = [
  session("0199aaaa-1111", "newest"),
  session("0199aaab-2222", "a title with 0199aaaa-1111 in it"),
  session("copy", "original"),
  session("copy", "copy"),
  session("copy-of-a-copy", "other"),
  session("\x1b[2J-a", "hostile \x1b]0;x\x07\nline"),
  session("\x1b[2J-b", "hostile"),
];

function session(id: string, title: string): Pick<SessionRecord, "id" | "title" | "path"> {
  return { id, title, path: `/sessions/${id}-${title}.jsonl` };
}

/** Answers `list_sessions` as the service does, three sessions a page. */
function connect(sessions = SESSIONS) {
  const asked: unknown[] = [];
  return {
    asked,
    async send(command: string, payload: unknown) {
      asked.push([command, payload]);
      const { query = "", limit, cursor } = payload as { query?: string; limit: number; cursor?: string | null };
      const found = sessions.filter(({ id, title }) => `${id} ${title}`.includes(query));
      const start = Number(cursor ?? 0);
      const end = start + Math.min(limit, 3);
      return { sessions: found.slice(start, end), next_cursor: end < found.length ? String(end) : null };
    },
  };
}

describe("findSession", () => {
  it.each([
    ["0199aaaa-1111", "newest"],
    ["0199aaaa", "newest"],
    ["0199aaab", "a title with 0199aaaa-1111 in it"],
    ["copy-", "other"],
    ["last", "newest"],
    ["newest", "newest"],
  ])("finds %s", async (text, title) => {
    expect(await findSession(text, connect())).toMatchObject({ title });
  });

  it.each([
    ["/sessions/a.jsonl", "/sessions/a.jsonl"],
    ["C:\\sessions\\a.jsonl", "C:\\sessions\\a.jsonl"],
    ["folder/a.jsonl", resolve("folder/a.jsonl")],
    ["last.jsonl", resolve("last.jsonl")],
    ["./last", resolve("last")],
  ])("takes %s for a path without asking", async (text, path) => {
    const connection = connect();
    expect(await findSession(text, connection)).toEqual({ path, title: null });
    expect(connection.asked).toEqual([]);
  });

  it.each(["0199aaac", "newes", "199"])("does not find %s", async (text) => {
    await expect(findSession(text, connect())).rejects.toMatchObject({ exitCode: 3, lines: [] });
  });

  it("lists the candidates of what is ambiguous", async () => {
    await expect(findSession("0199", connect())).rejects.toMatchObject({
      exitCode: 3,
      lines: [expect.stringContaining("0199aaaa-1111  newest"), expect.stringContaining("0199aaab-2222")],
    });
    await expect(findSession("0199", connect())).rejects.toThrow("give more of the id, or the path:");
    await expect(findSession("copy", connect())).rejects.toThrow("give the path:");
    await expect(findSession("copy", connect())).rejects.toMatchObject({
      lines: [expect.stringContaining("original.jsonl"), expect.stringContaining("copy.jsonl")],
    });
  });

  it("lists ten candidates at most, each one in its lines", async () => {
    const many = Array.from({ length: 14 }, (_, at) => session(`x${at}`, "title"));
    const error = await findSession("x", connect(many)).catch((thrown) => thrown);
    expect(error.lines).toHaveLength(11);
    expect(error.lines[10]).toContain("4 more");
  });

  it("shows hostile titles and paths safely", async () => {
    const error = await findSession("\x1b[2J", connect()).catch((thrown) => thrown);
    expect(error.lines[0]).toContain("␛[2J-a  hostile ␛]0;x␇␊line");
    expect(error.lines.join("").replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });

  it("has no last session where there is none", async () => {
    await expect(findSession("last", connect([]))).rejects.toMatchObject({ exitCode: 3 });
  });

  it("wants a session to be named", async () => {
    await expect(findSession("", connect())).rejects.toMatchObject({ exitCode: 2 });
  });
});

it.each([
  ["copy", ["original", "copy"]],
  ["copy-", ["other"]],
  ["newest", ["newest"]],
  ["", []],
  ["none", []],
])("names sessions by id, its beginning, or title: %j", (text, titles) => {
  expect(sessionsNamed(text, SESSIONS).map(({ title }) => title)).toEqual(titles);
});
