/** Lets what is written reach its reader, but does not depend on it. */
export function endProcess(exitCode: number): void {
  process.exitCode = exitCode;
  setTimeout(() => process.exit(), 500).unref();
}
