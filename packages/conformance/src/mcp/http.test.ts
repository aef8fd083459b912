import { appendFile, unlink } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RealService, startRealService } from "../real-service.ts";
import { type McpClient, openHttpClient, REVISIONS } from "./mcp-client.ts";

// What agents do with their memory, by the official SDK's client.

/** Made here, so that no scanner of the repository takes it for a leak. */
const TOKEN = ["ghp", "0123456789abcdefghijklmnopqrstuvwxyz"].join("_");
const LONG = Array.from({ length: 3_000 }, (_, line) => `line ${line} of the long output`).join("\n");

let service: RealService;
let worked: string;

const at = (second: number) => new Date(Date.UTC(2026, 4, 1, 10, 0, second)).toISOString();
const message = (id: string, parentId: string | null, second: number, message: object) => ({
  type: "message",
  id,
  parentId,
  timestamp: at(second),
  message,
});
const calls = (id: string, name: string, args: object) => ({ type: "toolCall", id, name, arguments: args });
const result = (toolCallId: string, toolName: string, text: string, isError = false) => ({
  role: "toolResult",
  toolCallId,
  toolName,
  content: [{ type: "text", text }],
  isError,
});

beforeAll(async () => {
  service = await startRealService();
  worked = await service.home.add("worked", [
    { type: "session", version: 3, id: "worked", timestamp: at(0), cwd: "/srv/tidewater" },
    message("w1", null, 1, { role: "user", content: `Repair the gauge. The token is ${TOKEN}.` }),
    message("w2", "w1", 2, {
      role: "assistant",
      content: [{ type: "text", text: "I try an edit." }, calls("c1", "edit", { path: "src/gauge.ts", newText: "x" })],
    }),
    message("w3", "w2", 3, result("c1", "edit", "Error: oldText was not found", true)),
    message("w4", "w3", 4, {
      role: "assistant",
      content: [calls("c2", "write", { path: "src/gauge.ts", content: "y" }), calls("c3", "bash", { command: "make" })],
    }),
    message("w5", "w4", 5, result("c2", "write", "Wrote src/gauge.ts")),
    message("w6", "w5", 6, result("c3", "bash", `${LONG}\nmake: *** [all] Error 2`, true)),
    message("w7", "w6", 7, { role: "assistant", content: [{ type: "text", text: "The gauge reads again." }] }),
  ]);
  await service.settled();
});

afterAll(() => service[Symbol.asyncDispose]());

