import { truncateSync, unlinkSync } from "node:fs";
import { appendFile, chmod, copyFile, mkdir, readdir, rename, rm, truncate, unlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SessionRecord } from "../../session/record.ts";
import { withSessionFile } from "../session-file/session-file.ts";
import {
  codeOf,
  EXPORT,
  jsonl,
  LIST,
  SessionText,
  scanAll,
  searchFor,
  TestHome,
  treeOf,
  untilIndexed,
} from "./library.fixture.ts";
import type { Library } from "./library.ts";
import { ANOTHER_USER, LibraryChildren } from "./library-child.fixture.ts";

const FIXTURES = join(import.meta.dirname, "../../../../../../shared/fixtures");

const HEADER = jsonl([
  { type: "session", version: 3, id: "s", timestamp: "2026-03-01T10:00:00.000Z", cwd: "/home/dev" },
]);
const said = (id: string, text: string, parentId: string | null = null) =>
  jsonl([
    { type: "message", id, parentId, timestamp: "2026-03-01T10:00:01.000Z", message: { role: "user", content: text } },
  ]);

describe("a file that is", () => {
  let home: TestHome;
  let library: Library;
  beforeAll(async () => {
    home = await TestHome.create();
    library = await home.open();
  });
  afterAll(() => home[Symbol.asyncDispose]());

  const skipped: [string, string | Uint8Array][] = [
    ["empty", ""],
    ["blank", " \n\n\t\n"],
    ["binary", Uint8Array.from({ length: 5000 }, (_, n) => (n * 7919) % 256)],
    ["all zeros", new Uint8Array(70_000)],
    ["prose", "Dear diary,\ntoday I wrote no session.\n"],
    ["other JSON", '{"type":"other"}\n[1,2]\nnull\n"text"\n{}\n'],
    ["a torn header", '{"type":"session","version":3,"id":"s'],
    [
      "a Gemini CLI session",
      '{"sessionId":"a","projectHash":"b","startTime":"2026-01-01T10:00:00Z","kind":"main"}\n' +
        '{"id":"c","timestamp":"2026-01-01T10:00:01Z","type":"user","content":[{"text":"Fix it"}]}\n' +
        '{"id":"d","timestamp":"2026-01-01T10:00:02Z","type":"gemini","content":"Fixed","model":"gemini-3-pro"}\n' +
        '{"$set":{"summary":"Fixed"}}\n',
    ],
  ];

  it.each(skipped)("%s is no session, and cannot be read as one", async (_, content) => {
    const path = await home.write("p/x.jsonl", content);
    await untilIndexed(library);
    expect((await scanAll(library)).map((record) => record.path)).not.toContain(path);
    expect(library.status()).toMatchObject({ sessions: 0, pending: 0, reason: null });
    expect(library.status().skipped_files).toBe(1);
    expect(typeof (await library.readText(path))).toBe("string");
    const attempts = [
      library.readEntries({ path, limit: 10 }),
      treeOf(library, path),
      library.export({ ...EXPORT, path, format: "json" }),
      library.fork(path, null),
      library.rename(path, "name"),
      library.toggleFavorite(path),
    ];
    expect(await Promise.all(attempts.map(codeOf))).toEqual(attempts.map(() => "NOT_FOUND"));
    expect(await library.readText(path)).toBe(Buffer.from(content).toString("utf8"));
    await unlink(path);
  });

  it("becomes a session when its first line is written", async () => {
    const path = await home.write("p/x.jsonl", "");
    expect(await scanAll(library)).toEqual([]);
    await appendFile(path, HEADER);
    expect(await scanAll(library)).toMatchObject([{ path, id: "s" }]);
    await writeFile(path, "no more\n");
    expect(await scanAll(library)).toEqual([]);
    await unlink(path);
  });

  const two = said("a", "tamandua") + said("b", "second", "a");
  const read: [string, string | Uint8Array, Partial<SessionRecord>][] = [
    ["ordinary", HEADER + two, { malformed_lines: 0 }],
    ["with a BOM", `\ufeff${HEADER}${two}`, { id: "s", malformed_lines: 0 }],
    ["with CRLF", (HEADER + two).replaceAll("\n", "\r\n"), { malformed_lines: 0 }],
    ["with blank lines", (HEADER + two).replaceAll("\n", "\n\n \t\r\n"), { malformed_lines: 0 }],
    ["with broken lines", `${HEADER}{broken\n${two}[1]\nnull\n42\n"x"\n`, { malformed_lines: 5 }],
    ["with zeros", `${HEADER}\0\0\0\n${two}\0`, { malformed_lines: 1 }],
    ["with a torn last line", `${HEADER}${two}{"type":"message","id":"c"`, { malformed_lines: 0 }],
    ["without a final LF", (HEADER + two).trimEnd(), { malformed_lines: 0 }],
    ["not UTF-8", Buffer.concat([Buffer.from(HEADER + two), Buffer.from([0xff, 0xfe, 0x0a])]), { malformed_lines: 1 }],
    ["without a header", two, { id: "x", malformed_lines: 1, cwd: null }],
    ["with a broken header", `{"type":"session"${two}`.replace("\n", "\n"), { id: "x", message_count: 1 }],
    ["with a late header", two + HEADER, { id: "s", malformed_lines: 0 }],
    ["with everything twice", HEADER + two + HEADER + two, { id: "s", malformed_lines: 0 }],
    [
      "with odd values",
      `${HEADER}${two}${jsonl([{ type: "message", message: null }, { type: 5 }, { type: "label" }])}`,
      { message_count: 3 },
    ],
    ["with lone surrogates", `${HEADER}${two.replace("second", "\\ud800 \\udc00")}`, { malformed_lines: 0 }],
  ];

  it.each(read)("%s is read as far as possible", async (name, content, expected) => {
    const path = await home.write("p/x.jsonl", content);
    await untilIndexed(library);
    const [record] = await scanAll(library);
    expect(record).toMatchObject({ path, message_count: 2, ...expected });
    const tree = await treeOf(library, path);
    expect(tree.length).toBeGreaterThanOrEqual(record?.message_count ?? 0);
    const page = await library.readEntries({ path, limit: 10 });
    expect(page.total).toBeGreaterThan(0);
    expect((await library.search(searchFor("tamandua"))).hits).toHaveLength(name === "with a broken header" ? 0 : 1);
    for (const format of ["html", "json", "markdown"] as const) {
      expect((await library.export({ ...EXPORT, path, format })).content).not.toBe("");
    }
    const fork = await library.fork(path, null);
    expect(await treeOf(library, fork.path)).toHaveLength(page.total);
    await unlink(fork.path);
    await unlink(path);
  });

  it("huge is read, page by page", async () => {
    const image = { type: "image", mimeType: "image/png", data: "A".repeat(1_000_000) };
    const session = new SessionText();
    for (let n = 0; n < 100; n++)
      session.message({ role: "user", content: [{ type: "text", text: `shot ${n}` }, image] });
    const path = await home.write("p/huge.jsonl", session.lines);
    await untilIndexed(library);
    expect(await scanAll(library)).toMatchObject([{ message_count: 100, malformed_lines: 0 }]);
    expect((await library.search(searchFor("shot", { limit: 1 }))).total).toBe(100);
    const page = await library.readEntries({ path, limit: 2 });
    expect(page).toMatchObject({ total: 100, leaf_id: session.leaf });
    expect(await treeOf(library, path)).toHaveLength(100);
    let bytes = 0;
    const { chunks } = await library.exportStream({ ...EXPORT, path, format: "json" });
    for await (const chunk of chunks) bytes += chunk.length;
    expect(bytes).toBeGreaterThan(1000);
    expect(await library.rename(path, "a name")).toMatchObject({ name: "a name" });
    await unlink(path);
  });

  it("of one line of 20 MB is read and found", async () => {
    const text = `${"word ".repeat(4_000_000)} aardwolf`;
    const session = new SessionText().user("before").toolResult(text).user("after");
    const path = await home.write("p/long.jsonl", session.lines);
    await untilIndexed(library);
    expect(await scanAll(library)).toMatchObject([{ message_count: 3, last_message: "after", malformed_lines: 0 }]);
    expect((await library.search(searchFor("aardwolf"))).hits).toMatchObject([{ kind: "tool_result" }]);
    const [before, long, after] = session.entries;
    const page = await library.readEntries({ path, limit: 2, before: String(after?.id) });
    expect(page).toMatchObject({ entries: [{ id: long?.id }], truncated_entries: [{ entry_id: long?.id }] });
    expect(await library.readEntries({ path, limit: 2, before: String(long?.id) })).toMatchObject({
      entries: [before],
    });
    expect(await library.readText(path)).toBe(jsonl(session.lines));
    await unlink(path);
  });

  it("a chain of 100,000 entries is read", async () => {
    const lines = Array.from({ length: 100_000 }, (_, n) => said(`e${n}`, "x", n === 0 ? null : `e${n - 1}`));
    const path = await home.write("p/deep.jsonl", HEADER + lines.join(""));
    await untilIndexed(library);
    expect(await scanAll(library)).toMatchObject([{ message_count: 100_000, branch_count: 1 }]);
    const page = await library.readEntries({ path, limit: 5, before: "e50000" });
    expect(page.entries.map((entry) => entry.id)).toEqual(["e49995", "e49996", "e49997", "e49998", "e49999"]);
    expect(await treeOf(library, path)).toHaveLength(100_000);
    await writeFile(path, HEADER + lines.reverse().join("") + said("e0", "y", "e99999"));
    expect(await scanAll(library)).toMatchObject([{ message_count: 100_000, branch_count: 1 }]);
    expect(await library.readEntries({ path, limit: 1, leaf_id: "e99999" })).toMatchObject({ total: 100_000 });
    await unlink(path);
  });

  it("in a folder of the agent's helpers is none of the user's sessions, even when it was asked for", async () => {
    await untilIndexed(library);
    for (const folder of ["transcripts", "subagent-artifacts"]) {
      const path = await home.write(`p/${folder}/q/x.jsonl`, HEADER + said("a", "pangolin"));
      expect(await codeOf(library.readEntries({ path, limit: 10 }))).toBe("FORBIDDEN");
      expect(await codeOf(library.rename(path, "pangolin"))).toBe("FORBIDDEN");
      expect(await library.list(LIST)).toMatchObject({ sessions: [], total: 0 });
      expect((await library.search(searchFor("pangolin"))).hits).toEqual([]);
      expect(library.status().sessions).toBe(0);
    }
  });

  it("of another agent is skipped", async () => {
    const folder = join(FIXTURES, "homes/gemini-cli/home/.gemini");
    const files = await readdir(folder, { recursive: true }).catch(() => []);
    const names = files.filter((name) => name.endsWith(".jsonl"));
    if (names.length === 0) console.warn(`${folder} is absent: its files are not tried`);
    for (const name of names) {
      const copy = await home.write(`p/${basename(name)}`, "");
      await copyFile(join(folder, name), copy);
    }
    expect(await scanAll(library)).toEqual([]);
    expect(library.status().sessions).toBe(0);
  });
});

