/** Whether a process is running, of any account. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another account's process cannot be signalled.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
