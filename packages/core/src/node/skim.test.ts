import { statSync, writeFileSync } from "node:fs";
import { appendFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { piFormat } from "../format/pi.ts";
import { scanAll, searchFor, TestHome, treeOf, untilIndexed } from "./library.fixture.ts";
import type { Library } from "./library.ts";
import { SessionReader } from "./reader.ts";
import { withSessionFile } from "./session-file.ts";
import { work } from "./work.ts";

const HEADER = '{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/home/dev"}\n';
const FILLER = "lorem ipsum ".repeat(60);

interface ResultLine {
  id: string;
  parentId: string | null;
  text?: string;
  /** JSON between the content and the end. */
  more?: string;
  time?: string;
}

/** A long result of a tool, letter by letter as the agent writes it. */
function result({ id, parentId, text = "", more = "", time = "2026-03-01T10:00:01.000Z" }: ResultLine): string {
  const place = `"id":${JSON.stringify(id)},"parentId":${JSON.stringify(parentId)},"timestamp":"${time}"`;
  const content = `"content":[{"type":"text","text":"${FILLER}${text}"}]${more}`;
  const message = `{"role":"toolResult","toolCallId":"c","toolName":"read",${content},"isError":false,"timestamp":5}`;
  return `{"type":"message",${place},"message":${message}}\n`;
}

/** A long answer, letter by letter as the agent writes it. */
function answer({ id, parentId, text = "", more = "", time = "2026-03-01T10:00:01.000Z" }: ResultLine): string {
  const place = `"id":${JSON.stringify(id)},"parentId":${JSON.stringify(parentId)},"timestamp":"${time}"`;
  const call = `{"type":"toolCall","id":"c","name":"write","arguments":{"text":"${FILLER}${text}"}}`;
  const cost = '"cost":{"input":1,"output":2,"cacheRead":0,"cacheWrite":0,"total":3}';
  const usage = `"usage":{"input":5,"output":6,"cacheRead":0,"cacheWrite":0,"totalTokens":11,${cost}}`;
  const content = `"content":[{"type":"text","text":"I write ${text}"},${call}],"api":"a","provider":"p","model":"m"`;
  const message = `{"role":"assistant",${content},${usage},"stopReason":"toolUse"${more},"timestamp":5}`;
  return `{"type":"message",${place},"message":${message}}\n`;
}

/** In the arguments of a call, something that looks like another call. */
const LIKE_A_CALL = '","list":[{"a":1},{"type":"toolCall","id":"c","name":"read","arguments":{}}],"x":"';

const said = (id: string, parentId: string | null) =>
  `{"type":"message","id":"${id}","parentId":${JSON.stringify(parentId)},"message":{"role":"user","content":"${id}"}}\n`;

function inOtherOrder(line: string): string {
  return line.replace('"type":"message",', "").replace(/\}(\r?\n)?$/, ',"type":"message"}$1');
}

/** As the first version of the format has it. */
function withoutIds(line: string): string {
  return line.replace(/"id":.*?"timestamp"/, '"timestamp"');
}

/** With a second message and id: the last of two keys counts. */
function renamed(line: string): string {
  return line.replace('"message":{', '"message":{"role":"toolResult","x":0},"id":"z","message":{');
}

/** Record and tree as they are when every line is parsed. */
function exactly(path: string) {
  const { size, mtimeMs } = statSync(path);
  const { fold } = withSessionFile(path, (file) => file.read(undefined, true));
  const record = { ...fold.record({ path, size, modifiedAt: mtimeMs }), indexed: true };
  return { record, tree: [...new SessionReader(null).tree(path)].flat() };
}

/** Reads a file in this thread. */
function read(path: string, exact: boolean) {
  const before = work.linesParsed;
  const { fold } = withSessionFile(path, (file) => file.read(undefined, exact));
  const { outline, state } = fold;
  return { linesParsed: work.linesParsed - before, state: { ...state, exact: true }, chunk: outline.encodeChunk(0) };
}

let home: TestHome;
let library: Library;
beforeAll(async () => {
  home = await TestHome.create();
  library = await home.open();
});
afterAll(() => home[Symbol.asyncDispose]());

