import { copyFile, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { describe, expect, it } from "vitest";
import { isJsonObject, type JsonObject } from "../json.ts";
import { parseLine } from "../session/jsonl.ts";
import {
  codeOf,
  jsonl,
  LIST,
  SessionText,
  searchFor,
  TestHome,
  touch,
  untilIndexed,
  withoutTree,
} from "./library.fixture.ts";
import { type Child, startScript } from "./state/child-script.fixture.ts";

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

async function linesOf(path: string): Promise<(JsonObject | null)[]> {
  return (await readFile(path, "utf8")).trimEnd().split("\n").map(parseLine);
}

describe("a renamed session", () => {
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
    await using home = await TestHome.create();
    const session = conversation();
    const path = await home.write("p/a.jsonl", end(jsonl(lines(session))));
    await touch(path, "2026-03-02T00:00:00.000Z");
    const before = await readFile(path);
    const { messages } = await openWithAgent(path);
    expect(messages).toHaveLength(4);

    const library = await home.open();
    const record = await library.rename(path, NAME);

    expect(record).toMatchObject({ path, name: NAME, message_count: 4, last_message: "second answer" });
    const after = await readFile(path);
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    expect((await stat(path)).mtime.toISOString()).toBe("2026-03-02T00:00:00.000Z");
    const added = after.subarray(before.length).toString();
    expect(added).toMatch(before.at(-1) === 0x0a ? /^\{.*\}\n$/ : /^\n\{.*\}\n$/);
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
    await using home = await TestHome.create();
    const path = await home.write("p/a.jsonl", conversation().lines);
    const library = await home.open();
    await library.rename(path, "for a while");
    expect(await library.rename(path, "")).toMatchObject({ name: null, title: "first question" });
    expect((await openWithAgent(path)).name).toBeUndefined();
  });

  it("hangs below the last entry of the tree, on whatever branch and of whatever type", async () => {
    await using home = await TestHome.create();
    const session = conversation();
    const answer = session.leaf;
    session.from("00000000").user("an orphan").from(answer).entry({ type: "label", targetId: answer, label: "here" });
    const path = await home.write("p/a.jsonl", [...session.lines, { type: "session", id: "again" }, { id: "no type" }]);
    const library = await home.open();
    await library.rename(path, "one");
    await library.rename(path, "two");
    const [one, two] = (await linesOf(path)).slice(-2);
    expect(one).toMatchObject({ name: "one", parentId: session.leaf });
    expect(two).toMatchObject({ name: "two", parentId: one?.id });
  });

  it("is found whatever stands in the last lines", async () => {
    await using home = await TestHome.create();
    const session = conversation().assistant(`long ${"x".repeat(300_000)}`);
    const garbage = `[1]\nnull\n\n  \nno json ${"y".repeat(100_000)}\n`;
    const path = await home.write("p/a.jsonl", jsonl(session.lines) + garbage);
    const library = await home.open();
    expect(await library.rename(path, "found")).toMatchObject({ name: "found" });
    expect((await linesOf(path)).at(-1)).toMatchObject({ parentId: session.leaf });
    expect((await openWithAgent(path)).name).toBe("found");
  });

  it("without a header keeps its conversation on the current branch", async () => {
    await using home = await TestHome.create();
    const tree = await home.write("p/tree.jsonl", conversation().lines.slice(1));
    const sequence = await home.write("p/sequence.jsonl", withoutTree(conversation().lines).slice(1));
    const library = await home.open();
    for (const path of [tree, sequence]) {
      expect(await library.rename(path, "named")).toMatchObject({ name: "named", message_count: 4 });
      const { entries } = await library.readEntries({ path, limit: 100 });
      expect(entries.filter((entry) => entry.type === "message")).toHaveLength(4);
    }
  });

  it("that has a header only gets a name too", async () => {
    await using home = await TestHome.create();
    const path = await home.write("p/a.jsonl", new SessionText().lines);
    const library = await home.open();
    expect(await library.rename(path, "empty yet")).toMatchObject({ name: "empty yet", title: "empty yet" });
    expect((await linesOf(path)).at(-1)).toMatchObject({ parentId: null });
    expect((await openWithAgent(path)).name).toBe("empty yet");
  });

  it("is one line in the file whatever the name, and its title is short", async () => {
    await using home = await TestHome.create();
    const path = await home.write("p/a.jsonl", conversation().lines);
    const library = await home.open();
    const lines = (await linesOf(path)).length;
    const record = await library.rename(path, `two\nlines ${"long ".repeat(100)}`);
    expect(await linesOf(path)).toHaveLength(lines + 1);
    expect(record.title).toMatch(/^two lines long/);
    expect(record.title.length).toBeLessThanOrEqual(200);
  });

  it("is listed and found by the present name only", async () => {
    await using home = await TestHome.create();
    const path = await home.write("p/a.jsonl", conversation().lines);
    const library = await home.open();
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
    await using home = await TestHome.create();
    const other = await home.write("p/other.jsonl", "no session\n");
    const library = await home.open();
    expect(await codeOf(library.rename(join(home.sessions, "p/missing.jsonl"), "x"))).toBe("NOT_FOUND");
    expect(await codeOf(library.rename(other, "x"))).toBe("NOT_FOUND");
    expect(await readFile(other, "utf8")).toBe("no session\n");
  });
});

