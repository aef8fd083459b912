import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claudeCorpus } from "../../format/claude-code/corpus.fixture.ts";
import { codexCorpus } from "../../format/codex/corpus.fixture.ts";
import { CONVERTED_FROM } from "../../hand-over/pi-lines.ts";
import type { JsonObject } from "../../json.ts";
import { codeOf, SessionText, TestHome } from "./library.fixture.ts";
import type { Library } from "./library.ts";

const CLAUDE_ID = "0b3f7c52-6f0e-4d9c-9a54-3c1d2e4f5a60";
const CWD = "/home/dev/tide clock";

let home: TestHome;
let library: Library;
let claude: string;
let codex: string;

beforeAll(async () => {
  home = await TestHome.create();
  const inCwd = (lines: readonly JsonObject[]) => lines.map((line) => ("cwd" in line ? { ...line, cwd: CWD } : line));
  claude = await home.write(`claude/${CLAUDE_ID}.jsonl`, inCwd(claudeCorpus.lines));
  codex = await home.write("codex/rollout-1.jsonl", [...codexCorpus.lines]);
  library = await home.open();
  await library.ready();
});
afterAll(() => home[Symbol.asyncDispose]());

async function linesOf(path: string): Promise<JsonObject[]> {
  const text = await readFile(path, "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as JsonObject);
}

async function snapshot(path: string) {
  const { mtimeMs, ctimeMs, ino } = await stat(path);
  return { text: await readFile(path, "utf8"), mtimeMs, ctimeMs, ino };
}

describe("a session of another agent as one of pi", () => {
  it("is a new file in the folder that pi has for its directory, and the source stays as it is", async () => {
    const before = await snapshot(claude);
    const { session, command, ...rest } = await library.convert({ path: claude, to: "pi" });
    expect(rest).toEqual({ to: "pi", brief: null, brief_path: null });
    expect(dirname(session?.path ?? "")).toBe(join(home.sessions, "--home-dev-tide clock--"));
    expect(basename(session?.path ?? "")).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_[0-9a-f-]{36}\.jsonl$/);
    expect(session).toMatchObject({ format: "pi", cwd: CWD, parent_session_path: claude, relation: "fork" });
    expect(command).toBe(`cd '${CWD}' && pi --session '${session?.path}'`);
    expect(await snapshot(claude)).toEqual(before);
    expect(await readdir(dirname(session?.path ?? ""))).toEqual([basename(session?.path ?? "")]);
  });

  it("says in its first entry where it comes from", async () => {
    const { session } = await library.convert({ path: claude, to: "pi" });
    const [, entry] = await linesOf(session?.path ?? "");
    expect(entry).toMatchObject({
      type: "custom",
      customType: CONVERTED_FROM,
      data: { format: "claude-code", session_id: CLAUDE_ID, path: claude, converted_at: expect.any(String) },
    });
  });

  it.each([
    ["Claude Code", () => claude],
    ["Codex", () => codex],
  ])("of %s opens in the agent", async (_, path) => {
    const { session } = await library.convert({ path: path(), to: "pi" });
    const source = await library.session(path());
    const agent = SessionManager.open(session?.path ?? "");
    const { messages } = agent.buildSessionContext();
    expect(agent.getHeader()?.cwd).toBe(source.cwd);
    expect(messages.some(({ role }) => role === "assistant")).toBe(true);
    expect(JSON.stringify(agent.getEntries())).toContain(JSON.stringify(source.first_message).slice(1, 40));
  });

  it("counts no usage again", async () => {
    const before = await library.statistics();
    const { session } = await library.convert({ path: claude, to: "pi" });
    await library.ready();
    expect(session?.usage.total_tokens).toBe(0);
    expect((await library.statistics()).totals.usage).toEqual(before.totals.usage);
  });

  it("ends at the entry that was named", async () => {
    const { entries } = await library.readEntries({ path: claude, limit: 500 });
    const prompt = entries.find(({ type }) => type === "user");
    const { session } = await library.convert({ path: claude, to: "pi", entry_id: String(prompt?.uuid) });
    expect(session?.assistant_message_count).toBe(0);
  });
});

describe("a session of pi as another one", () => {
  it("has the lines of the branch unchanged, and where they come from", async () => {
    const text = new SessionText().user("question");
    const path = await home.write("flat/one.jsonl", text.assistant("first").from(text.leaf).assistant("second").lines);
    const { session } = await library.convert({ path, to: "pi" });
    expect(dirname(session?.path ?? "")).toBe(join(home.sessions, "--home-dev-project--"));
    const lines = await linesOf(session?.path ?? "");
    const source = await linesOf(path);
    expect(lines[1]).toEqual(source[1]);
    expect(lines.at(-1)).toMatchObject({ customType: CONVERTED_FROM, data: { format: "pi", path } });
    expect(SessionManager.open(session?.path ?? "").getLeafId()).toBe(lines.at(-1)?.id);
  });
});

