import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { appendFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { piFormat } from "../../format/pi/pi.ts";
import { LineSplitter, parseLine } from "../../session/jsonl.ts";
import { SessionFold } from "../../session/session-fold.ts";
import { scanAll, TestHome, treeOf, untilIndexed } from "../library/library.fixture.ts";
import type { Library } from "../library/library.ts";
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

/** The fold of a file of which every line is parsed. */
function parsedFold(path: string): SessionFold {
  const fold = new SessionFold();
  const bytes = readFileSync(path);
  const add = (line: Uint8Array, offset: number, isLast: boolean) => {
    const text = Buffer.from(line).toString();
    const entry = parseLine(text);
    if (entry !== null) fold.add(entry, offset, line.length);
    else if (!isLast && text.trim() !== "") fold.addMalformed();
  };
  const splitter = new LineSplitter((line, offset) => add(line, offset, false));
  splitter.push(bytes);
  const rest = splitter.takeRest();
  add(rest.bytes, rest.offset, true);
  const forgotten = fold.forgottenText();
  if (forgotten !== null) {
    const { offset, length } = forgotten;
    fold.recall(parseLine(bytes.toString("utf8", offset, offset + length)) ?? {});
  }
  return fold;
}

/** What is kept of a fold, and its record. */
function kept(fold: SessionFold, path: string) {
  const { size, mtimeMs } = statSync(path);
  const { outline, state, activity } = fold;
  const record = fold.record({ path, size, modifiedAt: mtimeMs });
  const chunks = Array.from(outline.changedChunks(), (first) => outline.encodeChunk(first));
  return { record, state: { ...state }, chunks, activity: activity.changedChunks() };
}

/** Reads a file in this thread. */
function read(path: string) {
  const before = work.linesParsed;
  const { fold } = withSessionFile(path, (file) => file.read());
  return { linesParsed: work.linesParsed - before, ...kept(fold, path) };
}

/** What the record and the tree of a file are when every line is parsed. */
function exactly(path: string) {
  const fold = parsedFold(path);
  const { outline } = fold;
  const tree = Array.from({ length: outline.count }, (_, ordinal) => outline.id(ordinal));
  return { record: { ...kept(fold, path).record, indexed: true }, tree };
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

describe("a message", () => {
  const plain = result({ id: "b", parentId: "a" });

  it.each<[string, string]>([
    ["as the agent writes it", plain],
    ["with CRLF", plain.replace("\n", "\r\n")],
    ["of the first version", withoutIds(plain)],
    ["without a parent", result({ id: "b", parentId: null })],
    ["with details", result({ id: "b", parentId: "a", more: ',"details":{"diff":"+ x"}' })],
    ["with letters of all kinds", result({ id: "b", parentId: "a", text: "\\u00e9 é 漢字 \\n \u2028" })],
    ["that quotes another", result({ id: "b", parentId: "a", text: '{\\"type\\":\\"message\\",\\"id\\"' })],
    ["that is short", plain.replace(FILLER, "")],
    ["with its keys in another order", inOtherOrder(plain)],
    ["with a key twice", result({ id: "b", parentId: "a", more: ',"role":"user"' })],
    ["with an id for the second time", result({ id: "a", parentId: null })],
    ["of an assistant", answer({ id: "b", parentId: "a", text: "\\n" })],
    ["with a call that holds another", answer({ id: "b", parentId: "a", text: LIKE_A_CALL })],
    ["that is longer than what is read at once", result({ id: "b", parentId: "a", text: "long ".repeat(60_000) })],
  ])("is not parsed for the record: %s", async (_, line) => {
    const path = await home.write("p/x.jsonl", HEADER + said("a", null) + line);
    expect(read(path)).toEqual({ linesParsed: 2, ...kept(parsedFold(path), path) });
    await unlink(path);
  });

  it.each<[string, string, number?]>([
    ["has an id with other letters", result({ id: "é\\", parentId: "a" })],
    ["has no time", result({ id: "b", parentId: "a", time: "never" })],
    ["is torn, and the next glued to it", plain.slice(0, -9), 3],
    ["is glued to a torn one", result({ id: "b", parentId: "a" }).slice(0, 300) + result({ id: "c", parentId: "a" })],
    ["is followed by another on its line", plain.trimEnd() + result({ id: "c", parentId: "b" })],
    ["has a quote in its text", result({ id: "b", parentId: "a", text: 'a " quote' })],
    ["has zeros in it", result({ id: "b", parentId: "a", text: "\0\0\0" })],
    ["is longer than any agent's", result({ id: "b", parentId: "a", text: "long ".repeat(300_000) })],
    [
      "is longer, and the last without its end",
      result({ id: "b", parentId: "a", text: "x".repeat(2 ** 21) }).trimEnd(),
      3,
    ],
  ])("is parsed where it %s", async (_, line, linesParsed = 4) => {
    const path = await home.write("p/x.jsonl", HEADER + said("a", null) + line + said("c", "b"));
    expect(read(path)).toEqual({ linesParsed, ...kept(parsedFold(path), path) });
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

  it("what is kept of a session is what it is when all are parsed", async () => {
    const path = join(home.directory, "any.jsonl");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.array(line, { maxLength: 3 }), (first, added) => {
        writeFileSync(path, HEADER + first.join(""));
        const { fold, progress } = withSessionFile(path, (file) => file.read());
        expect(kept(fold, path)).toEqual(kept(parsedFold(path), path));
        appendFileSync(path, added.join(""));
        const grown = withSessionFile(path, (file) => file.read({ fold: () => fold, progress }));
        expect(kept(grown.fold, path)).toEqual(kept(parsedFold(path), path));
      }),
      { numRuns: 300 },
    );
  });

  it("the library tells what it is when all are parsed", async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 6 }), fc.array(line, { maxLength: 3 }), async (first, added) => {
        const path = await home.write(`p/${++number}.jsonl`, HEADER + first.join(""));
        for (const lines of [[], added]) {
          await appendFile(path, lines.join(""));
          await untilIndexed(library);
          const { record, tree } = exactly(path);
          expect(await recordOf(path)).toEqual(record);
          expect((await treeOf(library, path)).map(({ id }) => id)).toEqual(tree);
        }
        await unlink(path);
      }),
      { numRuns: 30, interruptAfterTimeLimit: 10_000, markInterruptAsFailure: false },
    );
  });
});
