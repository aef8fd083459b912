import { spawn } from "node:child_process";

/** Ends the process after pending output is written, within a limit. */
export function endProcess(exitCode: number): void {
  process.exitCode = exitCode;
  setTimeout(() => process.exit(), 500).unref();
}

/** Kills its parent if it still exists after a second. */
const KILL_PARENT = "const { ppid } = process; setTimeout(() => ppid === process.ppid && process.kill(ppid, 9), 1000)";

/**
 * Ends the process for certain. `process.exit` waits for threads, forever if one hangs in a system call, and blocks
 * everything else; so another process kills this one after a second.
 */
export function endForCertain(exitCode: number): void {
  try {
    const watching = spawn(process.execPath, ["-e", KILL_PARENT], { detached: true, stdio: "ignore", env: {} });
    watching.on("error", () => {});
  } catch {
    // Without another process, this one may have to be killed manually.
  }
  process.exit(exitCode);
}

/**
 * Ends the process as the signal would without a handler. `process.exit` waits for all threads, forever if one hangs in
 * a system call.
 */
export function endAtOnce(signal: "SIGINT" | "SIGTERM"): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // The init process of a container ignores signals without a handler.
  process.abort();
}
