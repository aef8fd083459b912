import type { ClientEvent } from "@sm/router/client";
import { describe, expect, it } from "vitest";
import { EXIT } from "../failure.ts";
import { runFake } from "../fake-shell.fixture.ts";

const TERMINAL = { columns: 120, env: { NO_COLOR: "1" } };

const running = {
  id: "4f2a91c0-1",
  cwd: "/home/user/app",
  shell: "/bin/bash",
  pid: 71,
  cols: 80,
  rows: 24,
  started_at: "2026-06-01T12:00:00.000Z",
  exit: null,
};
const ended = { ...running, id: "4f2a91c0-2", exit: { exit_code: 3, signal: null } };
const answers = { list_terminals: [running, ended], terminal_close: { id: running.id } };

describe("terminals attach", () => {
  const output = (seq: number, data: string): ClientEvent => ({
    event: "terminal-output",
    seq: 100 + seq,
    payload: { id: running.id, seq, data },
  });
  const exit: ClientEvent = {
    event: "terminal-exit",
    seq: 200,
    payload: { id: running.id, exit_code: null, signal: "SIGHUP" },
  };
  const attaching = {
    ...answers,
    terminal_resize: { id: running.id },
    terminal_write: { id: running.id },
    attach_terminal: { id: running.id, cols: 80, rows: 24, seq: 2, data: "\u001b[1m$ " },
  };
  const attach = (more: object) =>
    runFake(["terminals", "attach", running.id], { ...TERMINAL, answers: attaching, typed: "", ...more });
  const RESTORED = "\u001b[?25h\u001b[0m\r\n";

  it("shows what is there, and what comes after it, until the program ends", async () => {
    const run = await attach({ typed: undefined, events: [output(2, "again"), output(3, "ls\r\n"), exit] });
    expect(run.error).toMatchObject({ exitCode: EXIT.usage });
    const shown = await attach({ stays: true, events: [output(2, "again"), output(3, "ls\r\n"), exit] });
    expect(shown.error).toBeNull();
    expect(shown.stdout.endsWith(RESTORED)).toBe(true);
    expect(shown.stdout.split("\u001b[?1049l")[0]).toBe("\u001b[1m$ ls\r\n");
    expect(shown.stderr).toBe("The program exited (SIGHUP).\n");
    expect(shown.raw).toEqual([true, false]);
    expect(shown.followed).toEqual([["terminal:4f2a91c0-1"]]);
    expect(shown.sent).toContainEqual(["terminal_resize", { id: running.id, cols: 120, rows: 30 }]);
  });

  it("sends what is typed, up to Ctrl+]", async () => {
    const run = await attach({ typed: "ls\r\u001dnot this" });
    expect(run.error).toBeNull();
    expect(run.sent.filter(([command]) => command === "terminal_write")).toEqual([
      ["terminal_write", { id: running.id, data: "ls\r" }],
    ]);
    expect(run.stderr).toBe("Detached. The terminal keeps running.\n");
    expect(run.raw).toEqual([true, false]);
  });

  it("says why what is typed does not arrive", async () => {
    const refused = Object.assign(new Error("The program has ended."), { code: "CONFLICT" });
    const run = await attach({ typed: "x", stays: true, answers: { ...attaching, terminal_write: refused } });
    expect(run.error).toBe(refused);
    expect(run.raw).toEqual([true, false]);
  });

  it("shows a terminal that has ended, and ends", async () => {
    const run = await runFake(["terminals", "attach", ended.id], {
      ...TERMINAL,
      answers: attaching,
      typed: "",
      stays: true,
    });
    expect(run.stderr).toBe("The program exited (3).\n");
  });
});

describe("terminals", () => {
  it.each([[["terminals"]], [["terminals", "list"]]])("lists them: %j", async (argv) => {
    const { stdout, connected } = await runFake(argv, { ...TERMINAL, answers });
    expect(stdout).toMatch(/^ID +PROGRAM +DIRECTORY +STARTED +PID +SIZE +ENDED$/m);
    expect(stdout).toMatch(/^4f2a91c0-1 +\/bin\/bash +\/home\/user\/app +2026-06-01 \d\d:00 +71 +80×24$/m);
    expect(stdout).toMatch(/^4f2a91c0-2 .* 3$/m);
    expect(connected).toMatchObject([{ only: "server" }]);
    expect(JSON.parse((await runFake([...argv, "--json"], { answers })).stdout)).toEqual(answers.list_terminals);
    expect((await runFake(argv, { ...TERMINAL, answers: { list_terminals: [] } })).stdout).toBe("0 terminals\n");
  });

  it("opens one, and shows it where there is a terminal", async () => {
    const opening = { ...answers, create_terminal: running };
    const run = await runFake(["terminals", "open", "/code", "--shell", "bash"], { answers: opening });
    expect(run.sent).toEqual([["create_terminal", { cwd: "/code", shell: "bash" }]]);
    expect(run.stdout).toBe("Opened 4f2a91c0-1 in /home/user/app.\n");
    const attaching = { ...opening, attach_terminal: { id: running.id, seq: 1, data: "$ " }, terminal_resize: {} };
    const here = await runFake(["terminals", "open", "/code"], { ...TERMINAL, answers: attaching, typed: "\u001d" });
    expect(here.sent[0]).toEqual(["create_terminal", { cwd: "/code", cols: 120, rows: 30 }]);
    expect(here.stderr).toBe("Detached. The terminal keeps running.\n");
  });

  it("writes what one has shown, without what a terminal obeys", async () => {
    const data = "\u001b[1m$ \u001b]0;title\u0007ls\r\na\u0008b\r\n$ ";
    const shown = { ...answers, attach_terminal: { id: running.id, cols: 80, rows: 24, seq: 1, data, sizes: [] } };
    const { stdout } = await runFake(["terminals", "show", running.id], { answers: shown });
    expect(stdout).toBe("$ ls\na␈b\n$ \n");
  });

  it("closes one", async () => {
    const { stdout, sent } = await runFake(["terminals", "close", "4f2a91c0-1"], { ...TERMINAL, answers });
    expect(sent.at(-1)).toEqual(["terminal_close", { id: "4f2a91c0-1" }]);
    expect(stdout).toBe("Closed 4f2a91c0-1.\n");
  });

  it.each([
    ["4f2a", ["  4f2a91c0-1  /home/user/app", "  4f2a91c0-2  /home/user/app"]],
    ["nobody", []],
  ])("closes none where %j is not clear", async (named, lines) => {
    const { error, sent } = await runFake(["terminals", "close", named], { answers });
    expect(error).toMatchObject({ exitCode: EXIT.notFound, lines });
    expect(sent.map(([command]) => command)).toEqual(["list_terminals"]);
  });
});
