import { copyFile, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { parseLine } from "../../session/jsonl.ts";
import {
  branchOf,
  codeOf,
  jsonl,
  LIST,
  SessionText,
  searchFor,
  TestHome,
  touch,
  untilIndexed,
  withoutTree,
} from "../library/library.fixture.ts";
import type { Library } from "../library/library.ts";
import { startScript } from "../state/child-script.fixture.ts";

const NAME = 'A new name: “会議” \u2028 \\ "quoted"';

function conversation(): SessionText {
  return new SessionText()
    .entry({ type: "model_change", provider: "test", modelId: "test-1" })
    .user("first question")
    .assistant("first answer", [{ type: "toolCall", id: "c", name: "bash", arguments: { command: "ls" } }])
    .toolResult("a file")
    .assistant("second answer");
}

/** What the real agent finds in a file; it is given a copy, since it rewrites files of the first version. */
async function openWithAgent(path: string) {
  const copy = `${path}.copy.jsonl`;
  await copyFile(path, copy);
  const agent = SessionManager.open(copy);
  return { messages: agent.buildSessionContext().messages, name: agent.getSessionName() };
}

/** Lines that hold something: a rename that meets a line half written ends it, and the agent ends it once more. */
async function linesOf(path: string): Promise<(JsonObject | null)[]> {
  const lines = (await readFile(path, "utf8")).split("\n");
  return lines.filter((line) => line.trim() !== "").map(parseLine);
}

describe("a renamed session", () => {
  let home: TestHome;
  let library: Library;
  beforeAll(async () => {
    home = await TestHome.create();
    library = await home.open();
  });
  afterAll(() => home[Symbol.asyncDispose]());

  let lastFile = 0;
  const write = (content: string | object[]) => home.write(`p/${++lastFile}.jsonl`, content);

  const versions = [
    { version: 1, lines: (session: SessionText) => withoutTree(session.lines) },
    { version: 3, lines: (session: SessionText) => session.lines },
  ];
  const endings = [
    { ending: "a final newline", end: (text: string) => text },
    { ending: "no final newline", end: (text: string) => text.trimEnd() },
    { ending: "a torn last line", end: (text: string) => `${text}{"type":"message","id":"torn","parentId":` },
  ];
  const cases = versions.flatMap((version) => endings.map((ending) => ({ ...version, ...ending })));

  it.each(cases)("of version $version with $ending opens in the agent as before", async ({ version, lines, end }) => {
    const session = conversation();
    const path = await write(end(jsonl(lines(session))));
    await touch(path, "2026-03-02T00:00:00.000Z");
    const before = await readFile(path);
    const { messages } = await openWithAgent(path);
    expect(messages).toHaveLength(4);
    const record = await library.rename(path, NAME);

    expect(record).toMatchObject({ path, name: NAME, message_count: 4, last_message: "second answer" });
    const after = await readFile(path);
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    expect((await stat(path)).mtime.toISOString()).toBe("2026-03-02T00:00:00.000Z");
    const added = after.subarray(before.length).toString();
    expect(added).toMatch(before.at(-1) === 0x0a ? /^\{[^\n]*\}\n$/ : /^\n\{[^\n]*\}\n$/);
    const entry = parseLine(added.trim());
    expect(entry).toMatchObject({ type: "session_info", name: NAME, timestamp: expect.stringMatching(/Z$/) });
    if (version === 1) {
      expect(entry).not.toHaveProperty("id");
      expect(entry).not.toHaveProperty("parentId");
    } else {
      expect(entry).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{8}$/), parentId: session.leaf });
    }
    expect(await openWithAgent(path)).toEqual({ messages, name: NAME });
    const page = await library.readEntries({ path, limit: 100 });
    expect(page.entries.filter((line) => line.type === "message")).toHaveLength(4);
  });

  it("loses its name when that is empty", async () => {
    const path = await write(conversation().lines);
    await library.rename(path, "for a while");
    expect(await library.rename(path, "")).toMatchObject({ name: null, title: "first question" });
    expect((await openWithAgent(path)).name).toBeUndefined();
  });

  it("hangs below the last entry of the tree, on whatever branch and of whatever type", async () => {
    const session = conversation();
    const answer = session.leaf;
    session.from("00000000").user("an orphan").from(answer).entry({ type: "label", targetId: answer, label: "here" });
    const path = await write([...session.lines, { type: "session", id: "again" }, { id: "no type" }]);
    await library.rename(path, "one");
    await library.rename(path, "two");
    const [one, two] = (await linesOf(path)).slice(-2);
    expect(one).toMatchObject({ name: "one", parentId: session.leaf });
    expect(two).toMatchObject({ name: "two", parentId: one?.id });
  });

  it("is found whatever stands in the last lines", async () => {
    const session = conversation().assistant(`long ${"x".repeat(300_000)}`);
    const garbage = `[1]\n\n  \nno json ${"y".repeat(100_000)}\n`;
    const path = await write(jsonl(session.lines) + garbage);
    expect(await library.rename(path, "found")).toMatchObject({ name: "found" });
    expect((await linesOf(path)).at(-1)).toMatchObject({ parentId: session.leaf });
    expect((await openWithAgent(path)).name).toBe("found");
  });

  it("without a header keeps its conversation on the current branch", async () => {
    const tree = await write(conversation().lines.slice(1));
    const sequence = await write(withoutTree(conversation().lines).slice(1));
    for (const path of [tree, sequence]) {
      expect(await library.rename(path, "named")).toMatchObject({ name: "named", message_count: 4 });
      const { entries } = await library.readEntries({ path, limit: 100 });
      expect(entries.filter((entry) => entry.type === "message")).toHaveLength(4);
    }
  });

  it("that has a header only gets a name too", async () => {
    const path = await write(new SessionText().lines);
    expect(await library.rename(path, "empty yet")).toMatchObject({ name: "empty yet", title: "empty yet" });
    expect((await linesOf(path)).at(-1)).toMatchObject({ parentId: null });
    expect((await openWithAgent(path)).name).toBe("empty yet");
  });

  it("is one line in the file whatever the name, and its title is short", async () => {
    const path = await write(conversation().lines);
    const lines = (await linesOf(path)).length;
    const record = await library.rename(path, `two\nlines ${"long ".repeat(35)}`);
    expect(await linesOf(path)).toHaveLength(lines + 1);
    expect(record.title).toMatch(/^two lines long/);
    expect(record.title.length).toBeLessThanOrEqual(200);
  });

  it("is listed and found by the present name only", async () => {
    const path = await write(conversation().lines);
    await library.rename(path, "rhinoceros");
    await untilIndexed(library);
    await library.rename(path, "hippopotamus");
    await untilIndexed(library);
    expect((await library.list({ ...LIST, query: "hippo" })).sessions).toHaveLength(1);
    expect((await library.list({ ...LIST, query: "rhino" })).sessions).toHaveLength(0);
    expect((await library.search(searchFor("hippopotamus"))).hits).toMatchObject([{ kind: "name", role: null }]);
    expect((await library.search(searchFor("rhinoceros"))).hits).toEqual([]);
  });

  it("must exist and be a session", async () => {
    const other = await write("no session\n");
    expect(await codeOf(library.rename(join(home.sessions, "p/missing.jsonl"), "x"))).toBe("NOT_FOUND");
    expect(await codeOf(library.rename(other, "x"))).toBe("NOT_FOUND");
    expect(await readFile(other, "utf8")).toBe("no session\n");
  });
});

