import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Note } from "../../notes.ts";
import { codeOf, LIST, SessionText, searchAll, searchFor, TestHome, until, untilIndexed } from "./library.fixture.ts";
import type { Library } from "./library.ts";
import { Listener } from "./library-events.fixture.ts";

async function notesOf(library: Library, path?: string): Promise<Note[]> {
  const found: Note[] = [];
  for await (const note of await library.notes(path)) found.push(note);
  return found;
}

async function listed(library: Library, query: string): Promise<string[]> {
  const { sessions, total } = await library.list({ ...LIST, query });
  expect(total).toBe(sessions.length);
  return sessions.map(({ path }) => path).sort();
}

const found = async (library: Library, query: string) => {
  const hits = await searchAll(library, searchFor(query));
  return [...new Set(hits.map(({ session_path }) => session_path))].sort();
};

describe("notes on sessions", () => {
  it("are written, told, searched and removed, and files stay as they are", async () => {
    await using home = await TestHome.create();
    const session = new SessionText().user("otter");
    const a = await home.write("p/a.jsonl", session.lines);
    const b = await home.write("p/b.jsonl", new SessionText().user("otter").lines);
    const listener = new Listener();
    const library = await home.open({ watch: false, onEvent: listener.onEvent });
    await untilIndexed(library);
    const before = await readFile(a);
    listener.start([]);
    const onSession = await library.setNote(a, null, "Has the *fix* for the flakyTest, über alles");
    await until(() => listener.list.some(({ path, note_count }) => path === a && note_count === 1));
    const onEntry = await library.setNote(a, session.leaf, "Here");
    const other = await library.setNote(b, null, "Other words");
    expect(onEntry).toMatchObject({ path: a, entry_id: session.leaf, text: "Here" });
    expect(await notesOf(library)).toEqual([other, onEntry, onSession]);
    expect(await notesOf(library, a)).toEqual([onEntry, onSession]);
    expect((await library.session(a)).note_count).toBe(2);
    const queries: [string, string[]][] = [
      ["note:fix", [a]],
      ["note:test otter", [a]],
      ["note:UBER", [a]],
      ["note:wor*", [b]],
      ['note:"for the"', [a]],
      ["has:note -note:here", [b]],
      ["otter -has:note", []],
      ["note:none", []],
    ];
    for (const [query, expected] of queries) expect(await found(library, query), query).toEqual(expected);
    for (const [query, expected] of [
      ["note:fix", [a]],
      ["has:note", [a, b]],
      ["has:note note:wor otter", [b]],
      ["-has:note", []],
    ] as const) {
      expect(await listed(library, query), query).toEqual(expected);
    }
    expect(await library.setNote(a, session.leaf, "")).toBeNull();
    expect(await notesOf(library, a)).toEqual([onSession]);
    expect(await readFile(a)).toEqual(before);
  });

  it("are refused on entries and sessions that there are not", async () => {
    await using home = await TestHome.create();
    const a = await home.write("p/a.jsonl", new SessionText().user("otter").lines);
    const library = await home.open({ watch: false });
    expect(await codeOf(library.setNote(a, "none", "text"))).toBe("NOT_FOUND");
    expect(await codeOf(library.setNote(join(home.sessions, "none.jsonl"), null, "text"))).toBe("NOT_FOUND");
    expect(await codeOf(library.setNote("/etc/passwd", null, "text"))).toBe("FORBIDDEN");
    expect(await codeOf(library.setNote(a, null, "x".repeat(20_001)))).toBe("INVALID_PAYLOAD");
    expect(await library.setNote(a, "none", "")).toBeNull();
    expect(await notesOf(library)).toEqual([]);
  });
});