/** What the library lists. */
async function recordOf(path: string) {
  return (await scanAll(library)).find((record) => record.path === path);
}

describe("a long result of a tool", () => {
  const plain = result({ id: "b", parentId: "a" });

  it.each<[string, string]>([
    ["as the agent writes it", plain],
    ["with CRLF", plain.replace("\n", "\r\n")],
    ["of the first version", withoutIds(plain)],
    ["without a parent", result({ id: "b", parentId: null })],
    ["with details", result({ id: "b", parentId: "a", more: ',"details":{"diff":"+ x"}' })],
    ["with letters of all kinds", result({ id: "b", parentId: "a", text: "\\u00e9 é 漢字 \\n \u2028" })],
    ["that quotes another", result({ id: "b", parentId: "a", text: '{\\"type\\":\\"message\\",\\"id\\"' })],
  ])("is not parsed for the record %s", async (_, line) => {
    const path = await home.write("p/x.jsonl", HEADER + said("a", null) + line);
    const skimmed = read(path, false);
    const parsed = read(path, true);
    expect(skimmed).toEqual({ ...parsed, linesParsed: 2 });
    expect(parsed).toMatchObject({ linesParsed: 3, state: { message_count: 2, malformed_lines: 0 } });
    await unlink(path);
  });

  it.each<[string, string]>([
    ["is short", plain.replace(FILLER, "")],
    ["has its keys in another order", inOtherOrder(plain)],
    ["has an id with other letters", result({ id: "é\\", parentId: "a" })],
    ["has no time", result({ id: "b", parentId: "a", time: "never" })],
    ["has an id for the second time", result({ id: "a", parentId: null })],
    ["is torn", plain.slice(0, -9)],
    ["is glued to a torn one", result({ id: "b", parentId: "a" }).slice(0, 300) + result({ id: "c", parentId: "a" })],
    ["is followed by another on its line", plain.trimEnd() + result({ id: "c", parentId: "b" })],
  ])("is parsed where it %s", async (_, line) => {
    const path = await home.write("p/x.jsonl", HEADER + said("a", null) + line);
    expect(read(path, false)).toEqual(read(path, true));
    await unlink(path);
  });

  const misread: [string, string, number][] = [
    ["is broken", result({ id: "b", parentId: "a", text: 'a " quote' }), 1],
    ["has zeros in it", result({ id: "b", parentId: "a", text: "\0\0\0" }), 1],
    ["names another role", result({ id: "b", parentId: "a", more: ',"role":"user"' }), 0],
    ["names another id", renamed(plain), 0],
    ["is a broken answer", answer({ id: "b", parentId: "a", text: 'a " quote' }), 1],
    ["says something else further on", answer({ id: "b", parentId: "a", more: ',"content":[]' }), 0],
    ["calls what is no tool", answer({ id: "b", parentId: "a" }).replace('"}}],"api"', `${LIKE_A_CALL}"}}],"api"`), 0],
  ];

  it.each(misread)("is read again where it %s", async (_, line, malformed) => {
    const path = await home.write("p/x.jsonl", HEADER + said("a", null) + line + said("capercaillie", "b"));
    // Nobody may have noticed yet.
    expect(await treeOf(library, path)).toHaveLength(exactly(path).tree.length);
    await untilIndexed(library);
    expect(await recordOf(path)).toEqual(exactly(path).record);
    expect(await recordOf(path)).toMatchObject({ malformed_lines: malformed });
    expect((await library.search(searchFor("capercaillie"))).hits).toHaveLength(1);
    // It stays exact when the session goes on.
    await appendFile(path, line.replaceAll('"b"', '"d"') + said("ptarmigan", "d"));
    await untilIndexed(library);
    expect(await recordOf(path)).toEqual(exactly(path).record);
    expect(await treeOf(library, path)).toEqual(exactly(path).tree);
    await unlink(path);
  });
});

