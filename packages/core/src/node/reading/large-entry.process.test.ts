import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { expect, it } from "vitest";
import type { SessionPage } from "../../library.ts";
import { SessionText, TestHome } from "../library/library.fixture.ts";
import { LibraryChildren } from "../library/library-child.fixture.ts";
import { SessionReader } from "./reader.ts";

// An entry is as large as a hostile session likes. Threads have little memory here: whoever parses the whole of one ends.

const HEAP_MEBIBYTES = 96;
const WORDS = "words that fill a text, ";
const TEXT_BYTES = 80 * 1024 * 1024;

/** Writes a session with a text of any size between two that are short. */
async function writeLarge(home: TestHome): Promise<{ path: string; large: string }> {
  const session = new SessionText().user("before it").user("LARGE");
  const large = session.leaf;
  session.user("behind it");
  const path = await home.write("p/large.jsonl", []);
  const file = createWriteStream(path);
  const [before = "", behind = ""] = session.lines
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("")
    .split("LARGE");
  file.write(`${before}the beginning of it, `);
  const piece = WORDS.repeat(50_000);
  for (let bytes = 0; bytes < TEXT_BYTES; bytes += piece.length) {
    if (!file.write(piece)) await once(file, "drain");
  }
  file.end(`the needle${behind}`);
  await finished(file);
  return { path, large };
}

it("an entry of 80 MB is cut, whatever is made of its session, and is never in memory whole", {
  timeout: 120_000,
}, async () => {
  await using home = await TestHome.create();
  await using children = await LibraryChildren.create();
  const { path, large } = await writeLarge(home);
  const formats = ["html", "markdown", "json"] as const;
  const [opened, scanned, tree, found, preview, ...exported] = await children.run(
    home.options,
    [
      ["scan"],
      ["readTree", path],
      ["find", { path, leaf_id: large, query: "the  needle", role: "all", limit: 10 }],
      ["previewRedactions", { path }],
      ...formats.map((format): [string, object] => ["export", { path, format }]),
    ],
    { within: ["env", `NODE_OPTIONS=--max-old-space-size=${HEAP_MEBIBYTES}`] },
  );
  expect([opened?.error, scanned?.error]).toEqual([undefined, undefined]);
  expect(tree?.value).toMatchObject([{}, { preview: expect.stringMatching(/^the beginning of it, words/) }, {}]);
  expect(found?.value).toMatchObject({ entries: [{ place: 1, count: 1 }] });
  expect(preview?.error).toBeUndefined();
  expect(exported).toHaveLength(formats.length);
  for (const { value, error } of exported) {
    expect(error).toBeUndefined();
    const { content } = value as { content: string };
    for (const text of ["before it", "the beginning of it", "behind it"]) expect(content).toContain(text);
    // What is left ends with a whole word, and says that there is more.
    expect(content).toMatch(/(?:words|that|fill|a|text,) … \\?\[The rest of this text is omitted: the entry has 84,0/);
    expect(content).not.toContain("needle");
    expect(content.length).toBeLessThan(1024 * 1024);
  }
});

it("an entry that no thread has memory for is left out and told, and the service goes on", {
  timeout: 120_000,
}, async () => {
  await using home = await TestHome.create();
  await using children = await LibraryChildren.create();
  const small = await home.write("p/small.jsonl", new SessionText().user("short").lines);
  const session = new SessionText().user("before it");
  // A value of many small parts takes more than ten times its text when it is parsed.
  session.message({ role: "user", content: Array.from({ length: 3_000_000 }, () => []) });
  const path = await home.write("p/large.jsonl", session.user("behind it").lines);
  const entries = (of: string): [string, object] => ["readEntries", { path: of, limit: 10 }];
  const [, scanned, listed, large, next] = await children.run(
    home.options,
    [["scan"], ["list", {}], entries(path), entries(small)],
    { within: ["env", "NODE_OPTIONS=--max-old-space-size=48"] },
  );
  expect(scanned?.error).toBeUndefined();
  const record = (listed?.value as SessionPage | undefined)?.sessions.find((one) => one.path === path);
  expect(record).toMatchObject({ malformed_lines: 1, message_count: 2 });
  // What follows it is a branch of its own, as behind every line that cannot be read.
  expect(large).toMatchObject({ value: { entries: [{ message: { content: [{ text: "behind it" }] } }] } });
  expect(next).toMatchObject({ value: { entries: [{}] } });
});

it("an entry of which nothing can be left out is named in exports, and the others are there", async () => {
  await using home = await TestHome.create();
  const session = new SessionText().user("before it");
  session.message({ role: "user", content: Array.from({ length: 4_000_000 }, () => []) }).user("behind it");
  const path = await home.write("p/a.jsonl", session.lines);
  const { pieces } = new SessionReader().export({
    path,
    format: "json",
    include_thinking: true,
    include_tools: true,
    redact: false,
    theme: "system",
  });
  let text = "";
  for await (const piece of pieces) if (piece instanceof Uint8Array) text += new TextDecoder().decode(piece);
  expect(text.length).toBeLessThan(10_000);
  for (const said of ["before it", "behind it", '"truncated"']) expect(text).toContain(said);
});
