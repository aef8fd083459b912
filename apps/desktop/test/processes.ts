import { readdir, readFile } from "node:fs/promises";

export interface RunningProcess {
  pid: number;
  /** The program and its arguments. */
  command: string[];
}

/**
 * Finds processes by what is in their environment, which children inherit: whoever started them, and whether that one
 * still runs or not. Linux only.
 */
export async function processesWith(variable: string, value: string): Promise<RunningProcess[]> {
  const wanted = `${variable}=${value}`;
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await read(`/proc/${pid}/environ`);
      if (!environment.includes(wanted)) return [];
      const command = await read(`/proc/${pid}/cmdline`);
      // A process that has ended and is not yet waited for has none.
      return command.length === 0 ? [] : [{ pid: Number(pid), command }];
    }),
  );
  return found.flat();
}

/** Reads strings that end with NUL; none where the process has gone. */
async function read(path: string): Promise<string[]> {
  try {
    return (await readFile(path, "utf8")).split("\0").slice(0, -1);
  } catch {
    return [];
  }
}
