import { Buffer } from "node:buffer";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../errors.ts";
import { claudeCorpus } from "../../format/claude-code/corpus.fixture.ts";
import { codexCorpus } from "../../format/codex/corpus.fixture.ts";
import { piCorpus } from "../../format/pi/corpus.fixture.ts";
import { EXPORT, jsonl, SessionText, TestHome } from "../library/library.fixture.ts";
import { SessionReader } from "../reading/reader.ts";
import { AnswerDesk } from "../threads/answer-desk.ts";
import { cacheShare } from "../threads/cache-budget.ts";
import { QuestionLine } from "../threads/question-line.ts";
import { Thread } from "../threads/thread.ts";
import { CurrentTask, noneUnwanted } from "../threads/unwanted.ts";
import { RemoteFiles } from "./remote-files.fixture.ts";
import { type RemoteReader, RemoteReaders } from "./remote-readers.ts";
import type { RemoteSessions } from "./remote-sessions.ts";
import type { RemoteTasks } from "./remote-tasks.ts";

const MACHINE = "/machines/one";
const MEBIBYTE = 1024 * 1024;

let home: TestHome;
let files: RemoteFiles;
let readers: RemoteReaders;
let reader: RemoteReader;
let indexing: Thread<RemoteTasks>;
beforeEach(async () => {
  home = await TestHome.create();
  files = new RemoteFiles();
  readers = new RemoteReaders(100);
  reader = readers.of(files);
  indexing = new Thread({ index: null, caches: cacheShare("indexing", 1) }, { asks: true });
});
afterEach(async () => {
  await Promise.all([readers.stop(), indexing.stop()]);
  await home[Symbol.asyncDispose]();
});

async function read(path: string) {
  const sessions = [{ path, session: files.remote(path) }];
  const [session] = await indexing.run("readRemote", { sessions }, { source: files });
  return session ?? null;
}

