import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runFake } from "../fake-shell.fixture.ts";

const TERMINAL = { columns: 100, env: { NO_COLOR: "1" } };
const URL = "https://sessions.example.org/share/secret";

const tides = {
  id: "5f0c1d9e3a524c8b9d572f6f0f8a1b2c",
  session_path: "/s/a.jsonl",
  title: "Tides",
  created_at: "2026-06-01T12:00:00.000Z",
  expires_at: "2026-06-08T12:00:00.000Z",
  size_bytes: 12_000,
  opened_count: 3,
  last_opened_at: null,
};
const twins = ["70000000a", "70000000b"].map((start) => ({ ...tides, id: start.padEnd(32, "0") }));

const answers = {
  share_session: { ...tides, url: URL },
  list_shares: { problem: null, shares: [tides, ...twins] },
  revoke_share: { id: tides.id, revoked: true },
};

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-cli-"));
});

afterEach(() => rm(folder, { recursive: true }));

describe("share", () => {
  it("writes the link alone to standard output, and how to end it beside", async () => {
    const run = await runFake(["share", "/s/a.jsonl"], { ...TERMINAL, answers });
    expect(run).toMatchObject({ stdout: `${URL}\n`, error: null });
    expect(run.stderr).toMatch(/until 2026-06-08 \d\d:00.*session-cli share --revoke 5f0c1d9e ends it/);
    expect(run.sent).toEqual([["share_session", { path: "/s/a.jsonl" }]]);
  });

  it("shares what is wanted, for as long as is wanted", async () => {
    const options = [
      "--no-thinking",
      "--no-tools",
      "--notes",
      "--subagents",
      "--redact-word",
      "Ada",
      "--theme",
      "dark",
    ];
    const run = await runFake(["share", "/s/a.jsonl", ...options, "--expires", "2099-01-01T00:00Z"], { answers });
    expect(run.sent).toEqual([
      [
        "share_session",
        {
          path: "/s/a.jsonl",
          include_thinking: false,
          include_tools: false,
          include_notes: true,
          include_subagents: true,
          redact_words: ["Ada"],
          theme: "dark",
          expires_at: "2099-01-01T00:00:00.000Z",
        },
      ],
    ]);
  });

  it("writes a redacted page to a folder, and replaces nothing there", async () => {
    const argv = ["share", "/s/a.jsonl", "--folder", folder, "--no-tools"];
    const first = await runFake(argv, { content: "page", fileName: "Tides.html" });
    expect(first.sent).toEqual([
      ["download", { path: "/s/a.jsonl", format: "html", include_tools: "false", redact: "true" }],
    ]);
    expect(await readdir(folder)).toEqual(["Tides.html"]);
    expect(await readFile(join(folder, "Tides.html"), "utf8")).toBe("page");
    await writeFile(join(folder, "Tides.html"), "mine");
    expect((await runFake(argv, { content: "page", fileName: "Tides.html" })).error).toMatchObject({ exitCode: 4 });
    expect(await readFile(join(folder, "Tides.html"), "utf8")).toBe("mine");
  });

  it("lists the links", async () => {
    const { stdout } = await runFake(["share", "--list"], { ...TERMINAL, answers });
    expect(stdout).toMatch(/^ID +TITLE +EXPIRES +OPENED +LAST OPENED +SIZE/);
    expect(stdout).toMatch(/^5f0c1d9e +Tides +2026-06-08 \d\d:00 +3 +never +12\.0 kB/m);
    const json = await runFake(["share", "--list", "--json"], { answers });
    expect(JSON.parse(json.stdout)).toEqual(answers.list_shares);
  });

  it.each([tides.id, "5f0c1d9e", "5"])("revokes %s", async (named) => {
    const run = await runFake(["share", "--revoke", named], { answers });
    expect(run.sent.at(-1)).toEqual(["revoke_share", { id: tides.id }]);
    expect(run.stdout).toBe('Revoked the link to "Tides".\n');
  });

  it("lists the candidates of a beginning that several ids have", async () => {
    const { error, sent } = await runFake(["share", "--revoke", "70000000"], { answers });
    expect(error).toMatchObject({ exitCode: 3, lines: twins.map(({ id }) => expect.stringContaining(id)) });
    expect(sent).toHaveLength(1);
  });

  it.each([URL, ""])("revokes nothing for %j, and does not repeat it", async (named) => {
    const { error, sent } = await runFake(["share", "--revoke", named], { answers });
    expect(error).toMatchObject({ exitCode: 3 });
    expect(String(error)).not.toContain("secret");
    expect(sent).toHaveLength(1);
  });

  it.each([
    [[], "name a session"],
    [["/s/a.jsonl", "--list"], "name a session"],
    [["--list", "--revoke", "5"], "name a session"],
    [["--list", "--folder", "x"], "need a session"],
    [["/s/a.jsonl", "--folder", "x", "--expires", "7d"], "does not end"],
  ])("refuses %j", async (options, reason) => {
    const run = await runFake(["share", ...options], { answers });
    expect(run).toMatchObject({ sent: [], stderr: expect.stringContaining(reason) });
  });
});