describe("the preview of a long result", () => {
  const LIMIT = 20;

  /** As it is skimmed from a file, and as it is parsed. */
  function previews(line: string) {
    // Not where the library looks for sessions: it would read each of them too.
    const path = join(home.directory, "preview");
    writeFileSync(path, line);
    const length = Buffer.byteLength(line) - 1;
    return withSessionFile(path, (file) => ({
      skimmed: piFormat.skimPreview?.(file.rawLine(0, length), LIMIT),
      parsed: piFormat.preview(file.line(0, length, length) ?? {}, LIMIT),
    }));
  }

  const resultOf = (text: string) =>
    result({ id: "b", parentId: "a" }).replace(FILLER, JSON.stringify(text).slice(1, -1));

  it.each<[string, string]>([
    ["plain", FILLER],
    ["of several lines", `\n\n  a\t\tb\r\n${FILLER}`],
    ["with quotes and backslashes", `"\\n" ${FILLER}`],
    ["with letters of several bytes", `é漢字🦉${"漢字".repeat(300)}`],
  ])("is told without parsing: %s", (_, text) => {
    const { skimmed, parsed } = previews(resultOf(text));
    expect(skimmed).toBe(parsed);
  });

  it.each<[string, string]>([
    [
      "of a short text before others",
      result({ id: "b", parentId: "a" }).replace(FILLER, "short").replace("]", `],"x":"${FILLER}"`),
    ],
    ["that begins with nothing but space", resultOf(`${" ".repeat(500)}${FILLER}`)],
    [
      "that begins with an image",
      result({ id: "b", parentId: "a" }).replace('[{"type":"text"', '[{"type":"image"},{"type":"text"'),
    ],
  ])("is parsed: %s", (_, line) => {
    expect(previews(line).skimmed).toBeNull();
  });

  it("is never another, whatever the text is", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary" }),
      fc.constantFrom(" ", "\n", "\t ", "\u2028", '"', "\\", "\0", "\ud83e", "漢"),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const { skimmed, parsed } = previews(resultOf(pieces.join("") + FILLER));
        expect(skimmed ?? parsed).toBe(parsed);
      }),
      { numRuns: 300 },
    );
  });
});

describe("whatever the lines are", () => {
  const id = fc.constantFrom("a", "b", "c", "d", "e", "@0", "é", "");
  const parentId = fc.oneof(id, fc.constant(null));
  const text = fc.constantFrom(
    "",
    "\\n\\u00e9 漢字",
    '"',
    "\0",
    "\\x",
    '{\\"type\\":\\"message\\"',
    '{"type":"message",',
  );
  const more = fc.constantFrom(
    "",
    ',"details":{"a":[1]}',
    ',"role":"user"',
    ',"role":"assistant","content":[]',
    ',"a":',
  );
  const time = fc.constantFrom("2026-03-01T10:00:02.000Z", "2026-03-01", "never");
  const change = fc.constantFrom<(line: string) => string>(
    (line) => line,
    (line) => line.replace("\n", "\r\n"),
    (line) => line.trimEnd(),
    (line) => line.slice(0, 300),
    (line) => `${line.slice(0, -40)}\n`,
    inOtherOrder,
    withoutIds,
    renamed,
  );
  const results = fc
    .record({ fields: fc.record({ id, parentId, text, more, time }), write: fc.constantFrom(result, answer), change })
    .map(({ fields, write, change }) => change(write(fields)));
  const line = fc.oneof(
    results,
    results,
    fc.tuple(id, parentId).map(([own, parent]) => said(own, parent)),
  );

  it("the record and the tree become what they are when all are parsed", async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 6 }), fc.array(line, { maxLength: 3 }), async (first, added) => {
        const path = await home.write(`p/${++number}.jsonl`, HEADER + first.join(""));
        for (const lines of [[], added]) {
          await appendFile(path, lines.join(""));
          await untilIndexed(library);
          const { record, tree } = exactly(path);
          expect(await recordOf(path)).toEqual(record);
          expect(await treeOf(library, path)).toEqual(tree);
        }
        await unlink(path);
      }),
      { numRuns: 100, interruptAfterTimeLimit: 10_000, markInterruptAsFailure: false },
    );
  });
});
