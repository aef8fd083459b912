import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OUTLINE_CHUNK } from "../../session/outline.ts";
import { Catalog } from "../catalog/catalog.ts";
import { openCatalog, prepareIndex } from "../catalog/index-databases.ts";
import { scanFiles } from "../indexing/scanner.ts";
import { jsonl, SessionText, TestHome } from "../library/library.fixture.ts";
import { stampOf } from "../session-file/file-stamp.ts";
import { work } from "../session-file/work.ts";
import { foldsIn } from "./known-fold.ts";
import { SessionReader } from "./reader.ts";

let home: TestHome;
let catalog: Catalog;
beforeEach(async () => {
  home = await TestHome.create();
  catalog = new Catalog(openCatalog(prepareIndex(join(home.directory, "index"), 1).place));
});
afterEach(async () => {
  catalog.close();
  await home[Symbol.asyncDispose]();
});

/** Reads the record; nobody looks at the text. */
const scan = (path: string) => scanFiles([{ path, stamp: stampOf(statSync(path)), shard: 0 }], catalog);
const treeOf = (reader: SessionReader, path: string) => [...reader.tree(path)].flat();
/** As it is when every line is parsed. */
const exactly = new SessionReader();

/** More entries than one chunk of an outline or one batch of a tree holds, the first of which is an orphan. */
function long(): { session: SessionText; orphan: string; missing: string } {
  const missing = "a parent that comes last";
  const session = new SessionText().from(missing).user("orphan");
  const orphan = session.leaf;
  for (let n = 0; n < OUTLINE_CHUNK; n++) session.user(`question ${n}`).assistant(`answer ${n}`);
  return { session, orphan, missing };
}

describe("a session of many entries", () => {
  it("keeps the parent that an entry of its first chunk finds at last", async () => {
    const { session, orphan, missing } = long();
    const path = await home.write("p/a.jsonl", session.lines);
    scan(path);
    const reader = new SessionReader(foldsIn(catalog));
    expect(treeOf(reader, path)[0]).toMatchObject({ id: orphan, parent_id: null });
    await home.append(path, [{ type: "custom", id: missing, parentId: null, timestamp: new Date().toISOString() }]);
    scan(path);
    expect(treeOf(reader, path)[0]).toMatchObject({ id: orphan, parent_id: missing });
    expect(treeOf(reader, path)).toEqual(treeOf(exactly, path));
  });

  it("is handed over in batches, and goes on behind a line that was skimmed and is none", async () => {
    const { session } = long();
    const result = JSON.stringify({
      type: "message",
      id: "skimmed",
      parentId: session.leaf,
      timestamp: new Date().toISOString(),
      message: {
        role: "toolResult",
        content: [{ type: "text", text: "word ".repeat(200) }],
        isError: false,
        timestamp: 1,
      },
    });
    const torn = result.replace("word word", 'word " word');
    const path = await home.write("p/a.jsonl", `${jsonl(session.lines)}${torn}\n`);
    await home.append(path, session.user("after it").lines.slice(-1));
    scan(path);
    const reader = new SessionReader(foldsIn(catalog));
    const page = JSON.parse(new TextDecoder().decode(reader.entries({ path, limit: 1 })));
    expect(page.total).toBe(session.entries.length);
    const batches = [...reader.tree(path)];
    expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(512);
    expect(batches.flat()).toHaveLength(session.entries.length);
    expect(batches.flat()).toEqual(treeOf(exactly, path));
  });

  it("is not read where its results are long", async () => {
    const session = new SessionText().toolResult("short");
    for (const word of ["word ", 'é"\n ']) session.toolResult(word.repeat(100_000));
    const path = await home.write("p/a.jsonl", session.lines);
    scan(path);
    const before = work.bytesRead;
    const tree = treeOf(new SessionReader(foldsIn(catalog)), path);
    expect(work.bytesRead - before).toBeLessThan(200_000);
    expect(tree.map(({ preview }) => preview?.length)).toEqual([5, 120, 120]);
    expect(tree).toEqual(treeOf(exactly, path));
  });

  it("is forked as it is, whatever lies between its lines", async () => {
    const session = new SessionText();
    for (let n = 0; n < 40; n++) session.user(`question ${n} ${"word ".repeat(12_000)}`);
    const [header, ...lines] = session.lines.map((line) => jsonl([line]));
    const withRubbish = lines.map((line, place) => (place % 10 === 0 ? `\nno JSON\n${line}` : line));
    const path = await home.write("p/a.jsonl", [header, ...withRubbish].join(""));
    expect(statSync(path).size).toBeGreaterThan(2 * 1024 * 1024);
    scan(path);
    const [, ...copied] = readFileSync(new SessionReader(foldsIn(catalog)).fork(path, null), "utf8").split("\n");
    expect(copied.join("\n")).toBe(lines.join(""));
  });
});
