import { describe, expect, it } from "vitest";
import { runFake } from "../fake-shell.fixture.ts";

const TERMINAL = { columns: 80, env: { NO_COLOR: "1" } };

describe("delete", () => {
  const deleted = [{ path: "/sessions/a.jsonl", method: "trash", companions: 0, left_behind: [] as string[] }];
  const answers = {
    list_sessions: { sessions: [{ id: "a", title: "Tides", path: "/sessions/a.jsonl" }], next_cursor: null },
    preview_deletion: { path: "/sessions/a.jsonl", companions: 0, subagents: 0, companion_bytes: 0 },
    delete_sessions: { deleted, failed: [] },
  };
  const command = ["delete_sessions", { paths: ["/sessions/a.jsonl"] }];

  it.each(["y\n", "Y\n", "yes\n"])("deletes after %j", async (typed) => {
    const run = await runFake(["delete", "a"], { ...TERMINAL, typed, answers });
    expect(run.stderr).toContain("Tides (/sessions/a.jsonl)\nMove this session to the trash? [y/N]");
    expect(run.sent.at(-1)).toEqual(command);
    expect(run.stdout).toBe("Moved to the trash: /sessions/a.jsonl\n");
  });

  it.each(["\n", "n\n", "yeah\n", ""])("deletes nothing after %j", async (typed) => {
    const run = await runFake(["delete", "a"], { ...TERMINAL, typed, answers });
    expect(run.error).toMatchObject({ exitCode: 1, message: "Nothing was deleted." });
    expect(run.sent.map(([name]) => name)).toEqual(["list_sessions", "preview_deletion"]);
  });

  it.each([
    [1, 1, "with 1 subagent"],
    [7, 6, "with 6 subagents and 1 other file"],
    [2, 0, "with 2 files"],
  ])("says before that %i files go along, and what was left afterwards", async (companions, subagents, text) => {
    const run = await runFake(["delete", "a"], {
      ...TERMINAL,
      typed: "y\n",
      answers: {
        ...answers,
        preview_deletion: { path: "/sessions/a.jsonl", companions, subagents, companion_bytes: 10 },
        delete_sessions: {
          deleted: [{ path: "/sessions/a.jsonl", method: "trash", companions: 1, left_behind: ["/sessions/a"] }],
          failed: [],
        },
      },
    });
    expect(run.stderr).toContain(`Tides (/sessions/a.jsonl), ${text}\nMove this session`);
    expect(run.stdout).toBe("Moved to the trash: /sessions/a.jsonl, with 1 more file\n");
    expect(run.stderr).toContain("left behind: /sessions/a\n");
  });

  it("does not ask with --yes", async () => {
    const run = await runFake(["delete", "a", "-y", "--json"], { answers });
    expect(run).toMatchObject({ error: null, stderr: "" });
    expect(JSON.parse(run.stdout)).toEqual(answers.delete_sessions);
  });

  it("refuses where nobody can be asked", async () => {
    const run = await runFake(["delete", "a"], { answers });
    expect(run).toMatchObject({ error: { exitCode: 2, message: expect.stringContaining("--yes") }, sent: [] });
  });

  it("deletes nothing where one of several is not found", async () => {
    const run = await runFake(["delete", "/a.jsonl", "nothing", "--yes"], { answers });
    expect(run.error).toMatchObject({ exitCode: 3 });
    expect(run.sent.map(([name]) => name)).toEqual(["list_sessions"]);
  });

  it("tells what could not be deleted", async () => {
    const failed = [{ path: "/b.jsonl", error: { code: "CONFLICT", message: "It is live.", details: null } }];
    const run = await runFake(["delete", "/a.jsonl", "/b.jsonl", "--yes", "--json"], {
      answers: { delete_sessions: { deleted, failed } },
    });
    expect(JSON.parse(run.stdout)).toEqual({ deleted, failed });
    expect(run.error).toMatchObject({ exitCode: 4, message: "CONFLICT: It is live. (/b.jsonl)" });
  });
});
