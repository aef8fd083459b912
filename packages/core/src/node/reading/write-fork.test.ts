import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { piWriter } from "../../format/pi/writer.ts";
import { parseLine } from "../../session/jsonl.ts";
import { codeOf, jsonl, SessionText, scanAll, TestHome, touch, withoutTree } from "../library/library.fixture.ts";
import type { Library } from "../library/library.ts";
import { withSessionFile } from "../session-file/session-file.ts";
import { newSessionIn, writeFork } from "./write-fork.ts";

let home: TestHome;
let library: Library;
beforeAll(async () => {
  home = await TestHome.create();
  library = await home.open();
});
afterAll(() => home[Symbol.asyncDispose]());

let lastFile = 0;
const write = (content: string | object[]) => home.write(`project/${++lastFile}.jsonl`, content);

/** A question with two answers, the second of which was the last to be written. */
function branched() {
  const session = new SessionText().user("question");
  const question = session.leaf;
  const first = session.assistant("first answer").user("thanks").leaf;
  const second = session.from(question).assistant("second answer").leaf;
  return { session, question, first, second };
}

const linesOf = async (path: string) => (await readFile(path, "utf8")).split("\n");

describe("a fork", () => {
  it("is a file of its own beside the source, which stays as it is", async () => {
    const { session } = branched();
    const path = await write(session.lines);
    await touch(path, "2026-03-02T00:00:00.000Z");
    const before = { bytes: await readFile(path), stat: await stat(path) };
    const record = await library.fork(path, null);

    expect(record).toMatchObject({
      parent_session_path: path,
      cwd: "/home/dev/project",
      message_count: 2,
      branch_count: 1,
    });
    expect(dirname(record.path)).toBe(dirname(path));
    expect(basename(record.path)).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_[0-9a-f-]{36}\.jsonl$/);
    expect(record.path.endsWith(`_${record.id}.jsonl`)).toBe(true);
    const [header] = await linesOf(record.path);
    expect(parseLine(header ?? "")).toEqual({
      type: "session",
      version: 3,
      id: record.id,
      timestamp: record.created_at,
      cwd: "/home/dev/project",
      parentSession: path,
    });
    expect((await readFile(path)).equals(before.bytes)).toBe(true);
    const after = await stat(path);
    expect([after.mtimeMs, after.ctimeMs, after.ino]).toEqual([
      before.stat.mtimeMs,
      before.stat.ctimeMs,
      before.stat.ino,
    ]);
    expect((await scanAll(library)).map((one) => one.path)).toContain(record.path);
  });

  it("holds the lines of one branch byte by byte, with LF at the end", async () => {
    const { session, question, first } = branched();
    const odd = `{"type":"custom" , "id":"odd","parentId":"${first}", "data":"\\u00e9 é \u2028", "n":1.0}`;
    session.from("odd").user("after it");
    const text = `${jsonl(session.lines.slice(0, -1))}broken\n${odd}\r\n${jsonl(session.lines.slice(-1)).trimEnd()}`;
    const path = await write(text);
    const [, ...lines] = await linesOf((await library.fork(path, null)).path);
    const source = await linesOf(path);
    expect(lines).toEqual([...source.slice(1, 4), `${odd}\r`, source.at(-1), ""]);
    expect(lines[0]).toContain(question);
  });

  it.each(["first", "second", "question"] as const)(
    "opens in the agent with the conversation to the %s",
    async (at) => {
      const { session, ...ids } = branched();
      const path = await write(session.lines);
      const record = await library.fork(path, ids[at]);
      const source = SessionManager.open(path).getBranch(ids[at]);
      const agent = SessionManager.open(record.path);
      expect(agent.getEntries()).toEqual(source);
      expect(agent.getLeafId()).toBe(ids[at]);
      expect(agent.getHeader()?.parentSession).toBe(path);
      expect(agent.buildSessionContext().messages).toHaveLength(source.length);
    },
  );

  it("of a session of the first version opens in the agent too", async () => {
    const { session } = branched();
    const path = await write(jsonl(withoutTree(session.lines)).trimEnd());
    const whole = await library.fork(path, null);
    expect(parseLine((await linesOf(whole.path))[0] ?? "")).toEqual({
      type: "session",
      id: whole.id,
      timestamp: whole.created_at,
      cwd: "/home/dev/project",
      provider: "test",
      modelId: "test-1",
      parentSession: path,
    });
    expect((await linesOf(whole.path)).slice(1)).toEqual([...(await linesOf(path)).slice(1), ""]);
    const { entries } = await library.readEntries({ path, limit: 10 });
    const part = await library.fork(path, String(entries[1]?.id));
    expect(SessionManager.open(whole.path).buildSessionContext().messages).toHaveLength(4);
    expect(SessionManager.open(part.path).buildSessionContext().messages).toHaveLength(2);
  });

  it("of a file without a header can be opened", async () => {
    const tree = await write(branched().session.lines.slice(1));
    const sequence = await write(withoutTree(branched().session.lines).slice(1));
    for (const path of [tree, sequence]) {
      const record = await library.fork(path, null);
      const { messages } = SessionManager.open(record.path).buildSessionContext();
      expect(messages).toHaveLength(path === tree ? 2 : 4);
    }
  });

  it("keeps the labels of its entries as they are, wherever they were set or cleared", async () => {
    const { session, question, first, second } = branched();
    session.from(first).label(first, "kept").label(question, "replaced").label(second, "not of this branch");
    const leaf = session.label(first, "cleared elsewhere").leaf;
    session.from(second).label(question, "set elsewhere").label(first);
    const path = await write(session.lines);
    for (const at of [leaf, first, second]) {
      const source = SessionManager.open(path);
      const agent = SessionManager.open((await library.fork(path, at)).path);
      const conversation = source.getBranch(at).filter((entry) => entry.type !== "label");
      expect(agent.buildSessionContext().messages).toHaveLength(conversation.length);
      expect(conversation.map(({ id }) => [id, agent.getLabel(id)])).toEqual(
        conversation.map(({ id }) => [id, source.getLabel(id)]),
      );
      expect(new Set(agent.getEntries().map(({ id }) => id)).size).toBe(agent.getEntries().length);
    }
  });

  it("says which entry is not there", async () => {
    const path = await write(branched().session.lines);
    expect(await codeOf(library.fork(path, "missing"))).toBe("NOT_FOUND");
    expect(await codeOf(library.fork(`${path}.jsonl`, null))).toBe("NOT_FOUND");
  });

  it("never takes the place of a file that is there", async () => {
    const path = await write(branched().session.lines);
    const content = {
      writer: piWriter,
      header: {},
      rateLimits: null,
      hasTree: true,
      lines: [],
      isTaken: () => false,
      leafId: null,
      labels: [],
      origin: null,
    };
    const target = newSessionIn(dirname(path));
    const fork = () => withSessionFile(path, (file) => writeFork(path, file, content, target));
    fork();
    const before = await readFile(target.path, "utf8");
    expect(fork).toThrow(/EEXIST/);
    expect(await readFile(target.path, "utf8")).toBe(before);
    expect((await readdir(dirname(path))).filter((name) => name.startsWith("."))).toEqual([]);
  });
});
