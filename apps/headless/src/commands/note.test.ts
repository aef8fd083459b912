import { describe, expect, it } from "vitest";
import { runFake } from "../fake-shell.fixture.ts";

const A = "/sessions/a.jsonl";
const NOTES = [
  { path: A, entry_id: "e1", text: "Two\nlines \u001b[2J", updated_at: "2026-01-02T03:04:05.000Z" },
  { path: A, entry_id: null, text: "One", updated_at: "2026-01-01T03:04:05.000Z" },
];
const answers = { set_note: NOTES[1], list_notes: NOTES };

describe("note", () => {
  it.each([
    [["note", A, "Has", "the fix"], { path: A, text: "Has the fix" }],
    [["note", A, "--entry", "e1", "Here"], { path: A, entry_id: "e1", text: "Here" }],
  ])("writes %j", async (argv, payload) => {
    const run = await runFake(argv, { answers });
    expect(run).toMatchObject({ error: null, sent: [["set_note", payload]], stdout: "Saved the note.\n" });
  });

  it("removes one with an empty text", async () => {
    const run = await runFake(["note", A, ""], { answers: { set_note: null } });
    expect(run).toMatchObject({ sent: [["set_note", { path: A, text: "" }]], stdout: "Removed the note.\n" });
  });

  it("shows those of a session, of an entry, and all", async () => {
    const shown = await runFake(["note", A], { answers });
    expect(shown.sent).toEqual([["list_notes", { path: A }]]);
    expect(shown.stdout).toMatch(/ · entry e1\n {2}Two\n {2}lines .*\n\n.*\n {2}One\n$/);
    expect(shown.stdout).not.toContain("\u001b");
    const entry = await runFake(["note", A, "--entry", "e1", "--json"], { answers });
    expect(JSON.parse(entry.stdout)).toEqual([NOTES[0]]);
    const all = await runFake(["notes"], { answers });
    expect(all.sent).toEqual([["list_notes", {}]]);
    expect(all.stdout).toContain(` · ${A} · entry e1\n`);
    expect((await runFake(["notes"], { answers: { list_notes: [] } })).stdout).toBe("0 notes\n");
  });
});