/** Appends entries as an agent does, each below the one before, as fast as it can, and tells how many. */
const APPENDER = `
import { appendFileSync, writeSync } from "node:fs";

const [, , path, firstParent, milliseconds] = process.argv;
const end = Date.now() + Number(milliseconds);
let parentId = firstParent;
let n = 0;
for (; Date.now() < end; n++) {
  const id = "agent" + n;
  const message = { role: "assistant", content: [{ type: "text", text: "line " + n }] };
  appendFileSync(path, JSON.stringify({ type: "message", id, parentId, timestamp: new Date().toISOString(), message }) + "\\n");
  parentId = id;
  if (n === 0) writeSync(1, "begun\\n");
}
writeSync(1, n + "\\n");
`;

describe("while an agent appends as fast as it can", () => {
  let home: TestHome;
  let library: Library;
  beforeAll(async () => {
    home = await TestHome.create();
    await writeFile(join(home.directory, "appender.mjs"), APPENDER);
    library = await home.open();
    await library.rename(await home.write("p/warm-up.jsonl", conversation().lines), "threads are running");
  });
  afterAll(() => home[Symbol.asyncDispose]());

  /** Gives names to a session as long as an agent writes to it; returns them, and how many lines the agent wrote. */
  async function renameDuring(milliseconds: number, pauseMs: number) {
    const session = conversation();
    const path = await home.write(`p/${milliseconds}.jsonl`, session.lines);
    const agent = startScript(join(home.directory, "appender.mjs"), [path, session.leaf, String(milliseconds)]);
    await agent.hasPrinted(1);
    const names: string[] = [];
    while (agent.process.exitCode === null) {
      const name = `name ${names.length}`;
      names.push(name);
      expect(await library.rename(path, name)).toMatchObject({ name });
      await delay(pauseMs);
    }
    const { stdout, stderr } = await agent.ended;
    expect(stderr).toBe("");
    return { path, names, count: Number(stdout.split("\n")[1]) };
  }

  it.each([
    [500, 0],
    [300, 50],
    [200, 30],
    [100, 20],
    [50, 10],
    [25, 0],
  ])("for %d ms, no line is lost or glued, no name is lost, and the newest branch has all", async (during, pause) => {
    const { path, names, count } = await renameDuring(during, pause);
    const lines = await linesOf(path);
    expect(lines.every(isJsonObject)).toBe(true);
    const written = lines.map((line) => String(line?.id)).filter((id) => id.startsWith("agent"));
    expect(written).toEqual(Array.from({ length: count }, (_, n) => `agent${n}`));
    const named = lines.filter((line) => line?.type === "session_info").map((line) => line?.name);
    expect([...new Set(named)]).toEqual(names);
    const entries = await branchOf(library, path);
    expect(entries.filter((entry) => entry.type === "message")).toHaveLength(4 + count);
    expect((await openWithAgent(path)).messages).toHaveLength(4 + count);
  });
});
