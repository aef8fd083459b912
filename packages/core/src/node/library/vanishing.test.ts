import { rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ExportStream } from "../../library.ts";
import { codeOf, EXPORT, SessionText, searchFor, TestHome, treeOf } from "./library.fixture.ts";
import type { Library } from "./library.ts";

const ROUNDS = 40;
/** Longer than any of the actions takes on a small session, most of the time. */
const MAX_DELAY_MS = 8;

/** What a caller may be told: the answer, or that there is no such file (any more). */
const TOLD = ["", "NOT_FOUND", "CONFLICT"];

const ACTIONS: [string, (library: Library, path: string) => Promise<unknown>][] = [
  ["its text", (library, path) => library.readText(path)],
  ["its record", (library, path) => library.session(path)],
  ["its entries", (library, path) => library.readEntries({ path, limit: 10 })],
  ["what stands in it", (library, path) => library.find({ path, query: "text", role: "all", limit: 10 })],
  ["its tree", (library, path) => treeOf(library, path)],
  ["a new name", (library, path) => library.rename(path, "New")],
  ["a fork", (library, path) => library.fork(path, null)],
  ["a favorite", (library, path) => library.toggleFavorite(path)],
  ["an export", (library, path) => library.export({ ...EXPORT, path, format: "html" })],
  [
    "a streamed export",
    async (library, path) => taken(await library.exportStream({ ...EXPORT, path, format: "jsonl" })),
  ],
  [
    "an archive",
    async (library, path) => taken(await library.exportArchive({ ...EXPORT, paths: [path], format: "html" })),
  ],
  [
    "a preview of redactions",
    (library, path) => library.previewRedactions({ path, include_thinking: true, include_tools: true }),
  ],
  ["a search in it", (library, path) => library.search(searchFor("text", { path }))],
  ["its end", (library, path) => library.delete(path, { force: false })],
];

async function taken({ chunks }: ExportStream): Promise<void> {
  for await (const _ of chunks);
}

describe("a session that goes while somebody asks for", () => {
  it.each(ACTIONS)("%s is there, or is not: it is no defect", async (name, ask) => {
    await using home = await TestHome.create();
    const library = await home.open();
    const told: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const path = await home.write(
        `${name}-${round}.jsonl`,
        new SessionText().user("Some text").assistant("More").lines,
      );
      // Half of them are known before.
      if (round % 2 === 0) await library.session(path);
      const asked = codeOf(ask(library, path));
      await pause(((round >> 1) * MAX_DELAY_MS * 2) / ROUNDS);
      await rm(path, { force: true });
      told.push(await asked);
    }
    expect(told.filter((code) => !TOLD.includes(code))).toEqual([]);
  });
});
