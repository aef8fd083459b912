import { stripVTControlCharacters } from "node:util";
import { displayWidth } from "./width.ts";

/** Shows a text in the user's pager. `false` if it cannot be started: nothing was shown then. */
export type Pager = (text: string) => Promise<boolean>;

/** Exit codes of a shell that cannot start a program. */
const NOT_STARTED = [126, 127];

/**
 * Finds the user's pager: `PAGER`, else `less`. `null` if disabled: `NO_PAGER` is set, or `PAGER` is empty or `cat`.
 */
export function findPager(env: NodeJS.ProcessEnv): Pager | null {
  const { PAGER, NO_PAGER } = env;
  if (NO_PAGER || PAGER?.trim() === "" || PAGER?.trim() === "cat") return null;
  // Windows has no less, and its more does not support colors.
  if (PAGER === undefined && process.platform === "win32") return null;
  return (text) => runPager(PAGER, text, env);
}

async function runPager(command: string | undefined, text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  // Loaded on demand: most output needs no pager.
  const { spawn } = await import("node:child_process");
  // Quit if the text fits, pass colors on, and leave the text on the screen. As in git.
  const child = spawn(command ?? "less", {
    shell: command !== undefined,
    stdio: ["pipe", "inherit", "inherit"],
    env: { ...env, LESS: env.LESS ?? "FRX", LV: env.LV ?? "-c" },
  });
  // Ctrl+C belongs to the pager: less stops a search with it.
  const ignore = () => undefined;
  process.on("SIGINT", ignore);
  // The pager may be closed before the end of the text.
  child.stdin.on("error", ignore).end(text);
  try {
    return await new Promise<boolean>((resolve) => {
      child.on("error", () => resolve(false));
      child.on("close", (code) => resolve(!NOT_STARTED.includes(code ?? 0)));
    });
  } finally {
    process.off("SIGINT", ignore);
  }
}

/** Whether a text, with colors, and the prompt after it exceed a terminal of this size. */
export function isLongerThan(text: string, { columns, rows }: { columns: number; rows: number }): boolean {
  let lines = 0;
  for (const line of text.split("\n")) {
    lines += Math.max(1, Math.ceil(displayWidth(stripVTControlCharacters(line)) / columns));
    if (lines > rows) return true;
  }
  return false;
}
