import { statSync } from "node:fs";
import { join } from "node:path";
import type { FastFields } from "@sm/text-index";
import { containsFolded } from "@sm/text-index/analysis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseQuery } from "../../search/query.ts";
import { makeSnippet, snippetTerms } from "../../search/snippet.ts";
import { Catalog } from "../catalog/catalog.ts";
import { openCatalog, prepareIndex } from "../catalog/index-databases.ts";
import { scanFiles } from "../indexing/scanner.ts";
import { SessionText, TestHome } from "../library/library.fixture.ts";
import { stampOf } from "../session-file/file-stamp.ts";
import { LONG_LINE_BYTES } from "../session-file/long-line.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import { partCode } from "./part-codes.ts";
import { SqliteTextCatalog, Texts } from "./texts.ts";

let home: TestHome;
let database: SqliteDatabase;
let texts: Texts;
beforeAll(async () => {
  home = await TestHome.create();
  database = openCatalog(prepareIndex(join(home.directory, "index"), 1).place);
  texts = new Texts(new SqliteTextCatalog(database));
});
afterAll(async () => {
  texts.close();
  database.close();
  await home[Symbol.asyncDispose]();
});

type Kind = Parameters<typeof partCode>;

/** Reads the first part of the only entry of a session. */
async function read(name: string, session: SessionText, kind: Kind) {
  const path = await home.write(name, session.lines);
  const catalog = new Catalog(database);
  scanFiles([{ path, stamp: stampOf(statSync(path)), shard: 0 }], catalog);
  const key = catalog.find(path)?.key ?? -1;
  // Nobody looks at the other columns.
  const columns: Record<"keys" | "ordinals" | "parts" | "codes", number[]> = {
    keys: [key],
    ordinals: [0],
    parts: [0],
    codes: [partCode(...kind)],
  };
  return () => texts.read(columns as unknown as FastFields, 0);
}

/** What makes a line a long one; nobody searches it. */
const details = { output: "x".repeat(LONG_LINE_BYTES) };
/** Long enough to be read in pieces. */
const LINES = 'getUserName("ü") \\ 中文字 😀\ttook 12 ms\n'.repeat(2500);
const ONE_LINE = "😀中文字".repeat(8000);

describe("a text of a long line", () => {
  it.each([
    ["at the beginning", `\n needle and haystack${LINES}`],
    ["at the end", `${LINES}needle \n and haystack \n`],
    ["in the middle", `${LINES}needle and haystack${LINES}`],
    ["without lines", `${ONE_LINE}needle and haystack${ONE_LINE}`],
    // Strings are read 64 KB at a time.
    ...Array.from({ length: 8 }, (_, place): [string, string] => [
      `where a piece ends, ${3 * place} characters further on`,
      `${"x ".repeat(32 * 1024 - 12)}${"y".repeat(3 * place)} needle and haystack ${LINES}`,
    ]),
  ])("is read in pieces, which show what the whole would: %s", async (name, text) => {
    const content = [{ type: "text", text }];
    const session = new SessionText().message({ role: "toolResult", toolName: "bash", content, details });
    const next = await read(`${name}.jsonl`, session, ["tool_result", "tool"]);
    expect(next()?.text).not.toBeTypeOf("string");
    for (const query of ["needle", '~"edle and hay" haystack', '"字 took"', "字*", "absent"]) {
      const terms = snippetTerms(parseQuery(query), () => []);
      expect(makeSnippet(next()?.text ?? "", terms, { length: 200 })).toEqual(
        makeSnippet(text, terms, { length: 200 }),
      );
    }
    for (const pattern of ["edle AND hay", "stack\n", "字needle", "文字 😀 took", "needle haystack"]) {
      expect(containsFolded(next()?.text ?? "", pattern)).toBe(containsFolded(text, pattern));
    }
  });

  it("has what its format leaves of it", async () => {
    const output = ` \n${LINES}needle \n`;
    const session = new SessionText().message({ role: "bashExecution", command: "", output, details });
    const next = await read("trimmed.jsonl", session, ["bash", "tool"]);
    expect([...(next()?.text ?? "")].join("")).toBe(output.trim());
    expect(containsFolded(next()?.text ?? "", "needle ")).toBe(false);
  });

  it("is parsed with the line where a name is long", async () => {
    const session = new SessionText().toolResult("needle", "a tool ".repeat(LONG_LINE_BYTES / 7));
    const next = await read("named.jsonl", session, ["tool_result", "tool"]);
    expect(next()).toMatchObject({ text: "needle", part: { toolName: expect.stringMatching(/^a tool a tool/) } });
  });
});
