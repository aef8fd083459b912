import { mkdir, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeOf, SessionText, scanAll, searchAll, searchFor, TestHome, untilIndexed } from "./library.fixture.ts";

describe("bookmarks", () => {
  it("are set, listed with the agent's labels, follow a moved file and are removed", async () => {
    await using home = await TestHome.create();
    const session = new SessionText().user("one");
    const first = session.leaf;
    const second = session.assistant("two").leaf;
    const third = session.user("three").leaf;
    session.label(first, "by the agent").label(second, "by both");
    const path = await home.write("p/a.jsonl", session.lines);
    const library = await home.open({ watch: false });
    await untilIndexed(library);
    const before = await readFile(path);
    for (const entry of [second, third, second]) {
      expect(await library.setBookmark(path, entry, true)).toEqual({ path, entry_id: entry, bookmarked: true });
    }
    const own = { path, created_at: expect.stringMatching(/Z$/) };
    expect(await library.bookmarks(path)).toEqual([
      { ...own, entry_id: third, label: null },
      { ...own, entry_id: second, label: "by both" },
      { path, entry_id: first, label: "by the agent", created_at: null },
    ]);
    expect((await library.bookmarks()).map(({ entry_id }) => entry_id)).toEqual([third, second]);
    expect(await readFile(path)).toEqual(before);

    const moved = join(home.sessions, "elsewhere/a.jsonl");
    await mkdir(dirname(moved));
    await rename(path, moved);
    await scanAll(library);
    expect((await library.bookmarks()).map((bookmark) => bookmark.path)).toEqual([moved, moved]);
    await library.setBookmark(moved, second, false);
    await library.setBookmark(moved, second, false);
    expect((await library.bookmarks()).map(({ entry_id }) => entry_id)).toEqual([third]);

    const other = await home.write("p/b.jsonl", new SessionText().user("one").lines);
    await scanAll(library);
    await untilIndexed(library);
    for (const [query, expected] of [
      ["is:bookmarked", [moved]],
      ["one is:bookmarked", [moved]],
      ["one -is:bookmarked", [other]],
      ["two -is:bookmarked", []],
    ] as const) {
      const hits = await searchAll(library, searchFor(query));
      expect([...new Set(hits.map(({ session_path }) => session_path))], query).toEqual(expected);
    }
    for (const [query, expected] of [
      ["is:bookmarked", [moved]],
      ["-is:bookmarked", [other]],
    ] as const) {
      const { sessions } = await library.list({ query });
      expect(
        sessions.map((record) => record.path),
        query,
      ).toEqual(expected);
    }
    expect(await codeOf(library.setBookmark(moved, "none", true))).toBe("NOT_FOUND");
    expect(await codeOf(library.setBookmark("/etc/passwd", second, true))).toBe("FORBIDDEN");
  });
});
