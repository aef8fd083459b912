import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError, ConnectionError } from "@sm/router/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeFailure, EXIT } from "../failure.ts";
import { runFake } from "../fake-shell.fixture.ts";

const HOSTILE = "\x1b]52;c;eA==\x07\u202e";

const SESSIONS = [
  { id: "0199aaaa-1", title: "Fix login", path: "/s/a.jsonl" },
  { id: "0199aaab-2", title: "fix login", path: "/s/b.jsonl" },
  { id: "0199bbbb-3", title: "Tides", path: "/s/c.jsonl" },
];

const answers = { list_sessions: { sessions: SESSIONS, next_cursor: null } };

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-cli-"));
});

afterEach(() => rm(folder, { recursive: true }));

describe("export of one session", () => {
  it.each<[string[], Record<string, string>]>([
    [[], { format: "markdown" }],
    [["--output", "-", "--format", "json"], { format: "json" }],
    [["--no-thinking", "--no-tools"], { format: "markdown", include_thinking: "false", include_tools: "false" }],
    [["--redact", "--theme", "dark", "--format", "html"], { format: "html", redact: "true", theme: "dark" }],
  ])("goes to standard output with %j", async (options, query) => {
    const run = await runFake(["export", "/s/a.jsonl", ...options], { content: "レ" });
    expect(run).toMatchObject({ stdout: "レ", stderr: "", error: null });
    expect(run.sent).toEqual([["download", { path: "/s/a.jsonl", ...query }]]);
  });

  it("replaces words of the user's own, and secrets with them", async () => {
    const words = ["--redact-word", "Ada", "--redact-word", "Acme Corp"];
    const run = await runFake(["export", "/s/a.jsonl", ...words], { content: "x" });
    const query = { path: "/s/a.jsonl", format: "markdown", redact: "true", redact_words: ["Ada", "Acme Corp"] };
    expect(run.sent).toEqual([["download", query]]);
    const previewed = { preview_redactions: { findings: [], total: 0 } };
    const preview = await runFake(["export", "/s/a.jsonl", "--preview", ...words], { answers: previewed });
    expect(preview.sent).toEqual([
      ["preview_redactions", expect.objectContaining({ redact_words: ["Ada", "Acme Corp"] })],
    ]);
  });

  it.each([
    ["a.html", "html"],
    ["a.md", "markdown"],
    ["a.json", "json"],
    ["a.jsonl", "jsonl"],
  ])("goes to %s as %s", async (name, format) => {
    const output = join(folder, name);
    const run = await runFake(["export", "/s/a.jsonl", "--output", output], { content: "x" });
    expect(run).toMatchObject({ stderr: `Written to ${output}.\n`, error: null });
    expect(run.sent).toEqual([["download", { path: "/s/a.jsonl", format }]]);
    expect(await readFile(output, "utf8")).toBe("x");
  });

  it("goes into a folder under the name that the service gives it", async () => {
    const run = await runFake(["export", "/s/a.jsonl", "--output", folder], { content: "x", fileName: "潮.html" });
    expect(run).toMatchObject({ stderr: `Written to ${join(folder, "潮.html")}.\n`, error: null });
    expect(await readdir(folder)).toEqual(["潮.html"]);
  });

  it.each(["../../evil.sh", "/etc/evil.html", "..", "", "a\\..\\evil.exe", `${HOSTILE}.html`])(
    "stays in its folder whatever its name: %j",
    async (fileName) => {
      const inner = join(folder, "inner");
      const run = await runFake(["export", "/s/a.jsonl", "--output", `${inner}/`], { content: "x", fileName });
      expect(run.error).toBeNull();
      expect(await readdir(folder)).toEqual(["inner"]);
      expect(await readdir(inner)).toEqual([expect.stringMatching(/^[^/\\\p{C}]+\.html$/u)]);
    },
  );
});

