import { describe, expect, it } from "vitest";
import { runFake } from "../fake-shell.fixture.ts";

const A = "/sessions/a.jsonl";
const BOOKMARKS = [
  { path: A, entry_id: "e1", label: null, created_at: "2026-01-02T03:04:05.000Z" },
  { path: A, entry_id: "e2", label: "the \u001b[2J fix", created_at: null },
];
const answers = {
  list_bookmarks: BOOKMARKS,
  set_bookmark: { path: A, entry_id: "e1", bookmarked: true },
};

describe("bookmark", () => {
  it.each([
    [["bookmark", A, "e1"], { bookmarked: true }, "Set the bookmark.\n"],
    [["bookmark", A, "e1", "--label", "a b"], { bookmarked: true, label: "a b" }, "Set the bookmark.\n"],
    [["bookmark", A, "e1", "--remove"], { bookmarked: false }, "Removed the bookmark.\n"],
  ])("changes one with %j", async (argv, change, stdout) => {
    const run = await runFake(argv, { answers });
    expect(run).toMatchObject({
      error: null,
      sent: [["set_bookmark", { path: A, entry_id: "e1", ...change }]],
      stdout,
    });
  });

  it("removes none without an entry", async () => {
    const run = await runFake(["bookmark", A, "--remove"], { answers });
    expect(run.sent).toEqual([]);
    expect(run.error).not.toBeNull();
  });

  it("shows those of a session, with the labels of its agent, and all", async () => {
    const shown = await runFake(["bookmark", A], { answers });
    expect(shown.sent).toEqual([["list_bookmarks", { path: A }]]);
    expect(shown.stdout).toMatch(/ · entry e1\nlabel of the agent · entry e2 · the .* fix\n$/);
    expect(shown.stdout).not.toContain("\u001b");
    const all = await runFake(["bookmarks"], { answers });
    expect(all.sent).toEqual([["list_bookmarks", {}]]);
    expect(all.stdout).toContain(` · ${A} · entry e1\n`);
    expect(JSON.parse((await runFake(["bookmarks", "--json"], { answers })).stdout)).toEqual(BOOKMARKS);
    expect((await runFake(["bookmarks"], { answers: { list_bookmarks: [] } })).stdout).toBe("0 bookmarks\n");
  });
});
