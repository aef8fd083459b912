import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULT_VAULT_SETTINGS } from "../../vault.ts";
import { searchAll, searchFor, TestHome, until, untilIndexed } from "./library.fixture.ts";
import type { Library } from "./library.ts";

const ID = "6f0a2c44-7d0e-4c55-9a43-0d8c6a4f2b10";
const MEBIBYTE = 1024 * 1024;

/** A result whose output is in a file of its own, as the client records it, or as its text alone tells. */
function result(uuid: string, parentUuid: string | null, fileName: string, isRecorded = true): object {
  const path = `/home/me/.claude/projects/-p/${ID}/tool-results/${fileName}`;
  const content = `<persisted-output>\nOutput too large (1MB). Full output saved to: ${path}\n\nPreview:\nthe beginning\n`;
  const message = { role: "user", content: [{ type: "tool_result", tool_use_id: uuid, content }] };
  const toolUseResult = isRecorded ? { stdout: "", persistedOutputPath: path, persistedOutputSize: 1 } : "Output";
  return { type: "user", uuid, parentUuid, timestamp: "2026-11-01T10:00:00Z", message, toolUseResult };
}

/** Writes a session with these outputs. */
async function write(home: TestHome, outputs: Record<string, string | Uint8Array>): Promise<string> {
  const folder = join(home.sessions, "p", ID, "tool-results");
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(outputs)) await writeFile(join(folder, name), text);
  const names = Object.keys(outputs);
  const lines = names.map((name, at) => result(`r${at}`, at === 0 ? null : `r${at - 1}`, name, at % 2 === 0));
  return home.write(`p/${ID}.jsonl`, lines);
}

const foundIn = async (library: Library, query: string) =>
  (await searchAll(library, searchFor(query, { per_session: 10 }))).map(({ entry_id }) => entry_id).sort();

/** What all pages of a find have, by place. */
async function countsIn(library: Library, path: string, query: string) {
  const counts: [place: number, count: number][] = [];
  let pages = 0;
  let cursor: string | undefined;
  do {
    const page = await library.find({ path, query, role: "tool", limit: 10, cursor });
    counts.unshift(...page.entries.map(({ place, count }): [number, number] => [place, count]).reverse());
    cursor = page.next_cursor ?? undefined;
    pages++;
  } while (cursor !== undefined);
  return { counts, pages };
}

describe("an output in a file of its own", () => {
  it("is found where its result is, by words, phrases and parts of words", async () => {
    await using home = await TestHome.create();
    const outputs = { "a.txt": "The Ouzel\nsings at dawn", "b.txt": "an ouzel, ouzels", "c.txt": "nothing" };
    const path = await write(home, outputs);
    const library = await home.open({ watch: false });
    await untilIndexed(library);
    expect(await foundIn(library, "ouzel")).toEqual(["r0", "r1"]);
    expect(await foundIn(library, '"sings at dawn"')).toEqual(["r0"]);
    expect(await foundIn(library, '~"uzels"')).toEqual(["r1"]);
    const { hits } = await library.search(searchFor("dawn"));
    expect(hits).toMatchObject([{ kind: "tool_result", role: "tool", entry_id: "r0" }]);
    expect(hits[0]?.snippet).toContain("sings at dawn");
    expect(await foundIn(library, "beginning")).toEqual(["r0", "r1", "r2"]);
    expect(await countsIn(library, path, "ouzel")).toEqual({
      counts: [
        [0, 1],
        [1, 2],
      ],
      pages: 1,
    });
  });

  it("is read once, however many lines name it", async () => {
    await using home = await TestHome.create();
    const path = await write(home, { "a.txt": "The ouzel sings" });
    const lines = Array.from({ length: 50 }, (_, at) => result(`x${at}`, at === 0 ? "r0" : `x${at - 1}`, "a.txt"));
    await writeFile(
      path,
      `${await readFile(path, "utf8")}${lines.map((line) => `${JSON.stringify(line)}\n`).join("")}`,
    );
    const library = await home.open({ watch: false });
    await untilIndexed(library);
    expect(await foundIn(library, "ouzel")).toEqual(["r0"]);
  });

  it("that came after the index was read is found with its line", async () => {
    await using home = await TestHome.create();
    const path = await write(home, { "a.txt": "first ouzel" });
    const library = await home.open();
    await untilIndexed(library);
    await writeFile(join(home.sessions, "p", ID, "tool-results", "b.txt"), "second ouzel");
    await home.append(path, [result("r1", "r0", "b.txt")]);
    await until(async () => (await foundIn(library, "ouzel")).length === 2);
  });

  it("is searched up to a mebibyte, and as far as it is text", async () => {
    await using home = await TestHome.create();
    const long = `${"hay ".repeat(MEBIBYTE / 4 - 2)}ouzel `;
    const path = await write(home, { "a.txt": `${long}\nbeyond`, "b.png": Buffer.from("\x89PNG\0 ouzel") });
    const library = await home.open({ watch: false });
    await untilIndexed(library);
    expect(await foundIn(library, "ouzel")).toEqual(["r0"]);
    expect(await foundIn(library, "beyond")).toEqual([]);
    expect((await countsIn(library, path, "ouzel")).counts).toEqual([[0, 1]]);
  });

  it("does not make a page of find read more than others", async () => {
    await using home = await TestHome.create();
    const text = `${"hay ".repeat(MEBIBYTE / 4 - 3)}ouzel`;
    const outputs = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}.txt`, text]));
    const path = await write(home, outputs);
    const library = await home.open({ watch: false });
    const { counts, pages } = await countsIn(library, path, "ouzel");
    expect(counts).toEqual(Array.from({ length: 20 }, (_, place) => [place, 1]));
    expect(pages).toBeGreaterThan(1);
  });

  it("is not read from elsewhere, nor missed where it is gone", async () => {
    await using home = await TestHome.create();
    await write(home, { "a.txt": "an ouzel" });
    await writeFile(join(home.sessions, "p", "secret.txt"), "classified");
    const library = await home.open({ watch: false });
    await home.write("p/other.jsonl", [result("r0", null, "../../secret.txt"), result("r1", null, "gone.txt")]);
    await untilIndexed(library);
    expect(await foundIn(library, "classified")).toEqual([]);
    expect(await foundIn(library, "beginning")).toEqual(["r0", "r0", "r1"]);
    await rm(join(home.sessions, "p", ID), { recursive: true });
    expect(await foundIn(library, "ouzel")).toEqual([]);
  });

  it("is found in the vault when the session is gone, also by an index that is built then", async () => {
    await using home = await TestHome.create();
    const path = await write(home, { "a.txt": "an ouzel" });
    const keeping = { vault: DEFAULT_VAULT_SETTINGS };
    const library = await home.open(keeping);
    await untilIndexed(library);
    await until(async () => {
      const { pending, sessions } = await library.vault.status();
      return pending === 0 && sessions === 1;
    });
    await rm(path);
    await rm(join(home.sessions, "p", ID), { recursive: true });
    await until(async () => (await library.session(path).catch(() => null))?.source === "vault");
    await until(async () => (await foundIn(library, "ouzel")).length === 1);
    await home.close(library);
    expect(await readFile(join(home.data, "index.db"))).toBeDefined();
    for (const name of ["index.db", "index-text-0.db", "index-text-1.db"]) {
      await rm(join(home.data, name), { force: true });
    }
    const rebuilt = await home.open(keeping);
    await until(async () => (await foundIn(rebuilt, "ouzel")).length === 1);
  });
});