/** Appends entries as an agent does, each below the one before, as fast as it can, until it has written enough. */
const APPENDER = `
import { appendFileSync, writeSync } from "node:fs";

const [, , path, firstParent, count] = process.argv;
let parentId = firstParent;
for (let n = 0; n < Number(count); n++) {
  const id = "agent" + n;
  const message = { role: "assistant", content: [{ type: "text", text: "line " + n }] };
  appendFileSync(path, JSON.stringify({ type: "message", id, parentId, timestamp: new Date().toISOString(), message }) + "\\n");
  parentId = id;
  if (n === 0) writeSync(1, "begun\\n");
}
`;

describe("while an agent appends as fast as it can", () => {
  async function startAgent(home: TestHome, count: number): Promise<{ path: string; agent: Child }> {
    const session = conversation();
    const path = await home.write("p/live.jsonl", session.lines);
    const script = join(home.directory, "appender.mjs");
    await writeFile(script, APPENDER);
    const agent = startScript(script, [path, session.leaf, String(count)]);
    await agent.hasPrinted(1);
    return { path, agent };
  }

  async function expectNothingLost(home: TestHome, path: string, count: number): Promise<void> {
    const lines = await linesOf(path);
    expect(lines.every(isJsonObject)).toBe(true);
    const written = lines.map((line) => String(line?.id)).filter((id) => id.startsWith("agent"));
    expect(written).toEqual(Array.from({ length: count }, (_, n) => `agent${n}`));
    const agent = SessionManager.open(path);
    expect(agent.buildSessionContext().messages).toHaveLength(4 + count);
    const library = await home.open();
    const { entries } = await library.readEntries({ path, limit: count + 20 });
    expect(entries.filter((entry) => entry.type === "message")).toHaveLength(4 + count);
    await home.close(library);
  }

  it("no line is lost or glued, every name is written, and the newest branch has all", async () => {
    await using home = await TestHome.create();
    const library = await home.open();
    const count = 30_000;
    const { path, agent } = await startAgent(home, count);
    const names: string[] = [];
    while (agent.process.exitCode === null) {
      const name = `name ${names.length}`;
      names.push(name);
      expect(await library.rename(path, name)).toMatchObject({ name });
    }
    expect((await agent.ended).stderr).toBe("");
    expect(names.length).toBeGreaterThan(1);
    await expectNothingLost(home, path, count);
    const written = (await linesOf(path)).filter((line) => line?.type === "session_info").map((line) => line?.name);
    expect([...new Set(written)]).toEqual(names);
  });

  it("and stops just then, the newest branch has all", async () => {
    for (let round = 0; round < 6; round++) {
      await using home = await TestHome.create();
      const library = await home.open();
      const count = 200 + round * 150;
      const { path, agent } = await startAgent(home, count);
      expect(await library.rename(path, "name")).toMatchObject({ name: "name" });
      await agent.ended;
      await expectNothingLost(home, path, count);
    }
  });
});
