import { rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { packed } from "../session-file/packed.fixture.ts";
import { EXPORT, LIST, SessionText, scanAll, searchFor, TestHome, untilIndexed } from "./library.fixture.ts";
import type { Library } from "./library.ts";

const ID = "019ee442-2280-7ce8-84dc-76868da61193";
const NAME = `rollout-2026-06-20T11-00-00-${ID}.jsonl`;
const session = new SessionText().user("Where is the lighthouse?").assistant("On the rock.");
const TEXT = `${session.lines.map((line) => JSON.stringify(line)).join("\n")}\n`;

async function collected<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

const paths = async (library: Library) => (await library.list(LIST)).sessions.map(({ path }) => path);

describe("a session that its agent has compressed", () => {
  it("is listed, read, searched and exported by its text", async () => {
    await using home = await TestHome.create();
    const path = await home.write(`2026/06/20/${NAME}.zst`, packed(TEXT));
    const library = await home.open({ watch: false });
    await untilIndexed(library);
    expect(await scanAll(library)).toEqual([expect.objectContaining({ path, message_count: 2, malformed_lines: 0 })]);
    expect((await library.search(searchFor("lighthouse"))).hits).toEqual([
      expect.objectContaining({ session_path: path, snippet: expect.stringContaining("lighthouse") }),
    ]);
    const { entries } = JSON.parse(Buffer.from(await library.entriesJson({ path, limit: 10 })).toString()) as {
      entries: object[];
    };
    expect(entries).toEqual(session.lines.slice(1));
    expect((await collected(await library.textStream(path))).join("")).toBe(TEXT);
    const { file_name, chunks } = await library.exportStream({ ...EXPORT, path, format: "jsonl" });
    expect(file_name).toBe(NAME);
    expect(Buffer.concat(await collected(chunks)).toString()).toBe(TEXT);
    const { content } = await library.export({ ...EXPORT, path, format: "markdown" });
    expect(content).toContain("On the rock.");
  });

  it("is the same session when the agent unpacks it to go on", async () => {
    await using home = await TestHome.create();
    const path = await home.write(NAME, packed(TEXT));
    await rm(path);
    await writeFile(`${path}.zst`, packed(TEXT));
    const library = await home.open({ watch: false });
    await library.scan();
    await library.toggleFavorite(`${path}.zst`);
    await writeFile(path, TEXT);
    await scanAll(library);
    expect(await paths(library)).toEqual([path]);
    await rm(`${path}.zst`);
    await scanAll(library);
    expect(await library.favorites()).toEqual([path]);
  });

  it("is told as unreadable where it is damaged, and read when it is whole", async () => {
    await using home = await TestHome.create();
    const path = await home.write(`${NAME}.zst`, packed(TEXT).subarray(0, 100));
    const library = await home.open({ watch: false });
    expect(await scanAll(library)).toEqual([]);
    await writeFile(path, packed(TEXT));
    expect(await scanAll(library)).toEqual([expect.objectContaining({ path })]);
  });
});
