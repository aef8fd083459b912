import { spawn } from "node:child_process";
import { constants } from "node:os";
import { basename } from "node:path";
import { CliError, EXIT } from "../failure.ts";

/** Shells that read what `shellQuote` writes. */
const POSIX_SHELLS: ReadonlySet<string> = new Set(["bash", "zsh", "ksh", "mksh"]);

/**
 * Runs a command in the user's shell, which has the terminal until it ends.
 *
 * @returns its exit code.
 * @throws CliError where there is no POSIX shell.
 */
export async function execute(
  command: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<number> {
  if (platform === "win32") {
    throw new CliError(EXIT.unavailable, "There is no POSIX shell here; print the command with --print.");
  }
  const own = env.SHELL ?? "";
  const shell = POSIX_SHELLS.has(basename(own)) ? own : "/bin/sh";
  // Ctrl+C is for the program in the terminal, which decides whether it ends.
  const ignore = () => undefined;
  process.on("SIGINT", ignore);
  try {
    return await new Promise((resolve, reject) => {
      spawn(shell, ["-c", command], { stdio: "inherit", env })
        .once("error", reject)
        .once("exit", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
    });
  } finally {
    process.off("SIGINT", ignore);
  }
}