describe.each(REVISIONS)("MCP over HTTP, revision %s", (revision) => {
  const open = () => openHttpClient(service.url, revision);

  it("lists five tools that only read, in less than 1,500 tokens", async () => {
    await using mcp = await open();
    expect(mcp.client.getServerVersion()).toMatchObject({ name: "session-manager", version: "1.2.3" });
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "search_past_work",
      "read_session",
      "list_sessions",
      "sessions_of_file",
      "get_session_summary",
    ]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(JSON.stringify(shown).length / 4).toBeLessThan(1_500);
  });

  it("searches, and reads around what it finds", async () => {
    await using mcp = await open();
    const found = await mcp.ask("search_past_work", { query: '"normal form"', project: "project" });
    const [session] = found.data.sessions as { hits: { ref: string }[] }[];
    expect(session).toMatchObject({ session: "branched", agent: "pi", title: "Names with umlauts" });
    expect(session?.hits.map(({ ref }) => ref).sort()).toEqual(["branched#b16", "branched#b7"]);
    expect(found.text).toContain("branched#b7 2026-03-01 10:00 user (text): Use the normal form instead");

    const read = await mcp.ask("read_session", { ref: "branched#b8" });
    const entries = read.data.entries as { entry_id: string }[];
    expect(entries.map(({ entry_id }) => entry_id)).toEqual(["b2", "b3", "b4", "b6", "b7", "b8", "b9", "b15", "b16"]);
    expect(read.text).toContain("#b9 2026-03-01 10:00 tool\n[edit returned]\nEdited src/names.ts");
  });

  it.each([
    [{ ref: "branched", after: "b9" }, ["b15", "b16"]],
    [{ ref: "branched#b9", before: "branched#b4" }, ["b2", "b3"]],
    // An entry on a branch that was left.
    [{ ref: "branched", around: "b5" }, ["b2", "b3", "b4", "b5"]],
    [{ ref: "session://plain" }, ["p1", "p2"]],
  ])("reads %j", async (args, expected) => {
    await using mcp = await open();
    const { data } = await mcp.ask("read_session", args);
    expect((data.entries as { entry_id: string }[]).map(({ entry_id }) => entry_id)).toEqual(expected);
  });

  it("finds texts with some of the words where none has all, and says so", async () => {
    await using mcp = await open();
    const { text, data } = await mcp.ask("search_past_work", { query: "why did umlauts break elephants" });
    expect(text).toMatch(/^No text has all words; these have some of them\. \d+ hits?\./);
    expect(data.sessions).toMatchObject([{ session: "branched" }]);
  });

  it("goes on with them by cursors, each hit once", async () => {
    await using mcp = await open();
    const query = "why did umlauts gauge elephants";
    const refs: string[] = [];
    for (let cursor: unknown, answers = 0; answers === 0 || cursor !== undefined; answers++) {
      expect(answers).toBeLessThan(20);
      const { data, isError } = await mcp.ask("search_past_work", { query, limit: 2, ...(answers > 0 && { cursor }) });
      expect(isError).toBe(false);
      for (const { hits } of data.sessions as { hits: { ref: string }[] }[]) refs.push(...hits.map(({ ref }) => ref));
      cursor = data.next_cursor;
    }
    expect(refs.length).toBeGreaterThan(2);
    expect(new Set(refs).size).toBe(refs.length);
  });

  it("tells who read, wrote or broke a file", async () => {
    await using mcp = await open();
    const { text, data } = await mcp.ask("sessions_of_file", { path: "/srv/tidewater/src/gauge.ts" });
    expect(data.sessions).toMatchObject([
      {
        session: "worked",
        uses: { wrote: 2 },
        calls: [
          { ref: "worked#w4", use: "wrote", tool: "write" },
          { ref: "worked#w2", use: "wrote", tool: "edit", failed: "Error: oldText was not found" },
        ],
      },
    ]);
    expect(text).toContain("- worked#w2 2026-05-01 10:00 wrote (edit) FAILED: Error: oldText");
  });

  it("sums up a session", async () => {
    await using mcp = await open();
    const { text, data } = await mcp.ask("get_session_summary", { ref: "worked" });
    expect(data.parts).toMatchObject([
      { part: "first_prompt", entry_id: "w1" },
      { part: "outcome", entry_id: "w7", text: "The gauge reads again." },
      { part: "changed_files", files: [{ path: "src/gauge.ts", calls: 1 }] },
      {
        part: "failed_calls",
        calls: [
          { ref: "worked#w6", call: "bash: make" },
          { ref: "worked#w3", call: "edit", error: "Error: oldText was not found" },
        ],
      },
    ]);
    expect(text).toContain("make: *** [all] Error 2");
  });

  it("shows the rest of a long entry by cursors, each character once", async () => {
    await using mcp = await open();
    let read = await mcp.ask("read_session", { ref: "worked#w6", max_chars: 20_000 });
    let text = "";
    for (let answers = 0; ; answers++) {
      expect(answers).toBeLessThan(20);
      expect(read.text.length).toBeLessThanOrEqual(20_000);
      const entries = read.data.entries as { entry_id: string; text: string }[];
      text += entries.find(({ entry_id }) => entry_id === "w6")?.text ?? "";
      if (entries.some(({ entry_id }) => entry_id === "w7")) break;
      read = await mcp.ask("read_session", { ref: "worked", max_chars: 20_000, cursor: read.data.next_cursor });
    }
    expect(text).toBe(`[bash failed]\n${LONG}\nmake: *** [all] Error 2`);
  });

  it("replaces secrets", async () => {
    await using mcp = await open();
    const answers = await Promise.all([
      mcp.ask("read_session", { ref: "worked" }),
      mcp.ask("search_past_work", { query: "token gauge" }),
      mcp.ask("list_sessions", { query: "gauge" }),
      mcp.ask("get_session_summary", { ref: "worked" }),
    ]);
    for (const answer of answers) {
      expect(JSON.stringify(answer)).toContain("[redacted:");
      expect(JSON.stringify(answer)).not.toContain(TOKEN.slice(4, 14));
    }
  });

  it("leaves out the session that asks", async () => {
    await using mcp = await open();
    const meta = { "session-manager/session-id": "worked" };
    const listed = (await mcp.ask("list_sessions", {}, meta)).data.sessions as { ref: string }[];
    expect(listed.map(({ ref }) => ref)).toEqual(["branched", "plain", "raw", "old"]);
    expect((await mcp.ask("search_past_work", { query: "gauge" }, meta)).data.sessions).toEqual([]);
    expect((await mcp.ask("sessions_of_file", { path: "src/gauge.ts" }, meta)).data.sessions).toEqual([]);
  });

  it("has sessions as resources, and two prompts", async () => {
    await using mcp = await open();
    const { resources } = await mcp.client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain("session://worked");
    const { contents } = await mcp.client.readResource({ uri: "session://worked" });
    expect(contents[0]).toMatchObject({
      uri: "session://worked",
      text: expect.stringContaining("The gauge reads again."),
    });
    await expect(mcp.client.readResource({ uri: "session://nowhere" })).rejects.toThrow("No session has this id");
    const { prompts } = await mcp.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["brief_me_on_this_project", "hand_over_this_session"]);
    const brief = await mcp.client.getPrompt({ name: "brief_me_on_this_project", arguments: { project: "tidewater" } });
    expect(JSON.stringify(brief.messages)).toContain("Repair the gauge.");
    const handOver = await mcp.client.getPrompt({ name: "hand_over_this_session", arguments: { ref: "worked" } });
    expect(JSON.stringify(handOver.messages)).toContain("The gauge reads again.");
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ["search_past_work", {}, "invalid_arguments", '"query" is required'],
    ["search_past_work", { query: '"open' }, "INVALID_PAYLOAD", "column 1"],
    ["search_past_work", { query: "x", since: "soon" }, "invalid_arguments", '"since" must be'],
    ["search_past_work", { query: "x", max_chars: 50_001 }, "invalid_arguments", "2000 to 50000"],
    ["search_past_work", { query: "x", agent: "emacs" }, "invalid_arguments", "pi, claude-code, codex"],
    ["read_session", { ref: "nothing" }, "not_found", "No session"],
    ["read_session", { ref: "worked#nothing" }, "not_found", "no entry"],
    ["read_session", { ref: "worked", cursor: "nonsense" }, "invalid_cursor", "no cursor"],
    ["read_session", { path: "worked" }, "invalid_arguments", 'Did you mean "ref"'],
    ["sessions_of_file", { path: "/" }, "invalid_arguments", "names no file"],
  ])("%s tells what is wrong with %j", async (name, args, code, words) => {
    await using mcp = await open();
    const { text, data, isError } = await mcp.ask(name, args);
    expect(isError).toBe(true);
    expect(data).toEqual({ error: { code, message: text } });
    expect(text).toContain(words);
  });
});

