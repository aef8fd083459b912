import { readdirSync, readlinkSync, statSync } from "node:fs";
import { readFile, truncate } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportHtml } from "../../export/html.ts";
import { exportJson } from "../../export/json-export.ts";
import { exportMarkdown } from "../../export/markdown.ts";
import { joined } from "../../export/transcript.fixture.ts";
import { openTranscript } from "../../session/open-transcript.ts";
import { codeOf, EXPORT, jsonl, SessionText, TestHome, until, untilIndexed } from "../library/library.fixture.ts";
import type { Library } from "../library/library.ts";
import { work } from "../session-file/work.ts";
import { cacheShare } from "../threads/cache-budget.ts";
import { Thread } from "../threads/thread.ts";
import { SessionReader } from "./reader.ts";
import type { ReadingTasks } from "./reading-tasks.ts";

const FORMATS = ["html", "markdown", "json"] as const;
const ALL = { include_thinking: true, include_tools: true };

let home: TestHome;
let library: Library;
beforeAll(async () => {
  home = await TestHome.create();
  library = await home.open();
});
afterAll(() => home[Symbol.asyncDispose]());

let lastFile = 0;
const write = (content: string | Uint8Array | object[]) => home.write(`p/${++lastFile}.jsonl`, content);

/** A question with an old and a new answer, and a name. */
function forked() {
  const session = new SessionText().user("question");
  const question = session.leaf;
  const old = session.assistant("old answer").leaf;
  session.from(question).assistant("new answer").entry({ type: "session_info", name: "A fine / name" });
  return { session, old };
}