describe("a file that changes while it is read", () => {
  let home: TestHome;
  let library: Library;
  beforeAll(async () => {
    home = await TestHome.create();
    library = await home.open();
  });
  afterAll(() => home[Symbol.asyncDispose]());

  const long = () => {
    const session = new SessionText();
    for (let n = 0; n < 300; n++) session.user(`${n} ${"word ".repeat(4000)}`);
    return session;
  };

  async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of chunks) expect(chunk.length).toBeGreaterThan(0);
  }

  it("fails an export that has begun, and nothing else", async () => {
    const changes: [string, (path: string) => Promise<void>, string[]][] = [
      ["shrinks", (path) => truncate(path, 1000), ["CONFLICT"]],
      ["is emptied", (path) => truncate(path, 0), ["CONFLICT"]],
      ["is overwritten", (path) => writeFile(path, "x".repeat(7_000_000)), ["CONFLICT"]],
      ["vanishes", (path) => unlink(path), ["", "NOT_FOUND"]],
    ];
    for (const [name, change, codes] of changes) {
      const path = await home.write(`p/${name}.jsonl`, long().lines);
      const before = await library.exportStream({ ...EXPORT, path, format: "markdown" });
      const begun = await library.exportStream({ ...EXPORT, path, format: "markdown" });
      const iterator = begun.chunks[Symbol.asyncIterator]();
      expect((await iterator.next()).done).toBe(false);
      await change(path);
      expect([name, codes]).toEqual([name, expect.arrayContaining([await codeOf(drain(before.chunks))])]);
      const rest = { [Symbol.asyncIterator]: () => iterator };
      expect([name, codes]).toEqual([name, expect.arrayContaining([await codeOf(drain(rest))])]);
    }
    const path = await home.write("p/good.jsonl", long().lines);
    await drain((await library.exportStream({ ...EXPORT, path, format: "json" })).chunks);
  });

  it("leaves no trace in the index when it changes between its record and its text", async () => {
    const paths: string[] = [];
    for (let n = 0; n < 24; n++)
      paths.push(await home.write(`q/${n}.jsonl`, new SessionText().user(`ibis ${n}`).lines));
    // Large ones first in the queue, so that the text of the others waits.
    for (let n = 0; n < 4; n++) await home.write(`q/large${n}.jsonl`, long().lines);
    await library.scan();
    for (const [n, path] of paths.entries()) {
      if (n % 4 === 0) await unlink(path);
      if (n % 4 === 1) await truncate(path, 10);
      if (n % 4 === 2) await writeFile(`${path}.new`, jsonl(new SessionText().user(`stork ${n}`).lines));
      if (n % 4 === 2) await rename(`${path}.new`, path);
    }
    await untilIndexed(library);
    const pathsOf = async (word: string) =>
      (await library.search(searchFor(word, { limit: 100 }))).hits.map((hit) => basename(hit.session_path)).sort();
    expect(await pathsOf("ibis")).toEqual(["11.jsonl", "15.jsonl", "19.jsonl", "23.jsonl", "3.jsonl", "7.jsonl"]);
    expect(await pathsOf("stork")).toEqual(["10.jsonl", "14.jsonl", "18.jsonl", "2.jsonl", "22.jsonl", "6.jsonl"]);
    expect(library.status()).toMatchObject({ state: "ready", reason: null });
  });

  it("gives lines that are there, and none that are not", async () => {
    const session = new SessionText().user("first").user("second");
    const path = await home.write("p/x.jsonl", session.lines);
    const [, first = "", second = ""] = jsonl(session.lines).split("\n");
    const at = jsonl(session.lines.slice(0, 1)).length;
    withSessionFile(path, (file) => {
      expect(file.line(at, first.length, at + first.length)).toEqual(session.entries[0]);
    });
    withSessionFile(path, (file) => {
      truncateSync(path, at + 10);
      expect(file.line(at, first.length, at + first.length)).toBeNull();
      expect(file.line(at + first.length + 1, second.length, at)).toBeNull();
      expect(file.bytes(at, 100)).toHaveLength(10);
      expect(file.read().fold.outline.count).toBe(0);
    });
  });

  it("is read to its end when it was deleted while open", async () => {
    const path = await home.write("p/x.jsonl", new SessionText().user("still there").lines);
    withSessionFile(path, (file) => {
      unlinkSync(path);
      expect(file.read().fold.state.first_message).toBe("still there");
    });
    expect(() => withSessionFile(path, () => null)).toThrow(/ENOENT/);
  });
});