describe("a brief", () => {
  it("is in a file of the service that nobody else reads, with the command that starts the agent with it", async () => {
    const { session, brief, brief_path, command } = await library.convert({ path: codex, to: "claude-code" });
    const { cwd, title } = await library.session(codex);
    expect(session).toBeNull();
    expect(brief?.split("\n")[0]).toBe(`# Hand-over: ${title}`);
    expect(dirname(brief_path ?? "")).toBe(join(home.data, "briefs"));
    expect(await readFile(brief_path ?? "", "utf8")).toBe(brief);
    expect((await stat(brief_path ?? "")).mode & 0o777).toBe(0o600);
    expect(command).toBe(`cd ${cwd} && claude "$(cat ${brief_path})"`);
  });

  it("has words of the user's own replaced, and a session of pi refuses them", async () => {
    const { title } = await library.session(codex);
    const [word = ""] = title.split(" ").filter((one) => /^\p{L}{3,}$/u.test(one));
    const { brief } = await library.convert({ path: codex, to: "claude-code", redact_words: [word.toUpperCase()] });
    expect(brief).toContain("[redacted:word-1]");
    expect(brief?.split("\n")[0]).toBe(`# Hand-over: ${title.replaceAll(word, "[redacted:word-1]")}`);
    const toPi = library.convert({ path: codex, to: "pi", redact_words: [word] });
    await expect(toPi).rejects.toMatchObject({ code: "INVALID_PAYLOAD", details: [{ path: "redact_words" }] });
  });

  it("is kept for a week", async () => {
    const old = join(home.data, "briefs", "codex-old.md");
    await library.convert({ path: claude, to: "codex" });
    await writeFile(old, "# Old");
    const past = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
    await utimes(old, past, past);
    const unfinished = join(home.data, "briefs", ".codex-old.md.left");
    await writeFile(unfinished, "# Ol");
    await utimes(unfinished, past, past);
    const { brief_path } = await library.convert({ path: claude, to: "codex" });
    const left = await readdir(join(home.data, "briefs"));
    expect(left).toContain(basename(brief_path ?? ""));
    expect(left).not.toContain("codex-old.md");
    expect(left).not.toContain(".codex-old.md.left");
  });
});

describe("refuses", () => {
  it.each<[string, object, string]>([
    ["an unknown entry", { entry_id: "missing", to: "pi" }, "NOT_FOUND"],
    ["an unknown entry for a brief", { entry_id: "missing", to: "codex" }, "NOT_FOUND"],
    ["an unknown agent", { to: "emacs" }, "INVALID_PAYLOAD"],
    ["a path outside", { path: "/etc/passwd", to: "pi" }, "FORBIDDEN"],
  ])("%s", async (_, payload, code) => {
    expect(await codeOf(library.convert({ path: claude, ...payload } as never))).toBe(code);
  });

  it("an unknown entry before a folder is made for it", async () => {
    const path = await home.write("claude/elsewhere.jsonl", [
      { type: "user", uuid: "u1", sessionId: "s", cwd: "/elsewhere", message: { role: "user", content: "Where?" } },
    ]);
    expect(await codeOf(library.convert({ path, to: "pi", entry_id: "missing" }))).toBe("NOT_FOUND");
    expect(await readdir(home.sessions)).not.toContain("--elsewhere--");
  });

  it("a folder that cannot be made, and names it", async () => {
    const path = await home.write("claude/blocked.jsonl", [
      { type: "user", uuid: "u1", sessionId: "s", cwd: "/blocked", message: { role: "user", content: "Where?" } },
    ]);
    const folder = join(home.sessions, "--blocked--");
    await writeFile(folder, "a file");
    await expect(library.convert({ path, to: "pi" })).rejects.toThrow(folder);
  });

  it("a directory whose name is too long for the folder of its sessions", async () => {
    const path = await home.write("claude/long.jsonl", [
      {
        type: "user",
        uuid: "u1",
        sessionId: "s",
        cwd: `/${"long/".repeat(60)}`,
        message: { role: "user", content: "?" },
      },
    ]);
    expect(await codeOf(library.convert({ path, to: "pi" }))).toBe("CONFLICT");
  });

  it("a session without a directory to go on in", async () => {
    const path = await home.write("claude/without.jsonl", [
      { type: "user", uuid: "u1", parentUuid: null, sessionId: "s", message: { role: "user", content: "Where?" } },
    ]);
    expect(await codeOf(library.convert({ path, to: "pi" }))).toBe("CONFLICT");
    expect((await library.convert({ path, to: "codex" })).command).toMatch(/^codex "\$\(cat /);
  });
});