describe("export of several sessions", () => {
  it("goes into a folder, a file each", async () => {
    const output = join(folder, "new", "exports");
    const content = { "/s/a.jsonl": "A", "/s/b.jsonl": "B", "/s/c.jsonl": "C" };
    const argv = ["export", "*", "--output", output, "--format", "markdown"];
    const run = await runFake(argv, { answers, content, fileName: "Fix-login.md" });
    expect(run).toMatchObject({ stdout: "", stderr: `Written to ${output}: 3 sessions.\n`, error: null });
    expect((await readdir(output)).sort()).toEqual(["Fix-login-2.md", "Fix-login-3.md", "Fix-login.md"]);
    expect(await readFile(join(output, "Fix-login-2.md"), "utf8")).toBe("B");
  });

  it("goes into a zip with one request and one download", async () => {
    const output = join(folder, "all.zip");
    const url = "/api/export?ticket=T-1_x";
    const argv = ["export", "*login*", "--output", output, "--no-tools", "--redact"];
    const prepared = { ...answers, export_sessions: { url, expires_at: "2026-01-01T00:00:00.000Z" } };
    const run = await runFake(argv, { answers: prepared, content: "PK" });
    expect(run).toMatchObject({ stderr: `Written to ${output}.\n`, error: null });
    expect(run.sent.slice(1)).toEqual([
      ["export_sessions", { paths: ["/s/a.jsonl", "/s/b.jsonl"], format: "html", include_tools: false, redact: true }],
      ["download", { ticket: "T-1_x" }],
    ]);
    expect(await readFile(output, "utf8")).toBe("PK");
    expect(await readdir(folder)).toEqual(["all.zip"]);
  });

  it("goes into a zip with subagents, if wanted", async () => {
    const url = "/api/export?ticket=T-1_x";
    const prepared = { ...answers, export_sessions: { url, expires_at: "2026-01-01T00:00:00.000Z" } };
    const argv = ["export", "/s/a.jsonl", "--output", join(folder, "all.zip"), "--subagents"];
    const run = await runFake(argv, { answers: prepared, content: "PK" });
    const payload = { paths: ["/s/a.jsonl"], format: "html", include_subagents: true };
    expect(run.sent[0]).toEqual(["export_sessions", payload]);
    const page = await runFake(["export", "/s/a.jsonl", "--output", join(folder, "a.html"), "--subagents"], {
      answers,
    });
    expect(page.sent.at(-1)).toEqual(["download", { path: "/s/a.jsonl", format: "html", include_subagents: "true" }]);
    const file = ["export", "/s/a.jsonl", "--output", join(folder, "a.jsonl"), "--subagents"];
    const preview = ["export", "/s/a.jsonl", "--subagents", "--redact", "--preview"];
    for (const refused of [file, preview]) {
      expect(await runFake(refused)).toMatchObject({ sent: [], error: { exitCode: 2 } });
    }
  });

  it("filters what patterns are matched against", async () => {
    const run = await runFake(["export", "--project", "/shop", "--since", "2026-01-01T00:00Z", "--output", folder], {
      answers,
    });
    expect(run.sent[0]).toEqual([
      "list_sessions",
      { project: "/shop", since: "2026-01-01T00:00:00.000Z", limit: 500, cursor: null },
    ]);
    expect(await readdir(folder)).toHaveLength(3);
  });

  it("does the others where one fails, and tells of it at the end", async () => {
    await writeFile(join(folder, "Tides.html"), "mine");
    const content = { "/s/a.jsonl": "A", "/s/b.jsonl": new CommandError("NOT_FOUND", "It is gone.") };
    const run = await runFake(["export", "*", "--output", folder], { answers, content, fileName: "Tides.html" });
    expect(run.stderr).toContain(`Written to ${folder}: 1 session.\n`);
    const { text, exitCode } = describeFailure(run.error);
    expect(exitCode).toBe(EXIT.refused);
    expect(text.split("\n")).toEqual([
      "2 sessions could not be written:",
      expect.stringMatching(/^ {2}Fix login: .*--force/),
      "  fix login: NOT_FOUND: It is gone.",
    ]);
    expect(await readFile(join(folder, "Tides.html"), "utf8")).toBe("mine");
    expect((await readdir(folder)).sort()).toEqual(["Tides-2.html", "Tides.html"]);
  });

  it("replaces files when it is told to", async () => {
    await writeFile(join(folder, "Tides.html"), "old");
    const argv = ["export", "*tides*", "--output", folder, "--force"];
    expect((await runFake(argv, { answers, content: "new", fileName: "Tides.html" })).error).toBeNull();
    expect(await readFile(join(folder, "Tides.html"), "utf8")).toBe("new");
  });

  it("ends where the others would fail too", async () => {
    const gone = new ConnectionError("NO_ANSWER", "It does not answer.");
    const content = { "/s/a.jsonl": "A", "/s/b.jsonl": gone, "/s/c.jsonl": "C" };
    const run = await runFake(["export", "*", "--output", folder], { answers, content, fileName: "a.html" });
    expect(run.error).toBe(gone);
    expect(run.sent).toHaveLength(3);
    expect(await readdir(folder)).toEqual(["a.html"]);
  });

  it("tells of twenty failures at most", async () => {
    const sessions = Array.from({ length: 30 }, (_, at) => ({ id: `${at}`, title: `T${at}`, path: `/s/${at}.jsonl` }));
    const content = Object.fromEntries(sessions.map(({ path }) => [path, new CommandError("NOT_FOUND", "Gone.")]));
    const many = { list_sessions: { sessions, next_cursor: null } };
    const { text } = describeFailure(
      (await runFake(["export", "*", "--output", folder], { answers: many, content })).error,
    );
    expect(text.split("\n")).toHaveLength(22);
    expect(text).toContain("  and 10 more");
  });

  it("writes nothing where a name stands for no session", async () => {
    const run = await runFake(["export", "*login*", "*recipe*", "--output", folder], { answers });
    expect(run).toMatchObject({ error: { exitCode: EXIT.notFound } });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("export --preview", () => {
  const findings = [
    { type: "openai-key", count: 2, examples: [{ entry_id: "b5", excerpt: `key=[openai-key]${HOSTILE}` }] },
    { type: "email", count: 1, examples: [] },
  ];
  const previews = { ...answers, preview_redactions: { findings, total: 3 } };

  it("shows what would be replaced, and writes nothing", async () => {
    const argv = ["export", "*login*", "--redact", "--preview", "--no-tools"];
    const run = await runFake(argv, { columns: 80, env: { NO_COLOR: "1" }, answers: previews });
    expect(run.error).toBeNull();
    expect(run.stdout).toBe(
      [
        "Fix login",
        "  openai-key × 2",
        "    key=[openai-key]␛]52;c;eA==␇\ufffd",
        "  email × 1",
        "  3 would be replaced",
        "",
        "fix login",
        ...["  openai-key × 2", "    key=[openai-key]␛]52;c;eA==␇\ufffd", "  email × 1", "  3 would be replaced", ""],
      ].join("\n"),
    );
    expect(run.sent.slice(1)).toEqual([
      ["preview_redactions", { path: "/s/a.jsonl", include_thinking: true, include_tools: false }],
      ["preview_redactions", { path: "/s/b.jsonl", include_thinking: true, include_tools: false }],
    ]);
  });

  it("is JSON with --json", async () => {
    const run = await runFake(["export", "/s/a.jsonl", "--redact", "--preview", "--json"], { answers: previews });
    expect(JSON.parse(run.stdout)).toEqual([{ path: "/s/a.jsonl", findings, total: 3 }]);
  });

  it("says where there is nothing", async () => {
    const nothing = { preview_redactions: { findings: [], total: 0 } };
    const argv = ["export", "/s/a.jsonl", "--redact", "--preview"];
    const run = await runFake(argv, { columns: 80, env: { NO_COLOR: "1" }, answers: nothing });
    expect(run.stdout).toBe("/s/a.jsonl\n  nothing would be replaced\n");
  });
});

describe("export refuses", () => {
  it.each([
    [["*"], "--output"],
    [["*", "--output", "all.html"], ".zip"],
    [["*", "--open"], "--open takes one session"],
    [["/s/a.jsonl", "--preview"], "--preview needs --redact"],
    [["/s/a.jsonl", "--preview", "--redact", "--open"], "cannot be combined"],
    [["/s/a.jsonl", "--open", "--format", "json"], "--open needs an HTML file"],
    [["/s/a.jsonl", "--open", "--output", "-"], "--open needs an HTML file"],
    [["/s/a.jsonl", "--open", "--output", "a.zip"], "--open needs an HTML file"],
    [["/s/a.jsonl", "--redact", "--format", "jsonl"], "cannot be redacted"],
    [["/s/a.jsonl", "--redact", "--output", "a.jsonl"], "cannot be redacted"],
    [[], "Name a session"],
    [["last", "--project", "."], "--project"],
  ])("%j", async (argv, message) => {
    const run = await runFake(["export", ...argv], { answers });
    expect(run).toMatchObject({ stdout: "", error: { exitCode: 2, message: expect.stringContaining(message) } });
    expect(run.sent.filter(([command]) => command === "download")).toEqual([]);
  });

  it.each([
    [["last", "--format", "pdf"]],
    [["last", "--theme", "sepia"]],
    [["last", "--since", "once"]],
    [["last", "--redact", "--preview", "--output", "a.html"]],
  ])("%j as wrong usage", async (argv) => {
    expect((await runFake(["export", ...argv], { answers })).error).toMatchObject({ exitCode: 1 });
  });
});
