import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FindOptions, FindPage } from "../../library.ts";
import { codeOf, SessionText, TestHome, withoutTree } from "../library/library.fixture.ts";
import type { Library } from "../library/library.ts";

let home: TestHome;
let library: Library;
beforeAll(async () => {
  home = await TestHome.create();
  library = await home.open();
});
afterAll(() => home[Symbol.asyncDispose]());

let lastFile = 0;
const write = (content: object[]) => home.write(`p/${++lastFile}.jsonl`, content);

const find = (path: string, query: string, more: Partial<FindOptions> = {}) =>
  library.find({ path, query, role: "all", limit: 1_000, ...more });

/** What all pages find, from the root to the leaf. */
async function findAll(path: string, query: string, more: Partial<FindOptions> = {}) {
  const pages: FindPage[] = [];
  let cursor: string | undefined;
  do {
    const page = await find(path, query, { ...more, cursor });
    pages.push(page);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return { pages, entries: pages.flatMap(({ entries }) => entries).reverse() };
}

describe("find", () => {
  it("tells where text is on a branch, and how often", async () => {
    const session = new SessionText().user("a Needle, a needle");
    const first = session.leaf;
    session.assistant("hay").user("elsewhere: needle");
    const elsewhere = session.leaf;
    session.from(first).assistant("NEEDLE").toolResult("no needles: needle");
    const path = await write(session.lines);
    expect(await find(path, "needle")).toEqual({
      entries: [
        { entry_id: session.leaf, place: 2, count: 2 },
        { entry_id: expect.any(String), place: 1, count: 1 },
        { entry_id: first, place: 0, count: 2 },
      ],
      leaf_id: session.leaf,
      total: 3,
      scanned: 3,
      next_cursor: null,
    });
    const other = await find(path, "needle", { leaf_id: elsewhere });
    expect(other).toMatchObject({ leaf_id: elsewhere, entries: [{ place: 2, count: 1 }, { place: 0 }] });
    expect((await find(path, "needle", { role: "tool" })).entries.map(({ place }) => place)).toEqual([2]);
    expect((await find(path, "  ")).entries).toEqual([]);
    expect(await codeOf(find(path, "needle", { leaf_id: "missing" }))).toBe("NOT_FOUND");
    expect(await codeOf(find(path, "needle", { cursor: "bm90aGluZw" }))).toBe("INVALID_PAYLOAD");
  });

  it("finds everything once, whatever the size of a page", async () => {
    const hasNeedle = fc.array(fc.boolean(), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(hasNeedle, fc.integer({ min: 1, max: 8 }), async (needles, limit) => {
        const session = new SessionText();
        for (const isNeedle of needles) session.user(isNeedle ? "needle" : "hay");
        const path = await write(session.lines);
        const { entries, pages } = await findAll(path, "needle", { limit });
        const expected = needles.flatMap((isNeedle, place) => (isNeedle ? [place] : []));
        expect(entries.map(({ place }) => place)).toEqual(expected);
        expect(pages.at(-1)).toMatchObject({ scanned: needles.length, total: needles.length });
      }),
      { numRuns: 25 },
    );
  });

  it("goes on where it began while the session grows", async () => {
    const session = new SessionText().user("needle 1").assistant("needle 2").user("needle 3");
    const path = await write(session.lines);
    const { next_cursor, leaf_id } = await find(path, "needle", { limit: 1 });
    await home.append(
      path,
      new SessionText()
        .from(leaf_id ?? "")
        .user("needle 4")
        .lines.slice(1),
    );
    const rest = await find(path, "needle", { cursor: next_cursor ?? "" });
    expect(rest).toMatchObject({ entries: [{ place: 1 }, { place: 0 }], leaf_id, total: 3, next_cursor: null });
  });

  it("looks through so much at a time that nobody waits for long", async () => {
    const session = new SessionText();
    for (let n = 0; n < 5; n++) session.toolResult(`${"hay ".repeat(1_500_000)} needle`);
    const path = await write(session.lines);
    const { pages, entries } = await findAll(path, "needle");
    expect(entries).toHaveLength(5);
    expect(pages.map(({ scanned }) => scanned)).toEqual([2, 4, 5]);
  });

  it("knows entries of the first version by the ids that the tree shows", async () => {
    const path = await write(withoutTree(new SessionText().user("hay").user("needle").lines));
    const { entries } = await library.readEntries({ path, limit: 10 });
    expect((await find(path, "needle")).entries[0]?.entry_id).toBe(entries[1]?.id);
  });
});
