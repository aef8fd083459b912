import { appendFile, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  jsonl,
  SessionText,
  scanAll,
  searchFor,
  TestHome,
  touch,
  treeOf,
  untilIndexed,
} from "../library/library.fixture.ts";
import type { Library } from "../library/library.ts";
import type { Work } from "./work.ts";

const MEGABYTE = 1024 * 1024;

/** What the threads do to the user's files while an action runs. */
async function workOf(library: Library, action: () => Promise<unknown>): Promise<Work> {
  const before = await library.work();
  await action();
  const after = await library.work();
  return {
    filesOpened: after.filesOpened - before.filesOpened,
    reads: after.reads - before.reads,
    bytesRead: after.bytesRead - before.bytesRead,
    linesParsed: after.linesParsed - before.linesParsed,
    rowsWritten: after.rowsWritten - before.rowsWritten,
  };
}

/** A session of some megabytes. */
function large(messages = 600): SessionText {
  const session = new SessionText();
  for (let n = 0; n < messages; n++) {
    session.user(`question ${n} ${"word ".repeat(400)}`).assistant(`answer ${n} ${"word ".repeat(600)}`);
  }
  return session;
}

describe("the work of a library", () => {
  it("is none after a restart with nothing changed", async () => {
    await using home = await TestHome.create();
    for (let n = 0; n < 50; n++) await home.write(`p/${n}.jsonl`, new SessionText().user(`session ${n}`).lines);
    await home.write("p/other.jsonl", "no session\n");
    await home.write("p/empty.jsonl", "");
    let library = await home.open();
    await untilIndexed(library);
    const records = await scanAll(library);
    expect((await library.work()).filesOpened).toBeGreaterThanOrEqual(52);
    await home.close(library);

    library = await home.open();
    await untilIndexed(library);
    expect(await scanAll(library)).toEqual(records);
    expect(await library.work()).toEqual({ filesOpened: 0, reads: 0, bytesRead: 0, linesParsed: 0, rowsWritten: 0 });
    const page = await library.search(searchFor("session", { limit: 5 }));
    expect(page).toMatchObject({ total: 50, indexing: { done: 50, pending: 0 } });
    expect((await library.work()).filesOpened).toBe(5);
  });

  it("is what was appended, and comes to what a fresh library finds", async () => {
    await using home = await TestHome.create();
    const session = large();
    const path = await home.write("p/large.jsonl", session.lines);
    expect((await stat(path)).size).toBeGreaterThan(3 * MEGABYTE);
    let library = await home.open();
    await untilIndexed(library);
    expect((await library.work()).bytesRead).toBeLessThan(2.2 * (await stat(path)).size);

    for (const isRestarted of [false, true]) {
      const fresh = session.user("capercaillie").assistant("ptarmigan").lines.slice(-2);
      await home.append(path, fresh);
      if (isRestarted) {
        await home.close(library);
        library = await home.open();
      }
      const { bytesRead, linesParsed, rowsWritten } = await workOf(library, () => untilIndexed(library));
      // Once for the record and once for the text.
      expect(bytesRead).toBeLessThan(2 * jsonl(fresh).length + 8 * 1024);
      expect(linesParsed).toBeLessThanOrEqual(2 * fresh.length + 1);
      expect(rowsWritten).toBeLessThan(20);
    }
    expect((await library.search(searchFor("capercaillie"))).hits).toHaveLength(2);
    const [record] = await scanAll(library);
    const other = await home.open({ dataDir: join(home.directory, "other") });
    await untilIndexed(other);
    expect(await scanAll(other)).toEqual([record]);
    expect(await treeOf(other, path)).toEqual(await treeOf(library, path));
  });

  it.each([
    ["in pieces of a line", (text: string) => [text.slice(0, 20), text.slice(20, 100), text.slice(100)]],
    ["without its LF first", (text: string) => [text.slice(0, -1), "\n"]],
    ["with the LF of the line before", (text: string) => [`\n${text}`]],
  ])("follows a line that is written %s", async (_, pieces) => {
    await using home = await TestHome.create();
    const session = new SessionText().user("first");
    const path = await home.write("p/a.jsonl", jsonl(session.lines));
    const library = await home.open();
    await untilIndexed(library);
    for (const piece of pieces(jsonl(session.assistant("second").lines.slice(-1)))) {
      await appendFile(path, piece);
      await untilIndexed(library);
    }
    expect(await scanAll(library)).toMatchObject([{ message_count: 2, malformed_lines: 0, last_message: "second" }]);
    expect((await library.search(searchFor("second"))).hits).toHaveLength(1);
  });

  it("notices a line that was glued to one without LF", async () => {
    await using home = await TestHome.create();
    const session = new SessionText().user("first");
    const path = await home.write("p/a.jsonl", jsonl(session.lines).trimEnd());
    const library = await home.open();
    expect(await scanAll(library)).toMatchObject([{ message_count: 1, malformed_lines: 0 }]);
    await appendFile(path, jsonl(session.assistant("second").lines.slice(-1)));
    expect(await scanAll(library)).toMatchObject([{ message_count: 0, malformed_lines: 1 }]);
  });

  describe("notices a rewritten file", () => {
    const filler = "lorem ipsum ".repeat(200);
    const before = () => new SessionText({ id: "the same" }).user(filler).user("albatross").user(filler);
    const replaced = (text: string) => text.replace("albatross", "cormorant");
    const longer = (text: string) => `${replaced(text).replaceAll('"the same"', '"another"')}${jsonl([{ type: "x" }])}`;

    it.each([
      ["of the same length", replaced, false],
      ["of the same length that took its place", replaced, true],
      ["that is longer and begins in another way", longer, false],
      ["that is longer and took its place", longer, true],
      ["that is shorter", (text: string) => replaced(text).replace(filler, "short"), false],
    ])("%s", async (_, change, isRenamed) => {
      await using home = await TestHome.create();
      const path = await home.write("p/a.jsonl", before().lines);
      await touch(path, "2026-03-02T00:00:00.000Z");
      const library = await home.open();
      await untilIndexed(library);
      expect((await library.search(searchFor("albatross"))).hits).toHaveLength(1);
      const text = change(await readFile(path, "utf8"));
      await writeFile(isRenamed ? `${path}.new` : path, text);
      if (isRenamed) await rename(`${path}.new`, path);
      await untilIndexed(library);
      expect(await library.search(searchFor("albatross"))).toMatchObject({ hits: [] });
      expect((await library.search(searchFor("cormorant"))).hits).toMatchObject([{ session_path: path }]);
      expect(await scanAll(library)).toMatchObject([{ size_bytes: text.length, message_count: 3 }]);
    });
  });

  it("is a page where a page is read", async () => {
    await using home = await TestHome.create();
    const session = large();
    const path = await home.write("p/large.jsonl", session.lines);
    const library = await home.open();
    await untilIndexed(library);
    const pageBytes = jsonl(session.lines.slice(-20)).length;
    const newest = await workOf(library, () => library.readEntries({ path, limit: 20 }));
    expect(newest.bytesRead).toBeLessThan(pageBytes + 2 * 1024);
    expect(newest.linesParsed).toBe(21);
    const { entries } = await library.readEntries({ path, limit: 1, before: String(session.entries[600]?.id) });
    const middle = await workOf(library, () =>
      library.readEntries({ path, limit: 20, after: String(entries[0]?.id), before: undefined }),
    );
    expect(middle.bytesRead).toBeLessThan(2 * pageBytes);
    expect(middle.linesParsed).toBe(21);
    const found = await workOf(library, () => library.search(searchFor("question", { limit: 5, per_session: 5 })));
    expect(found).toMatchObject({ filesOpened: 1, linesParsed: 5 });
    expect(found.bytesRead).toBeLessThan(5 * 5000);
  });

  it("of a list is none", async () => {
    await using home = await TestHome.create();
    await home.write("p/a.jsonl", new SessionText().user("a").lines);
    const library = await home.open();
    await untilIndexed(library);
    const listed = await workOf(library, async () => {
      await library.list({ sort: "modified", order: "desc", limit: 50 });
      await library.scan();
      await library.favorites();
    });
    expect(listed).toEqual({ filesOpened: 0, reads: 0, bytesRead: 0, linesParsed: 0, rowsWritten: 0 });
  });
});