describe("a session that changes", () => {
  const open = () => openHttpClient(service.url, "2026-07-28");
  const first = (mcp: McpClient) => mcp.ask("read_session", { ref: "worked#w6", max_chars: 2_000 });

  it("is read again from the start: a cursor of its earlier state answers source_changed", async () => {
    await using mcp = await open();
    const { data } = await first(mcp);
    const cursor = data.next_cursor;
    expect((await mcp.ask("read_session", { ref: "worked", cursor })).isError).toBe(false);
    await appendFile(worked, `${JSON.stringify(message("w8", "w7", 8, { role: "user", content: "Thanks." }))}\n`);
    const after = await mcp.ask("read_session", { ref: "worked", cursor });
    expect(after).toMatchObject({ isError: true, data: { error: { code: "source_changed" } } });
    expect((await mcp.ask("read_session", { ref: "branched", cursor })).data).toMatchObject({
      error: { code: "source_changed" },
    });
  });

  it("is found when it is archived, and when its file is gone", async () => {
    await using mcp = await open();
    const found = async () =>
      ((await mcp.ask("search_past_work", { query: '"gauge reads again"' })).data.sessions as object[]).length;
    await service.ask("archive_session", { paths: [worked] });
    expect(await found()).toBe(1);
    expect((await mcp.ask("list_sessions", {})).text).toContain("archived");
    const isKept = async () => {
      const { sessions, pending } = await service.ask<{ sessions: number; pending: number }>("get_vault_status");
      return sessions === 5 && pending === 0;
    };
    while (!(await isKept())) await new Promise((resolve) => setTimeout(resolve, 20));
    await unlink(worked);
    await service.settled();
    expect(await found()).toBe(1);
    expect((await mcp.ask("read_session", { ref: "worked" })).text).toContain("file is gone");
  });
});
