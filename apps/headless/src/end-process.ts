/** Lets what is written reach its reader, but does not depend on it. */
export function endProcess(exitCode: number): void {
  process.exitCode = exitCode;
  setTimeout(() => process.exit(), 500).unref();
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