describe("without permission", () => {
  let children: LibraryChildren;
  beforeAll(async () => {
    children = await LibraryChildren.create();
  });
  afterAll(() => children[Symbol.asyncDispose]());

  /** An agent's home that another user may read and not write, and a folder where that user may keep data. */
  async function foreignHome(): Promise<TestHome> {
    const home = await TestHome.create();
    await chmod(home.directory, 0o755);
    await mkdir(home.data);
    await chmod(home.data, 0o777);
    return home;
  }

  it("a folder or a file is left out, and all others are served", async () => {
    await using home = await foreignHome();
    const open = await home.write("open/a.jsonl", new SessionText({ id: "open" }).user("kiwi").lines);
    const locked = await home.write("open/locked.jsonl", new SessionText().user("kiwi").lines);
    const hidden = await home.write("closed/b.jsonl", new SessionText().user("kiwi").lines);
    await chmod(locked, 0o000);
    await chmod(join(home.sessions, "closed"), 0o000);
    const [opened, indexed, records, found, ...refused] = await children.run(
      home.options,
      [
        ["untilIndexed"],
        ["scan"],
        ["search", searchFor("kiwi")],
        ["readText", locked],
        ["readEntries", { path: locked, limit: 1 }],
        ["readTree", locked],
        ["export", { ...EXPORT, path: locked, format: "json" }],
        ["readEntries", { path: hidden, limit: 1 }],
        ["rename", locked, "x"],
        ["status"],
      ],
      ANOTHER_USER,
    );
    expect(opened?.error).toBeUndefined();
    expect(indexed?.error).toBeUndefined();
    expect(records?.value).toMatchObject([{ path: open, id: "open" }]);
    expect(found?.value).toMatchObject({ hits: [{ session_path: open }], total: 1 });
    expect(refused.slice(0, -2).map((outcome) => outcome.error?.code)).toEqual(Array(5).fill("FORBIDDEN"));
    expect(refused.at(-2)?.error?.code).toMatch(/^(READ_ONLY|FORBIDDEN)$/);
    expect(refused.at(-1)?.value).toMatchObject({ state: "ready", sessions: 1, pending: 0 });
    await chmod(join(home.sessions, "closed"), 0o755);
  });

  it("to write, reading works and every change is answered with READ_ONLY", async () => {
    await using home = await foreignHome();
    const session = new SessionText().user("kakapo");
    const path = await home.write("p/a.jsonl", session.lines);
    for (const folder of [home.sessions, join(home.sessions, "p")]) await chmod(folder, 0o555);
    await chmod(path, 0o444);
    const [, ...outcomes] = await children.run(
      home.options,
      [
        ["rename", path, "a name"],
        ["fork", path, null],
        ["delete", path, { force: true }],
        ["untilIndexed"],
        ["search", searchFor("kakapo")],
        ["readEntries", { path, limit: 5 }],
        ["toggleFavorite", path],
        ["export", { ...EXPORT, path, format: "markdown" }],
        ["status"],
      ],
      ANOTHER_USER,
    );
    expect(outcomes.slice(0, 3).map((outcome) => outcome.error?.code)).toEqual(Array(3).fill("READ_ONLY"));
    for (const { error } of outcomes.slice(0, 3)) expect(error?.message).toContain(join(home.sessions, "p"));
    expect(outcomes.slice(3).map((outcome) => outcome.error)).toEqual(Array(6).fill(undefined));
    expect(outcomes[4]?.value).toMatchObject({ total: 1, hits: [{ session_path: path }] });
    expect(outcomes[5]?.value).toMatchObject({ entries: session.entries });
    expect(outcomes[6]?.value).toEqual({ path, is_favorite: true });
    expect(outcomes[8]?.value).toMatchObject({ state: "ready", reason: null });
    expect(await readdir(join(home.sessions, "p"))).toEqual(["a.jsonl"]);
    for (const folder of [home.sessions, join(home.sessions, "p")]) await chmod(folder, 0o755);
  });

  it("to write its own data, it does not open and says why", async () => {
    await using home = await foreignHome();
    await rm(home.data, { recursive: true });
    const [opened] = await children.run(home.options, [], ANOTHER_USER);
    expect(opened?.error).toMatchObject({ code: "READ_ONLY", message: expect.stringContaining(home.data) });
  });
});
