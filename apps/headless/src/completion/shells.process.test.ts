import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type IPty, spawn } from "node-pty";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { call, testBinary, until } from "../binary.fixture.ts";
import { writeSamples } from "../demo/samples.ts";
import { SHELLS, type ShellName } from "./complete.ts";

const binary = testBinary("completion");

/** The shells without what somebody has configured, and how each loads a completion. */
const STARTS: Record<ShellName, { args: string[]; load: string }> = {
  bash: { args: ["--norc", "--noprofile", "-i"], load: "source <(session-cli completion bash)" },
  zsh: { args: ["-f", "-i"], load: "autoload -Uz compinit && compinit -u -D; source <(session-cli completion zsh)" },
  fish: { args: ["--no-config", "-i"], load: "session-cli completion fish | source" },
};

/** A shell starts several programs, which a busy machine takes its time for. */
const MAX_SHELL_MS = 60_000;

/** The end of a word, which a shell shows when it has completed it: none of them is in what is typed. */
const LAST_LETTERS = 3;

let open: IPty[] = [];
let bin: string;

beforeEach(async () => {
  await writeSamples(join(binary.folder, ".pi", "agent", "sessions"), Date.now());
  bin = join(binary.folder, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "session-cli"), `#!/bin/sh\nexec '${process.execPath}' '${binary.path}' "$@"\n`);
  await chmod(join(bin, "session-cli"), 0o755);
});

afterEach(() => {
  for (const terminal of open) terminal.kill("SIGKILL");
  open = [];
});

/** Types a command line and a TAB into a new shell, and gives the words that the line is then, the last of which is `last`. */
async function type(shell: ShellName, line: string, last = ""): Promise<string[]> {
  const { args, load } = STARTS[shell];
  const terminal = spawn(shell, args, {
    cols: 200,
    rows: 50,
    cwd: binary.folder,
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      HOME: binary.folder,
      TMPDIR: binary.folder,
      TERM: "xterm",
      LANG: "C.UTF-8",
    },
  });
  open.push(terminal);
  let shown = "";
  terminal.onData((data) => (shown += data));
  const saw = (text: string) => until(() => (stripVTControlCharacters(shown).includes(text) ? true : undefined));
  terminal.write(`${load}\r`);
  terminal.write("echo rea''dy\r");
  await saw("ready");
  // The line is not run: what it has become is given to a program that writes it down.
  terminal.write(
    shell === "fish"
      ? "function record; printf '%s\\n' $argv > recorded; end\r"
      : "record() { printf '%s\\n' \"$@\" > recorded; }\r",
  );
  terminal.write(`${line}\t`);
  await saw(last.slice(-LAST_LETTERS));
  terminal.write("\u0001record \r");
  const recorded = join(binary.folder, "recorded");
  const text = await until(async () => (await readFile(recorded, "utf8").catch(() => "")) || undefined);
  return text.trimEnd().split("\n");
}

describe.each(SHELLS)("a TAB in %s", (shell) => {
  const isThere = spawnSync(shell, ["--version"]).status === 0;
  if (!isThere && (process.env.SESSION_MANAGER_ALL_TESTS === "1" || process.env.CI === "true")) {
    throw new Error(`This test needs ${shell}, which is not installed: apt-get install ${shell}`);
  }
  if (!isThere) console.info(`A test is skipped because ${shell} is not installed.`);

  it.runIf(isThere).each([
    ["session-cli sea", ["session-cli", "search"]],
    ["session-cli list --favo", ["session-cli", "list", "--favorites"]],
    ["session-cli list --sort cr", ["session-cli", "list", "--sort", "created"]],
    ["session-cli call toggle_f", ["session-cli", "call", "toggle_favorite"]],
    ["session-cli live ab", ["session-cli", "live", "abort"]],
  ])(
    "completes %s without a server",
    async (line, words) => {
      expect(await type(shell, line, words.at(-1))).toEqual(words);
    },
    MAX_SHELL_MS,
  );

  it.runIf(isThere).each([
    ["session-cli list --tag wo", ["session-cli", "list", "--tag", "work and play"]],
    ["session-cli show xylo", ["session-cli", "show", "Xylophone and drums"]],
  ])(
    "completes %s with what the server knows",
    async (line, words) => {
      const { url } = await binary.serve();
      await call(url, "create_tag", { name: "work and play", color: "#112233", parent_id: null });
      const [session] = await call<{ path: string }[]>(url, "scan_sessions");
      await call(url, "rename_session", { path: session?.path, name: "Xylophone and drums" });
      expect(await type(shell, line, words.at(-1))).toEqual(words);
    },
    MAX_SHELL_MS,
  );
});
