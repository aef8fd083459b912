import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EntriesOptions, EntriesPage } from "../../library.ts";
import { jsonl, SessionText, TestHome } from "../library/library.fixture.ts";
import { MAX_PAGE_BYTES } from "./branch-page.ts";
import { SessionReader } from "./reader.ts";

const MEBIBYTE = 1024 * 1024;

let home: TestHome;
beforeAll(async () => {
  home = await TestHome.create();
});
afterAll(() => home[Symbol.asyncDispose]());

let lastFile = 0;
const write = (content: string | object[]) => home.write(`p/${++lastFile}.jsonl`, content);

function read(path: string, options: Partial<EntriesOptions> = {}): EntriesPage & { bytes: number } {
  const json = new SessionReader().entries({ path, limit: 100, ...options });
  return { ...JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json)), bytes: json.length };
}

/** The bytes that a page says an entry has in the file. */
function stored(path: string, page: EntriesPage, place = 0): unknown {
  const { offset = 0, size_bytes = 0 } = page.truncated_entries[place] ?? {};
  return JSON.parse(readFileSync(path).toString("utf8", offset, offset + size_bytes));
}

describe("a page of entries", () => {
  it("ends before it is too large, whichever way it is read", async () => {
    const session = new SessionText();
    for (let n = 0; n < 30; n++) session.user("x".repeat(MEBIBYTE));
    const path = await write(session.lines);
    const newest = read(path);
    expect([newest.entries.length, newest.has_more_before]).toEqual([7, true]);
    expect(newest.bytes).toBeLessThan(MAX_PAGE_BYTES);
    const next = read(path, { after: String(session.entries[3]?.id) });
    expect(next.entries).toEqual(session.entries.slice(4, 11));
    expect(next).toMatchObject({ has_more_after: true, truncated_entries: [] });
  });

  it("has the beginning of a text that is too large, and says where the rest is", async () => {
    const text = `${"é\\\n".repeat(40_000)}${"word ".repeat(4_000_000)}end`;
    const session = new SessionText().user("before").user(text).user("behind");
    const path = await write(session.lines);
    const large = session.entries[1];
    const ends = { after: String(session.entries[0]?.id), before: session.leaf };
    const page = read(path, ends);
    expect(page.bytes).toBeLessThan(2 * MEBIBYTE);
    expect(page.truncated_entries).toMatchObject([{ entry_id: large?.id }]);
    expect(stored(path, page)).toEqual(large);
    const [entry] = page.entries as { message: { content: { text: string }[] } }[];
    const shown = entry?.message.content[0]?.text ?? "";
    expect(shown.length).toBeGreaterThan(30_000);
    expect(shown.endsWith("…")).toBe(true);
    expect(text.startsWith(shown.slice(0, -1))).toBe(true);
    expect({ ...entry, message: null }).toEqual({ ...large, message: null });
  });

  it("shares what is left of an entry among its texts", async () => {
    const content = Array.from({ length: 300 }, (_, n) => ({ type: "text", text: `${n} ${"z".repeat(100_000)}` }));
    const path = await write(new SessionText().message({ role: "user", content }).lines);
    const page = read(path);
    expect(page.bytes).toBeLessThan(2 * MEBIBYTE);
    const [entry] = page.entries as { message: { content: { text: string }[] } }[];
    expect(entry?.message.content.map(({ text }) => Number.parseInt(text, 10))).toEqual(content.map((_, n) => n));
  });

  it("tells of an entry that cannot be cut, with its place in the tree", async () => {
    const session = new SessionText().user("root");
    const root = session.leaf;
    session.message({ role: "user", content: Array.from({ length: 4_000_000 }, () => []) });
    const path = await write(session.lines);
    const page = read(path);
    expect(page.bytes).toBeLessThan(10_000);
    const timestamp = session.entries[1]?.timestamp;
    expect(page.entries).toEqual([{ type: "truncated", timestamp, id: session.leaf, parentId: root }]);
    expect(page.has_more_before).toBe(true);
    expect(page.truncated_entries.map(({ entry_id }) => entry_id)).toEqual([session.leaf]);
  });

  it("has neither a header nor lists of any size", async () => {
    const session = new SessionText({ note: "n".repeat(20 * MEBIBYTE) }).user("root");
    const root = session.leaf;
    for (let n = 0; n < 400; n++) {
      session.lines.push({
        type: "message",
        id: `${n}-${"i".repeat(10_000)}`,
        parentId: root,
        message: { role: "user", content: "leaf" },
      });
      session.lines.push({
        type: "label",
        id: `label-${n}`,
        parentId: root,
        targetId: `${n}-${"i".repeat(10_000)}`,
        label: "l",
      });
    }
    const path = await write(session.lines);
    const page = read(path, { limit: 1 });
    expect(page.bytes).toBeLessThan(3 * MEBIBYTE);
    expect(page.header).toEqual({ ...session.lines[0], note: "…" });
    expect(stored(path, page)).toEqual(session.lines[0]);
    expect(page.leaves.length).toBeGreaterThan(90);
    expect(page.leaves.at(-1)).toMatch(/^399-/);
    expect(Object.keys(page.labels).at(-1)).toMatch(/^399-/);
  });

  it("is the text of the lines, where they need no names", async () => {
    const session = new SessionText().user("one");
    const [header, entry] = session.lines;
    const spaced = JSON.stringify(entry, null, 1).replaceAll("\n", " ");
    const path = await write(`${jsonl([header ?? {}])}${spaced}\r\n`);
    const json = new TextDecoder().decode(new SessionReader().entries({ path, limit: 1 }));
    expect(json).toContain(`"entries":[${spaced}\r]`);
  });
});
