import { describe, expect, it } from "vitest";
import { runFake } from "../fake-shell.fixture.ts";

const TERMINAL = { columns: 80, env: { NO_COLOR: "1" } };
const A = "/sessions/a.jsonl";
const B = "/sessions/b.jsonl";

describe("archive", () => {
  const sessions = [
    { id: "a", title: "Tides", path: A, size_bytes: 999 },
    { id: "b", title: "Clocks", path: B, size_bytes: 2_000_001 },
  ];
  const answers = {
    list_sessions: { sessions, next_cursor: null },
    archive_session: { changed: [A, B], failed: [] as object[] },
    unarchive_session: { changed: [A], failed: [] as object[] },
  };

  it("takes sessions by name, archived ones too", async () => {
    const run = await runFake(["archive", "a", B], { answers });
    expect(run.sent).toEqual([
      ["list_sessions", expect.objectContaining({ query: "a", archived: "include" })],
      ["archive_session", { paths: [A, B] }],
    ]);
    expect(run).toMatchObject({ error: null, stdout: `Archived: ${A}\nArchived: ${B}\n` });
    const back = await runFake(["unarchive", A], { answers });
    expect(back.sent).toEqual([["unarchive_session", { paths: [A] }]]);
    expect(back.stdout).toBe(`Taken back: ${A}\n`);
    const nothing = { ...answers, unarchive_session: { changed: [], failed: [] } };
    expect((await runFake(["unarchive", A], { answers: nothing })).stdout).toBe("Nothing to change.\n");
  });

  it("says how many old ones it takes and their size before", async () => {
    const old = ["archive", "--older-than", "2026-01-01T00:00Z", "--not-favorite", "--project", "/code"];
    const asked = { query: "-is:favorite", until: "2026-01-01T00:00:00.000Z", project: "/code" };
    const run = await runFake(old, { ...TERMINAL, typed: "y\n", answers });
    expect(run.stderr).toContain("Archive 2 sessions (2.0 MB)? [y/N]");
    expect(run.sent).toEqual([
      ["list_sessions", expect.objectContaining(asked)],
      ["archive_session", { paths: [A, B] }],
    ]);
    expect(run.stdout).toBe("Archived 2 sessions (2.0 MB).\n");
    const refused = await runFake(old, { ...TERMINAL, typed: "n\n", answers });
    expect(refused.error).toMatchObject({ exitCode: 1, message: "Nothing was archived." });
    expect(refused.sent.map(([name]) => name)).toEqual(["list_sessions"]);
    const sure = await runFake([...old, "--yes", "--json"], { answers });
    expect(JSON.parse(sure.stdout)).toEqual(answers.archive_session);
  });

  it.each([[["archive"]], [["archive", "a", "--older-than", "90d"]]])("refuses %j", async (argv) => {
    const run = await runFake(argv, { answers });
    expect(run).toMatchObject({ sent: [], stderr: expect.stringContaining("name sessions, or give --older-than") });
    expect(run.error).not.toBeNull();
  });

  it("refuses where nobody can be asked", async () => {
    const run = await runFake(["archive", "--older-than", "90d"], { answers });
    expect(run).toMatchObject({ error: { exitCode: 2, message: expect.stringContaining("--yes") }, sent: [] });
  });

  it("archives many in pieces, and fails with what could not be archived", async () => {
    const many = Array.from({ length: 501 }, (_, n) => ({ path: `/s/${n}.jsonl`, size_bytes: 1 }));
    const failed = [{ path: A, error: { code: "NOT_FOUND", message: "There is no session.", details: null } }];
    const run = await runFake(["archive", "--older-than", "90d", "--yes"], {
      answers: { list_sessions: { sessions: many, next_cursor: null }, archive_session: { changed: [B], failed } },
    });
    const sizes = run.sent.flatMap(([name, payload]) =>
      name === "archive_session" ? [(payload as { paths: string[] }).paths.length] : [],
    );
    expect(sizes).toEqual([500, 1]);
    const message = `NOT_FOUND: There is no session. (${A})\nNOT_FOUND: There is no session. (${A})`;
    expect(run.error).toMatchObject({ exitCode: 3, message });
  });
});
