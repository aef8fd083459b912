import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SearchHit, SessionRecord } from "@sm/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeFailure, EXIT } from "../failure.ts";
import { type FakeOptions, runFake } from "../fake-shell.fixture.ts";
import { displayWidth } from "../terminal/width.ts";

const HOSTILE = "\x1b]52;c;eA==\x07\x1b[2J\r\u202e\u009b31m";
/** What session-cli itself writes to colour a text. */
const COLOUR = /\p{Cc}\[\d+m/gu;

function record(fields: Partial<SessionRecord>): SessionRecord {
  return {
    path: `/sessions/${fields.id}.jsonl`,
    id: "id",
    owner: null,
    machine: null,
    format: "pi",
    capabilities: { rename: true, fork: true, delete: true, start: true, resume_command: null },
    source: "file",
    name: null,
    title: "A title",
    cwd: "/home/ada/tide-clock",
    created_at: "2026-06-01T10:00:00.000Z",
    modified_at: "2026-06-01T12:00:00.000Z",
    size_bytes: 1,
    message_count: 12,
    user_message_count: 4,
    assistant_message_count: 4,
    tool_call_count: 0,
    first_message: null,
    last_message: null,
    last_role: null,
    outcome: null,
    outcome_message: null,
    models: [],
    providers: [],
    usage: {
      input_tokens: 0,
      output_tokens: 0,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
      cache_write_1h_tokens: 0,
      reasoning_tokens: 0,
      total_tokens: 0,
      cost_usd: null,
      estimated_cost_usd: null,
    },
    branch_count: 1,
    parent_session_path: null,
    relation: null,
    subagent_count: 0,
    subagent_usage: null,
    rate_limits: null,
    tag_ids: [],
    is_favorite: false,
    archived_at: null,
    expires_at: null,
    note_count: 0,
    is_live: false,
    malformed_lines: 0,
    indexed: true,
    ...fields,
  };
}

function pageOf(...sessions: SessionRecord[]) {
  return { sessions, next_cursor: null, total: sessions.length, pending: 0 };
}

function hit(fields: Partial<SearchHit>): SearchHit {
  return {
    session_path: "/sessions/a.jsonl",
    format: "pi",
    session_id: "0199aaaa-1111",
    session_title: "Tide clock",
    cwd: "/home/ada/tide-clock",
    entry_id: "e1",
    role: "assistant",
    kind: "text",
    tool_name: null,
    timestamp: null,
    snippet: "the tide moves",
    highlights: [[4, 8]],
    score: 1,
    ...fields,
  };
}

function hitsOf(...hits: SearchHit[]) {
  const indexing = { done: 1, pending: 0 };
  return { hits, total: hits.length, total_is_exact: true, next_cursor: null, took_ms: 1, indexing };
}

const TERMINAL = { columns: 80, env: { NO_COLOR: "1" } };

describe("list", () => {
  const sessions = pageOf(
    record({ id: "0199aaaa-1111-0001", is_favorite: true, usage: { ...record({}).usage, cost_usd: 1.5 } }),
    record({ id: "0199aaaa-1111-0002", title: "レシピ検索", cwd: null }),
  );

  it("draws a table on a terminal, with ids that differ", async () => {
    const { stdout } = await runFake(["list"], { ...TERMINAL, answers: { list_sessions: sessions } });
    const [head, first, second, summary] = stdout.split("\n");
    expect(head).toMatch(/^ID +MODIFIED +MESSAGES +COST +PROJECT +TITLE$/);
    expect(first).toMatch(/^0199aaaa-1111-0001 {2}2026-06-01 \d\d:00 +12 {2}\$1\.50 {2}tide-clock +★ A title$/);
    expect(second).toMatch(/^0199aaaa-1111-0002 {2}.* レシピ検索$/);
    expect(summary).toBe("2 sessions");
  });

  it("names the agents where there are several, and leaves those of one over", async () => {
    const { sessions: own } = pageOf(record({ id: "0199aaaa" }), record({ id: "0199bbbb", format: "claude-code" }));
    const answers = { list_sessions: pageOf(...own) };
    const { stdout, sent } = await runFake(["list", "--agent", "claude"], { ...TERMINAL, answers });
    const [head, first, second] = stdout.split("\n");
    expect(head).toMatch(/^ID +MODIFIED +MESSAGES +COST +AGENT +PROJECT +TITLE$/);
    expect([first, second]).toEqual([expect.stringMatching(/ pi +tide/), expect.stringMatching(/ Claude Code +tide/)]);
    expect(sent).toEqual([["list_sessions", { format: "claude-code" }]]);
    const searched = await runFake(["search", "tide", "--agent", "Claude Code"], { answers: { search: hitsOf() } });
    expect(searched.sent).toEqual([["search", { query: "tide", format: "claude-code" }]]);
    const unknown = await runFake(["list", "--agent", "clod"], { answers });
    expect(unknown.stderr).toContain("It must be one of pi, claude-code (Claude Code)");
    expect(unknown.sent).toEqual([]);
  });

  it("leaves over what has all tags that are named", async () => {
    const tag = (id: string, name: string, parent_id: string | null) => ({ id, name, parent_id });
    const answers = { list_sessions: sessions, list_tags: [tag("1", "work", null), tag("2", "urgent", "1")] };
    const { sent } = await runFake(["list", "--tag", "work/urgent", "--tag", "1", "tide"], { answers });
    expect(sent.at(-1)).toEqual(["list_sessions", { query: "tide", tag_ids: ["2", "1"] }]);
    const { error } = await runFake(["list", "--tag", "play"], { answers });
    expect(error).toMatchObject({ exitCode: EXIT.notFound });
  });

  it("says what is not shown", async () => {
    const page = { ...sessions, total: 312, pending: 3 };
    const { stdout } = await runFake(["list"], { ...TERMINAL, answers: { list_sessions: page } });
    expect(stdout).toContain("2 of 312 sessions; 3 more files are being read\n");
  });

  describe("of nothing", () => {
    const answers = { list_sessions: pageOf(), get_all_session_dirs: ["/home/ada/.pi/agent/sessions", HOSTILE] };

    it("says where it looked and what else there is", async () => {
      const { stdout, stderr } = await runFake(["list", "--limit", "5"], { ...TERMINAL, answers });
      expect(stdout).toBe("0 sessions\n");
      for (const word of ["/home/ada/.pi/agent/sessions", "--agent-home", "--demo", "--server"]) {
        expect(stderr).toContain(word);
      }
      expect(stderr).not.toContain(HOSTILE);
    });

    it.each([
      ["of what was asked for", ["tide"], TERMINAL, answers],
      ["that is a favorite", ["--favorites"], TERMINAL, answers],
      ["for a program", ["--json"], {}, answers],
      ["yet", [], TERMINAL, { ...answers, list_sessions: { ...pageOf(), pending: 3 } }],
    ])("%s keeps to itself", async (_what, argv, options, answers) => {
      const { stderr, sent } = await runFake(["list", ...argv], { ...options, answers });
      expect(stderr).toBe("");
      expect(sent).toHaveLength(1);
    });
  });

  it.each([
    ["colours on a terminal", [], { columns: 80 }, true],
    ["none with NO_COLOR", [], { columns: 80, env: { NO_COLOR: "1" } }, false],
    ["none with --no-color", ["--no-color"], { columns: 80 }, false],
    ["none on a terminal that has none", [], { columns: 80, env: { TERM: "dumb" } }, false],
    ["none elsewhere", [], {}, false],
    ["colours elsewhere with --color", ["--color", "always"], { env: { NO_COLOR: "1" } }, true],
  ])("has %s", async (_what, argv, options, coloured) => {
    const { stdout } = await runFake(["list", ...argv], { ...options, answers: { list_sessions: sessions } });
    expect(stdout).toContain("MODIFIED");
    expect(COLOUR.test(stdout)).toBe(coloured);
    COLOUR.lastIndex = 0;
  });

  it.each([{}, { columns: 80 }])("writes JSON where it is asked for (%j)", async (options) => {
    const { stdout, paged } = await runFake(["list", "--json"], { ...options, answers: { list_sessions: sessions } });
    expect(JSON.parse(stdout + paged.join(""))).toEqual(sessions);
  });

  it("cuts nothing where the output is no terminal", async () => {
    const title = "A title that no terminal has room for, ".repeat(5).trim();
    const answers = { list_sessions: pageOf(record({ id: "0199aaaa-1111", title })) };
    expect((await runFake(["list"], { ...TERMINAL, answers })).stdout).toContain("…");
    const { stdout } = await runFake(["list"], { answers });
    expect(stdout).toMatch(/^ID +MODIFIED/);
    expect(stdout).toContain(`  ${title}\n`);
  });

  it.each([["-q"], ["--quiet"]])("writes ids alone with %s", async (quiet) => {
    for (const options of [{}, TERMINAL]) {
      const { stdout, stderr } = await runFake(["list", quiet], { ...options, answers: { list_sessions: sessions } });
      expect({ stdout, stderr }).toEqual({ stdout: "0199aaaa-1111-0001\n0199aaaa-1111-0002\n", stderr: "" });
    }
    const none = { ...TERMINAL, answers: { list_sessions: pageOf(), get_all_session_dirs: ["/x"] } };
    expect(await runFake(["list", quiet], none)).toMatchObject({ stdout: "", stderr: "", error: null });
  });
});

describe("search", () => {
  it("names the agents where sessions are of several", async () => {
    const other = hit({
      session_path: "/b",
      session_id: "0199bbbb-2222",
      session_title: "Other",
      format: "claude-code",
    });
    const { stdout } = await runFake(["search", "x"], { ...TERMINAL, answers: { search: hitsOf(hit({}), other) } });
    const heads = stdout.split("\n").filter((line) => line.includes("tide-clock"));
    expect(heads).toEqual(["Tide clock  0199aaaa  tide-clock  pi", "Other  0199bbbb  tide-clock  Claude Code"]);
  });

  it("shows each session once, its hits below it", async () => {
    const page = hitsOf(
      hit({ timestamp: "2026-06-01T12:00:00.000Z" }),
      hit({ session_path: "/b", session_id: "0199bbbb-2222", session_title: "Other", role: null, kind: "name" }),
      hit({ kind: "tool_result", role: "tool", tool_name: "bash" }),
    );
    const { stdout } = await runFake(["search", "x"], { ...TERMINAL, answers: { search: page } });
    expect(stdout.replace(/2026-06-01 \d\d:00/, "TIME").split("\n")).toEqual([
      "Tide clock  0199aaaa  tide-clock",
      "  TIME · assistant",
      "    the tide moves",
      "  tool · bash",
      "    the tide moves",
      "",
      "Other  0199bbbb  tide-clock",
      "  session · name",
      "    the tide moves",
      "",
      "3 hits",
      "",
    ]);
  });

  it("says how many there are", async () => {
    const page = { ...hitsOf(hit({})), total: 90, total_is_exact: false, indexing: { done: 1, pending: 4 } };
    const { stdout } = await runFake(["search", "x"], { ...TERMINAL, answers: { search: page } });
    expect(stdout).toContain("\n1 of at least 90 hits; 4 sessions are not indexed yet\n");
  });

  it("shows where a query is wrong", async () => {
    const failed = async (query: string, options: FakeOptions = TERMINAL) => {
      const { error, sent } = await runFake(["search", query], options);
      expect(sent).toEqual([]);
      return describeFailure(error);
    };
    expect(await failed("tide (clock")).toEqual({
      text: "The parenthesis at column 6 is not closed.\n  tide (clock\n       ^",
      exitCode: EXIT.usage,
    });
    expect((await failed("潮汐\x1b (clock")).text.split("\n").slice(1)).toEqual(["  潮汐␛ (clock", "        ^"]);
    const [, line = "", mark = ""] = (await failed(`${"word ".repeat(60)}(clock`, { columns: 40 })).text.split("\n");
    expect(line.slice(mark.indexOf("^"))).toBe("(clock");
    expect(displayWidth(line)).toBeLessThanOrEqual(40);
    // A program that reads the error knows the query.
    expect((await failed("tide (clock", {})).text).not.toContain("^");
  });

  it("colours the highlights, also across lines and behind marks", async () => {
    const snippet = `\x1b\u{e0041}${"word ".repeat(13)}first second`;
    const start = snippet.indexOf("first");
    const page = hitsOf(hit({ snippet, highlights: [[start, start + 12]] }));
    const { stdout } = await runFake(["search", "x"], { columns: 80, env: {}, answers: { search: page } });
    const painted = [...stdout.matchAll(/\p{Cc}\[31m(.*?)\p{Cc}\[39m/gu)].map(([, text]) => text);
    expect(painted.map((text) => text?.trim())).toEqual(["first", "second"]);
    for (const line of stdout.replace(COLOUR, "").split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  });
});

describe("what a transcript holds", () => {
  const hostile = record({ id: `x${HOSTILE}`, title: HOSTILE, cwd: `/code/${HOSTILE}`, path: `/${HOSTILE}.jsonl` });
  const answers = {
    list_sessions: pageOf(hostile, { ...hostile, id: `y${HOSTILE}` }),
    search: hitsOf(
      hit({ session_title: HOSTILE, session_id: HOSTILE, cwd: HOSTILE, tool_name: HOSTILE, snippet: `a${HOSTILE}b` }),
    ),
    export_session: { format: "markdown", file_name: "a.md", media_type: "", content: `# Session\n\n${HOSTILE}\n` },
    read_session_entries: { header: null, entries: [{ text: HOSTILE }] },
    rename_session: hostile,
    delete_sessions: { deleted: [{ path: hostile.path, method: "trash", companions: 0, left_behind: [] }], failed: [] },
    list_tokens: [
      {
        id: HOSTILE,
        name: HOSTILE,
        scope: "full",
        hint: HOSTILE,
        created_at: HOSTILE,
        last_used_at: HOSTILE,
        expires_at: HOSTILE,
      },
    ],
    list_tags: [{ id: `${HOSTILE}1`, name: HOSTILE, color: HOSTILE, parent_id: null, session_count: 1 }],
    update_tag: {},
    delete_tag: {},
    assign_tag: {},
    list_favorites: [hostile.path],
    toggle_favorite: { path: hostile.path, is_favorite: false },
    get_config_bundle: { preferences: { [HOSTILE]: HOSTILE } },
    list_config_versions: [
      { id: HOSTILE, created_at: HOSTILE, origin: HOSTILE, size_bytes: 1, sha256: "" },
      { id: "b", created_at: HOSTILE, origin: HOSTILE, size_bytes: 1, sha256: "" },
    ],
    diff_config_versions: {
      changes: [{ path: `/${HOSTILE}`, kind: "changed", from: HOSTILE, to: { [HOSTILE]: HOSTILE } }],
    },
    load_model_config: { path: HOSTILE, exists: true, config: { providers: { [HOSTILE]: {} } } },
    list_model_config_backups: [{ backup_name: HOSTILE, created_at: HOSTILE, size_bytes: 1 }],
    restore_model_config_backup: { backup_name: HOSTILE },
    list_skills: [
      {
        name: HOSTILE,
        description: HOSTILE,
        path: `/${HOSTILE}`,
        source: "project",
        project: HOSTILE,
        enabled: true,
        problems: [HOSTILE],
      },
    ],
    read_resource: { path: HOSTILE, content: HOSTILE },
  };

  it.each([
    [["list"]],
    [["list", "--json"]],
    [["search", "x"]],
    [["show", "last"]],
    [["show", "last", "--json"]],
    [["export", "last"]],
    [["rename", "last", "x"]],
    [["delete", "last", "--yes"]],
    [["delete", "last"]],
    [["call", "list_sessions"]],
    [["token", "list"]],
    [["tag", "list"]],
    [["tag", "rename", HOSTILE, HOSTILE]],
    [["tag", "move", HOSTILE, "/"]],
    [["tag", "delete", HOSTILE]],
    [["tag", "add", HOSTILE, "last"]],
    [["favorite", "list"]],
    [["favorite", "remove", "last"]],
    [["config", "show"]],
    [["config", "versions"]],
    [["config", "diff", "b"]],
    [["models", "show"]],
    [["models", "backups"]],
    [["models", "restore", "last"]],
    [["skills"]],
    [["skills", "show", HOSTILE]],
  ])("never reaches the terminal: %j", async (argv) => {
    for (const columns of [30, 80, 300]) {
      const run = await runFake(argv, { columns, typed: "y\n", env: {}, answers, content: HOSTILE });
      expect(run.error).toBeNull();
      expect(run.stdout + run.paged.join("")).not.toBe("");
      const written = [run.stdout, run.stderr, ...run.paged].join("").replace(COLOUR, "").replaceAll("\n", "");
      expect(written).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });

  it("is exact in an export that is no terminal's", async () => {
    expect((await runFake(["export", "last"], { answers, content: `${HOSTILE}レ👍` })).stdout).toBe(`${HOSTILE}レ👍`);
  });

  it("is shown whole by an export on a terminal", async () => {
    const { stdout } = await runFake(["export", "last"], { columns: 80, answers, content: "レシピ\t👍\r\n" });
    expect(stdout.replaceAll("␍", "")).toBe("レシピ\t👍\n");
  });
});

describe("show", () => {
  const content = "# Session: x\n\n## User\n\nOne\n\n## Assistant\n\nTwo\n";
  const answers = {
    list_sessions: pageOf(record({ id: "a" })),
    export_session: { format: "markdown", file_name: "a.md", media_type: "", content },
    read_session_entries: { header: null, entries: [] },
  };

  it("asks for the newest branch, or the one that is named", async () => {
    const run = await runFake(["show", "/a.jsonl", "--leaf", "e1", "--no-tools", "--no-thinking"], { answers });
    expect(run.sent).toEqual([
      [
        "export_session",
        { path: "/a.jsonl", format: "markdown", leaf_id: "e1", include_thinking: false, include_tools: false },
      ],
    ]);
    expect(run.stdout).toBe(content);
  });

  it("shows the last turns", async () => {
    const { stdout } = await runFake(["show", "last", "--limit", "1"], { answers });
    expect(stdout).toBe("# Session: x\n\n## Assistant\n\nTwo\n");
  });

  it("writes entries as JSON", async () => {
    const run = await runFake(["show", "/a.jsonl", "--json", "--limit", "3"], { answers });
    expect(run.sent).toEqual([["read_session_entries", { path: "/a.jsonl", limit: 3 }]]);
    expect(JSON.parse(run.stdout)).toEqual(answers.read_session_entries);
  });
});

describe("export", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "session-cli-"));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it("writes a file, and no second time without --force", async () => {
    const output = join(folder, "a.html");
    const argv = ["export", "/a.jsonl", "--format", "html", "--output", output];
    const run = await runFake(argv, { content: "レ" });
    expect(run).toMatchObject({ stdout: "", stderr: `Written to ${output}.\n`, error: null });
    expect(run.sent).toEqual([["download", { path: "/a.jsonl", format: "html" }]]);
    expect(await readFile(output, "utf8")).toBe("レ");
    expect(await runFake(argv, { content: "new" })).toMatchObject({ error: { exitCode: 4 } });
    await writeFile(output, "old");
    await runFake([...argv, "--force"], { content: "new" });
    expect(await readFile(output, "utf8")).toBe("new");
    expect(await readdir(folder)).toEqual(["a.html"]);
  });
});

describe("rename", () => {
  it("names a session", async () => {
    const answers = { rename_session: record({ id: "a", title: "New name" }) };
    const run = await runFake(["rename", "/a.jsonl", "New name"], { ...TERMINAL, answers });
    expect(run.sent).toEqual([["rename_session", { path: "/a.jsonl", name: "New name" }]]);
    expect(run.stdout).toBe("Renamed to New name.\n");
  });
});