async function readAndKeep(path: string) {
  const session = await read(path);
  if (session !== null) files.keep(path, session);
  return session;
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

async function treeOf(path: string) {
  const { stream } = await reader.atLength("treeStart", { path });
  const entries = [];
  for (;;) {
    const piece = await reader.atLength("treeNext", { stream });
    if (piece === null) return entries;
    entries.push(...piece);
  }
}

async function exportOf(path: string) {
  const { stream } = await reader.atLength("exportStart", { path, format: "markdown", ...EXPORT });
  let text = "";
  for (;;) {
    const piece = await reader.atLength("exportNext", { stream });
    if (piece === null) return text;
    text += textOf(piece as Uint8Array);
  }
}

/** A session of about so many bytes. */
function longSession(bytes: number): object[] {
  const session = new SessionText();
  for (let n = 0; n < bytes / 20_000; n++)
    session.user(`question ${n}`).assistant(`answer ${n} ${"word ".repeat(4_000)}`);
  return session.lines;
}

describe("a session that is kept elsewhere", () => {
  it.each([
    ["pi", piCorpus],
    ["claude-code", claudeCorpus],
    ["codex", codexCorpus],
  ])("is read as one of this machine is: %s", async (format, { lines, found }) => {
    const local = await home.write(`p/${format}.jsonl`, [...lines]);
    const path = `${MACHINE}${local}`;
    files.putFile(path, local);
    const whole = { ...JSON.parse(textOf(await reader.quickly("transcript", { path, limit: 100 }))) };
    const kept = await readAndKeep(path);
    expect(kept?.record).toMatchObject({ path, format, title: found.title, message_count: found.messages });
    const exact = new SessionReader();
    const page = textOf(await reader.quickly("transcript", { path, limit: 100 }));
    expect(page).toBe(textOf(exact.transcript({ path: local, limit: 100 })));
    expect(JSON.parse(page)).toEqual(whole);
    expect(textOf(await reader.quickly("entries", { path, limit: 100 }))).toBe(
      textOf(exact.entries({ path: local, limit: 100 })),
    );
    expect(await treeOf(path)).toEqual([...exact.tree(local)].flat());
    const pieces: string[] = [];
    for await (const piece of exact.export({ path: local, format: "markdown", ...EXPORT }).pieces) {
      pieces.push(textOf(piece as Uint8Array));
    }
    expect(await exportOf(path)).toBe(pieces.join(""));
  });

  it("is read as it is now, also before what was appended is known", async () => {
    const path = `${MACHINE}/a.jsonl`;
    const session = new SessionText().user("first");
    files.put(path, Buffer.from(jsonl(session.lines)));
    await readAndKeep(path);
    session.assistant("second");
    files.put(path, Buffer.from(jsonl(session.lines)));
    expect(textOf(await reader.quickly("transcript", { path, limit: 10 }))).toContain("second");
    const read = await readAndKeep(path);
    expect(read).toMatchObject({ resumedAt: 1, entryCount: 2 });
    expect(read?.record).toMatchObject({ message_count: 2, last_message: "second" });
    files.put(path, Buffer.from(jsonl(new SessionText().user("other").lines)));
    expect(textOf(await reader.quickly("transcript", { path, limit: 10 }))).not.toContain("second");
    expect(await readAndKeep(path)).toMatchObject({ resumedAt: 0, entryCount: 1 });
  });

  it("costs an append its own bytes, however many times it grows", async () => {
    const path = `${MACHINE}/a.jsonl`;
    const session = new SessionText();
    for (let n = 0; n < 300; n++) session.user(`question ${n} ${"word ".repeat(500)}`);
    for (let n = 0; n < 3; n++) {
      files.put(path, Buffer.from(jsonl(session.user(`more ${n}`).lines)));
      files.reads.length = 0;
      files.asked.length = 0;
      const { resumedAt, entryCount, outline, activity } = (await readAndKeep(path)) ?? {};
      expect([resumedAt, entryCount]).toEqual([n === 0 ? 0 : 300 + n, 301 + n]);
      if (n === 0) continue;
      expect([outline?.map(({ place }) => place), activity?.map(({ place }) => place)]).toEqual([[2], [2]]);
      // The first bytes and the last ones before tell whether it has only grown.
      expect(files.reads.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(1_000);
      expect(files.asked).toEqual(n === 1 ? ["outline", "activity"] : []);
    }
  });

  it("is not fetched for one of its pages", async () => {
    const path = `${MACHINE}/long.jsonl`;
    files.put(path, Buffer.from(jsonl(longSession(8 * MEBIBYTE))));
    await readAndKeep(path);
    expect(Math.max(...files.reads)).toBe(MEBIBYTE);
    files.reads.length = 0;
    files.asked.length = 0;
    await reader.quickly("transcript", { path, limit: 20 });
    expect(files.reads.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(MEBIBYTE / 2);
    expect(files.asked).toEqual(["session", "outline", "activity"]);
    files.reads.length = 0;
    files.asked.length = 0;
    await reader.quickly("transcript", { path, limit: 20 });
    expect([files.reads, files.asked]).toEqual([[], ["session"]]);
  });

  it("has its outputs in other files, of which some are gone", async () => {
    const folder = `${MACHINE}/home/.claude/projects/p`;
    const path = `${folder}/11111111-1111-4111-8111-111111111111.jsonl`;
    const output = `${path.replace(/\.jsonl$/, "")}/tool-results/out.txt`;
    const [first] = claudeCorpus.lines;
    const at = { sessionId: "11111111-1111-4111-8111-111111111111", cwd: "/w", timestamp: "2026-01-02T03:04:05.000Z" };
    const call = { type: "tool_use", id: "t1", name: "Bash", input: { command: "x" } };
    const told = `<persisted-output>\nOutput too large (3KB). Full output saved to: ${output.slice(MACHINE.length)}\n</persisted-output>`;
    const lines = [
      { ...first, ...at, uuid: "a", parentUuid: null, type: "user", message: { role: "user", content: "go" } },
      { ...at, uuid: "b", parentUuid: "a", type: "assistant", message: { role: "assistant", content: [call] } },
      {
        ...at,
        uuid: "c",
        parentUuid: "b",
        type: "user",
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: told }] },
      },
    ];
    files.put(path, Buffer.from(jsonl(lines)));
    await expect(reader.quickly("toolOutput", { path, entry_id: "c" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    files.put(output, Buffer.from("the whole output"));
    const answer = textOf(await reader.quickly("toolOutput", { path, entry_id: "c" }));
    expect(JSON.parse(answer)).toEqual({ text: "the whole output", size_bytes: 16, complete: true });
  });

  it("may be missing, is written by nobody, and is no file of this machine", async () => {
    const local = await home.write("p/a.jsonl", new SessionText().user("here").lines);
    await expect(reader.quickly("entries", { path: local, limit: 1 })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: `${local} does not exist.`,
    });
    const path = `${MACHINE}${local}`;
    files.putFile(path, local);
    await expect(reader.atLength("rename", { path, name: "x" })).rejects.toMatchObject({ code: "CONFLICT" });
    files.put(path, Buffer.from("no session\n"));
    expect(await read(path)).toBeNull();
  });
});

describe("a thread that waits for bytes", () => {
  const path = `${MACHINE}/a.jsonl`;
  const never = new Promise<never>(() => undefined);
  const answering = (read: RemoteSessions["read"]): RemoteSessions => ({
    file: (given) => files.file(given),
    session: (given) => files.session(given),
    outline: (key) => files.outline(key),
    activity: (key, place) => files.activity(key, place),
    read,
  });
  beforeEach(() => files.put(path, Buffer.from(jsonl(new SessionText().user("first").lines))));

  it("says what went wrong with them", async () => {
    const refusing = readers.of(
      answering(() => Promise.reject(new AppError("UNAVAILABLE", "no database", { details: { retry_after_ms: 5 } }))),
    );
    await expect(refusing.quickly("entries", { path, limit: 1 })).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "no database",
      details: { retry_after_ms: 5 },
    });
    expect(textOf(await reader.quickly("entries", { path, limit: 1 }))).toContain("first");
  });

  it("goes on when its task is cancelled", async () => {
    const controller = new AbortController();
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const slow = readers.of(
      answering(() => {
        asked();
        return never;
      }),
    );
    const waiting = slow.quickly("entries", { path, limit: 1 }, { signal: controller.signal });
    await isAsked;
    await delay(20);
    controller.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    expect(textOf(await reader.quickly("entries", { path, limit: 1 }))).toContain("first");
  });

  it("ends with the service", async () => {
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const slow = readers.of(
      answering(() => {
        asked();
        return never;
      }),
    );
    const waiting = slow.quickly("entries", { path, limit: 1 });
    const failed = expect(waiting).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(/is stopping; try/),
    });
    await isAsked;
    await readers.stop();
    await failed;
  });

  it("leaves others to another thread, where there is one", async () => {
    const several = new RemoteReaders(100, 2);
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const slow = several.of(
      answering(() => {
        asked();
        return never;
      }),
    );
    const waiting = slow.quickly("entries", { path, limit: 1 });
    await isAsked;
    expect(textOf(await several.of(files).quickly("entries", { path, limit: 1 }))).toContain("first");
    await Promise.all([several.stop(), expect(waiting).rejects.toMatchObject({ code: "UNAVAILABLE" })]);
  });

  it("does not wait for ever for an answer that is lost, nor take it for another one", async () => {
    const desk = new AnswerDesk();
    const task = new CurrentTask(noneUnwanted(), 1);
    const line = new QuestionLine<{ echo(word: string): Promise<string> }>(desk.link, 10);
    expect(() => line.ask(task, "echo", "a")).toThrow(/did not come in time/);
    // Nobody has looked at the question yet, since this thread has waited.
    desk.begin(1, { echo: async (word: string) => word });
    await delay(5);
    expect(() => line.ask(task, "echo", "b")).toThrow(/did not come in time/);
    desk.close();
    expect(() => line.ask(task, "echo", "c")).toThrow(/stopping/);
  });
});