/** A session that is longer than what is handed over at once. */
function long(words = 20_000): SessionText {
  const session = new SessionText();
  for (let at = 0; at < 40; at++) session.user("word ".repeat(words));
  return session;
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** Whether this process, threads included, has a file open. */
function isOpen(path: string): boolean {
  return readdirSync("/proc/self/fd").some((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`) === path;
    } catch {
      return false;
    }
  });
}

describe("export", () => {
  it("gives the newest branch in Markdown, another where it is named, and the whole tree in JSON", async () => {
    const { session, old } = forked();
    const path = await write(session.lines);
    const markdown = await library.export({ ...EXPORT, path, format: "markdown" });
    expect(markdown).toMatchObject({
      format: "markdown",
      media_type: "text/markdown; charset=utf-8",
      redactions: null,
    });
    expect(markdown.file_name).toBe("A-fine-name.md");
    expect(markdown.content).toMatch(/^# Session: A fine \/ name\n/);
    expect(markdown.content).toContain("new answer");
    expect(markdown.content).not.toContain("old answer");
    const other = await library.export({ ...EXPORT, path, format: "markdown", leaf_id: old });
    expect(other.content).toContain("old answer");
    expect(other.content).not.toContain("new answer");
    const contentsOf = async (leaf_id?: string) => {
      const { content } = await library.export({ ...EXPORT, path, format: "json", leaf_id });
      const { messages } = JSON.parse(content) as { messages: { content: string }[] };
      return messages.map((message) => message.content).filter((content) => content !== "");
    };
    expect(await contentsOf()).toEqual(["question", "old answer", "new answer"]);
    expect(await contentsOf(old)).toEqual(["question", "old answer"]);
    for (const format of FORMATS) {
      expect(await codeOf(library.export({ ...EXPORT, path, format, leaf_id: "missing" }))).toBe("NOT_FOUND");
    }
  });

  it.each(FORMATS)("replaces words of the user's own in %s and in the name of its file", async (format) => {
    const { session } = forked();
    const path = await write(session.user("A Fine name, and question").lines);
    const words = { ...EXPORT, path, redact_words: ["a fine", "QUESTION"] };
    const { content, file_name, redactions } = await library.export({ ...words, format });
    expect(content).not.toMatch(/a fine\b|question/i);
    expect(content).toContain("[redacted:word-1");
    expect(file_name).toMatch(/^\[redacted-word-1\]-name\./);
    // As if it had been asked to replace secrets, too.
    expect(redactions?.map(({ type }) => type)).toEqual(["word", "user"]);
    const { findings } = await library.previewRedactions({ path, redact_words: words.redact_words });
    expect(findings.map(({ type }) => type)).toEqual(["word", "user"]);
    const file = library.exportStream({ ...words, format: "jsonl" });
    await expect(file).rejects.toMatchObject({ code: "INVALID_PAYLOAD", details: [{ path: "redact_words" }] });
  });

  it.each<[what: string, words: unknown, path: string]>([
    ["too short", ["x"], "redact_words.0"],
    ["too long", ["ok", "x".repeat(101)], "redact_words.1"],
    ["no words", ["--"], "redact_words.0"],
    ["too many", Array.from({ length: 51 }, (_, n) => `w${n}`), "redact_words"],
    ["too much together", Array.from({ length: 11 }, () => "x".repeat(100)), "redact_words"],
    ["no list", "alice", "redact_words"],
  ])("refuses words that are %s", async (_what, words, place) => {
    const path = await write(forked().session.lines);
    const exporting = library.export({ ...EXPORT, path, format: "html", redact_words: words as string[] });
    await expect(exporting).rejects.toMatchObject({ code: "INVALID_PAYLOAD", details: [{ path: place }] });
  });

  it("gives the whole tree in HTML, the newest branch first, and one branch where it is named", async () => {
    const { session, old } = forked();
    const path = await write(session.lines);
    const page = await library.export({ ...EXPORT, path, format: "html", theme: "dark" });
    expect(page).toMatchObject({ format: "html", media_type: "text/html; charset=utf-8", redactions: null });
    expect(page.file_name).toBe("A-fine-name.html");
    expect(page.content).toMatch(/question.*new answer.*old answer/s);
    expect(page.content).toContain('data-theme="dark"');
    const other = await library.export({ ...EXPORT, path, format: "html", leaf_id: old });
    expect(other.content).toMatch(/question.*old answer/s);
    expect(other.content).not.toContain("new answer");
  });

  it.each(FORMATS)("gives in %s what a script makes of the same bytes", async (format) => {
    const { session } = forked();
    session.toolResult("result ".repeat(100)).label(session.leaf, "a label").user("漢字 é 🙂");
    const path = await write(session.lines);
    const bytes = new Uint8Array(await readFile(path));
    const made = {
      html: async () => exportHtml(await openTranscript(bytes), ALL),
      markdown: async () => exportMarkdown(await openTranscript(bytes, { order: "branch" }), ALL),
      json: async () => exportJson(await openTranscript(bytes, { order: "file" }), ALL),
    };
    expect((await library.export({ ...EXPORT, path, format })).content).toBe(await joined(await made[format]()));
  });

  it.each(FORMATS)("streams the same bytes of %s in pieces, several sessions at once", async (format) => {
    const paths: string[] = [];
    for (let n = 0; n < 3; n++) {
      const session = new SessionText();
      for (let at = 0; at < 40; at++) session.user(`${n} 漢字 é 🙂 ${"word ".repeat(3000)}`);
      paths.push(await write(session.lines));
    }
    const streams = await Promise.all(paths.map((path) => library.exportStream({ ...EXPORT, path, format })));
    const streamed = await Promise.all(streams.map((stream) => bytesOf(stream.chunks)));
    for (const [place, path] of paths.entries()) {
      const whole = await library.export({ ...EXPORT, path, format });
      expect(streamed[place]?.toString()).toBe(whole.content);
      expect(streams[place]).toMatchObject({ file_name: whole.file_name, media_type: whole.media_type });
    }
  });

  it("gives the file itself, byte by byte", async () => {
    const bytes = Buffer.concat([Buffer.from("\ufeff"), Buffer.from(jsonl(long(1).lines)), Buffer.from([0xff, 0])]);
    const path = await write(bytes);
    const stream = await library.exportStream({ ...EXPORT, path, format: "jsonl" });
    expect((await bytesOf(stream.chunks)).equals(bytes)).toBe(true);
    expect(path.endsWith(stream.file_name)).toBe(true);
    expect(await library.readText(path)).toBe(await readFile(path, "utf8"));
    expect((await library.readText(path)).startsWith("\ufeff{")).toBe(true);
  });

  it.each([
    [10, 100],
    [0, 70_000],
    [65_530, 20],
    [69_990, undefined],
    [70_000, 5],
    [2 ** 40, 1],
  ])("gives bytes of the file from %d on, %s of them", async (offset, length) => {
    const bytes = Buffer.from(jsonl(new SessionText().user("é".repeat(34_800)).lines)).subarray(0, 70_000);
    const path = await write(bytes);
    const { chunks } = await library.exportStream({ ...EXPORT, path, format: "jsonl", offset, length });
    const expected = bytes.subarray(offset, length === undefined ? bytes.length : offset + length);
    expect((await bytesOf(chunks)).equals(expected)).toBe(true);
  });

  it("gives no bytes of what is made of it", async () => {
    const path = await write(forked().session.lines);
    const failure = await library.exportStream({ ...EXPORT, path, format: "json", length: 5 }).catch((error) => error);
    expect(failure).toMatchObject({ code: "INVALID_PAYLOAD", details: [{ path: "length" }] });
  });

  it("holds no text that is too large, and names the download", async () => {
    const session = new SessionText();
    for (let n = 0; n < 33; n++) session.user("x".repeat(1024 * 1024));
    const path = await write(session.lines);
    const failure = await library.export({ ...EXPORT, path, format: "json" }).catch((error) => error);
    expect(failure).toMatchObject({ code: "PAYLOAD_TOO_LARGE", message: expect.stringContaining("GET /api/export") });
    await truncate(path, 257 * 1024 * 1024);
    expect(await library.readText(path).catch((error) => error)).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      message: expect.stringContaining("GET /api/export?format=jsonl"),
    });
    // The library itself may be looking at what has changed.
    await until(() => !isOpen(path));
  });

  it("does not pretend that the file itself could be redacted", async () => {
    const path = await write(forked().session.lines);
    const failure = await library
      .exportStream({ ...EXPORT, path, format: "jsonl", redact: true })
      .catch((error) => error);
    expect(failure).toMatchObject({ code: "INVALID_PAYLOAD", details: [{ path: "redact" }] });
  });
});

describe("an export with redaction", () => {
  const ADDRESS = "ada.lovelace@analytical-engine.org";
  const session = new SessionText().user(`Write to ${ADDRESS}`).assistant(`${ADDRESS} it is`);
  session.entry({ type: "session_info", name: `Mail to ${ADDRESS}` });

  it.each(FORMATS)("has in %s nothing of what it tells to have replaced", async (format) => {
    const path = await write(session.lines);
    const plain = await library.export({ ...EXPORT, path, format });
    expect(plain.content).toContain(ADDRESS);
    const redacted = await library.export({ ...EXPORT, path, format, redact: true });
    expect(redacted.content + redacted.file_name).not.toContain("lovelace");
    const found = redacted.redactions?.find(({ type }) => type === "email");
    expect(found?.count).toBeGreaterThan(1);
    expect(redacted.content).toContain("email");
    const { chunks, file_name } = await library.exportStream({ ...EXPORT, path, format, redact: true });
    expect([(await bytesOf(chunks)).toString(), file_name]).toEqual([redacted.content, redacted.file_name]);
  });

  it.each(FORMATS)(
    "counts in %s only what is shown, and leaves the rest of every branch in its place",
    async (format) => {
      const mixed = new SessionText().user("question").toolResult(`secret ${ADDRESS}`).assistant("before the fork");
      const fork = mixed.leaf;
      const old = mixed.toolResult(ADDRESS).assistant("old answer").leaf;
      mixed.from(fork).user("again").toolResult(ADDRESS).assistant("new answer");
      const path = await write(mixed.lines);
      const options = { ...EXPORT, path, format, include_tools: false };
      for (const leaf_id of [undefined, old]) {
        const redacted = await library.export({ ...options, leaf_id, redact: true });
        expect(redacted.redactions?.map(({ type }) => type)).not.toContain("email");
        expect(redacted.content).not.toContain(ADDRESS);
        const plain = await library.export({ ...options, leaf_id });
        const textsOf = (content: string) => content.match(/question|before the fork|again|(?:old|new) answer/g);
        expect(textsOf(redacted.content)).toEqual(textsOf(plain.content));
      }
    },
  );

  it("tells before what it would replace, on a branch or on all", async () => {
    const branched = new SessionText().user("question");
    const question = branched.leaf;
    const old = branched.assistant(ADDRESS).leaf;
    branched.from(question).assistant("nothing here");
    const path = await write(branched.lines);
    const { include_thinking, include_tools } = EXPORT;
    const preview = (leaf_id?: string) => library.previewRedactions({ path, leaf_id, include_thinking, include_tools });
    const addresses = async (leaf_id?: string) => {
      const { findings } = await preview(leaf_id);
      return findings.filter(({ type }) => type === "email");
    };
    expect(await addresses()).toMatchObject([{ count: 1, examples: [{ entry_id: old }] }]);
    expect(await addresses(old)).toMatchObject([{ count: 1 }]);
    expect(await addresses(branched.leaf)).toEqual([]);
    expect(await codeOf(preview("missing"))).toBe("NOT_FOUND");
    expect(await readFile(path, "utf8")).toContain(ADDRESS);
  });

  it("lets others have their turn while it looks for secrets", async () => {
    const thread = new Thread<ReadingTasks>({ index: null, caches: cacheShare("long", 0) });
    try {
      const path = await write(long(50_000).lines);
      const { stream } = await thread.run("previewStart", { ...EXPORT, path });
      // One slice of many.
      expect(await thread.run("previewNext", { stream })).toEqual({ preview: null });
      expect(await thread.run("isFree", null)).toBe(false);
      await thread.run("previewStop", { stream });
      expect(await thread.run("isFree", null)).toBe(true);
    } finally {
      await thread.stop();
    }
  });
});

describe.runIf(process.platform === "linux")("an export that is given up", () => {
  it.each([...FORMATS, "jsonl"] as const)("opens no file of %s where nobody begins to read", async (format) => {
    const path = await write(long().lines);
    await untilIndexed(library);
    const { chunks } = await library.exportStream({ ...EXPORT, path, format });
    await chunks[Symbol.asyncIterator]().return?.();
    expect(isOpen(path)).toBe(false);
  });

  it.each(FORMATS.flatMap((format) => [false, true].map((redact) => [format, redact] as const)))(
    "frees the file half-way through %s (redacted: %s)",
    async (format, redact) => {
      const path = await write(long().lines);
      await untilIndexed(library);
      const { chunks } = await library.exportStream({ ...EXPORT, path, format, redact });
      for await (const chunk of chunks) {
        expect(chunk.length).toBeGreaterThan(0);
        expect(isOpen(path)).toBe(true);
        break;
      }
      expect(isOpen(path)).toBe(false);
      expect((await library.export({ ...EXPORT, path, format })).content.length).toBeGreaterThan(1_000_000);
    },
  );
});

describe("an export in this thread", () => {
  it("reads a file about once, however its branches are mixed", async () => {
    const session = new SessionText().user("question");
    const question = session.leaf;
    const ends: string[] = [];
    for (let round = 0; round < 3; round++) {
      for (let branch = 0; branch < 200; branch++) {
        ends[branch] = session.from(ends[branch] ?? question).user("word ".repeat(1000)).leaf;
      }
    }
    const path = await write(session.lines);
    const { size } = statSync(path);
    const reader = new SessionReader();
    const { pieces } = reader.export({ ...EXPORT, path, format: "html" });
    const before = work.bytesRead;
    for await (const _ of pieces);
    expect(work.bytesRead - before).toBeGreaterThan(size * 0.99);
    expect(work.bytesRead - before).toBeLessThan(size * 1.1);
  });
});
