import { spawn } from "node:child_process";

/** Lets what is written reach its reader, but does not depend on it. */
export function endProcess(exitCode: number): void {
  process.exitCode = exitCode;
  setTimeout(() => process.exit(), 500).unref();
}

/** Kills its parent, if that is there still after a second. */
const KILL_PARENT = "const { ppid } = process; setTimeout(() => ppid === process.ppid && process.kill(ppid, 9), 1000)";

/**
 * Ends the process with an exit code. Where a thread hangs in a call of the system, `process.exit` would wait for it for
 * ever, and nothing else of the process runs meanwhile: another process ends it a second later.
 */
export function endForCertain(exitCode: number): void {
  try {
    const watching = spawn(process.execPath, ["-e", KILL_PARENT], { detached: true, stdio: "ignore", env: {} });
    watching.on("error", () => {});
  } catch {
    // Without another process this one may have to be ended by hand.
  }
  process.exit(exitCode);
}

/**
 * Ends the process as the signal would have without a handler. `process.exit` waits for all threads, and for ever where
 * one of them hangs in a call of the system.
 */
export function endAtOnce(signal: "SIGINT" | "SIGTERM"): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // The first process of a container is spared by signals without a handler.
  process.abort();
}
