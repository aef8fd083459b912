import { stripVTControlCharacters } from "node:util";
import { displayWidth } from "./width.ts";

/** Shows a text in the user's pager. `false` where that program cannot be started: nothing was shown then. */
export type Pager = (text: string) => Promise<boolean>;

/** What a shell ends with where it cannot start a program. */
const NOT_STARTED = [126, 127];

/**
 * Finds the user's pager: `PAGER`, else `less`. `null` where there is to be none: `NO_PAGER` is set, or `PAGER` is empty
 * or `cat`.
 */
export function findPager(env: NodeJS.ProcessEnv): Pager | null {
  const { PAGER, NO_PAGER } = env;
  if (NO_PAGER || PAGER?.trim() === "" || PAGER?.trim() === "cat") return null;
  // Windows has no less, and its more does not know colours.
  if (PAGER === undefined && process.platform === "win32") return null;
  return (text) => runPager(PAGER, text, env);
}

async function runPager(command: string | undefined, text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  // Loaded when it is needed: most output needs no pager.
  const { spawn } = await import("node:child_process");
  // Quit where the text fits, pass colours on, and leave the text on the screen. As git sets them.
  const child = spawn(command ?? "less", {
    shell: command !== undefined,
    stdio: ["pipe", "inherit", "inherit"],
    env: { ...env, LESS: env.LESS ?? "FRX", LV: env.LV ?? "-c" },
  });
  // Ctrl+C is the pager's: less stops a search with it.
  const ignore = () => undefined;
  process.on("SIGINT", ignore);
  // It may be left before the end of the text.
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

/** Whether a text, colours included, and the prompt in the line after it do not fit a terminal of this size. */
export function isLongerThan(text: string, { columns, rows }: { columns: number; rows: number }): boolean {
  let lines = 0;
  for (const line of text.split("\n")) {
    lines += Math.max(1, Math.ceil(displayWidth(stripVTControlCharacters(line)) / columns));
    if (lines > rows) return true;
  }
  return false;
}
