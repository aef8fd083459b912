import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Rarely enough to take nothing from what is measured: the kernel remembers the peak of each process between. */
const SAMPLE_INTERVAL_MS = 100;
/** The kernel counts processor time for user space in hundredths of a second on every architecture. */
const TICKS_PER_SECOND = 100;

/** Whether memory and processor time can be read: only Linux has `/proc`. */
export const CAN_WATCH_PROCESSES = existsSync("/proc/self/status");

/** The process and everything that it started, by Linux' `/proc`; without those that ended meanwhile. */
function tree(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(tree)];
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** A figure of `/proc/<pid>/status` in bytes, 0 for a process that has ended. */
function statusBytes(pid: number, field: "VmRSS" | "VmHWM"): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Resident memory of a process and its children in bytes. */
export function residentMemory(pid: number): number {
  return tree(pid).reduce((sum, member) => sum + statusBytes(member, "VmRSS"), 0);
}

/** The most that was resident of a process and its living children, each at its own time, in bytes. */
export function peakMemory(pid: number): number {
  return tree(pid).reduce((sum, member) => sum + statusBytes(member, "VmHWM"), 0);
}

/**
 * Memory of a process and its children in bytes, where pages that several processes share count in proportion. 0 for a
 * process that has ended.
 */
export function proportionalMemory(pid: number): number {
  return tree(pid).reduce((sum, member) => {
    try {
      const rollup = readFileSync(`/proc/${member}/smaps_rollup`, "utf8");
      return sum + Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024;
    } catch {
      return sum;
    }
  }, 0);
}

/**
 * Processor time that a process and its living children have used so far, in seconds.
 *
 * @throws where there is no `/proc`, see {@link CAN_WATCH_PROCESSES}.
 */
export function processorTime(pid: number): number {
  return sumOf(pid, (member) => statSeconds(String(member), 11));
}

/**
 * Processor time that the children of a process, or of this one, have used that have ended, with their own, in seconds.
 *
 * @throws where there is no `/proc`, see {@link CAN_WATCH_PROCESSES}.
 */
export function endedChildrenTime(pid: number | "self" = "self"): number {
  return statSeconds(String(pid), 13);
}

/** The time in user space at `field` of `/proc/<pid>/stat`, and the time in the kernel, which is behind it. */
function statSeconds(pid: string, field: number): number {
  // The second field is the program's name in parentheses and may hold anything; fields are counted after it.
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[field]) + Number(fields[field + 1])) / TICKS_PER_SECOND;
}

/**
 * Bytes that a process and its living children have read so far, from files and from connections.
 *
 * @throws where there is no `/proc`, see {@link CAN_WATCH_PROCESSES}.
 */
export function bytesRead(pid: number): number {
  return ioBytes(pid, "rchar");
}

/**
 * Bytes that a process and its living children have written so far, to files and to connections.
 *
 * @throws where there is no `/proc`, see {@link CAN_WATCH_PROCESSES}.
 */
export function bytesWritten(pid: number): number {
  return ioBytes(pid, "wchar");
}

function ioBytes(pid: number, field: "rchar" | "wchar"): number {
  return sumOf(pid, (member) => {
    const counts = readFileSync(`/proc/${member}/io`, "utf8");
    return Number(new RegExp(`^${field}: (\\d+)$`, "m").exec(counts)?.[1]);
  });
}

/** The sum over a process, which must live, and its children, of which some end while they are looked at. */
function sumOf(pid: number, figure: (member: number) => number): number {
  return tree(pid).reduce((sum, member) => {
    try {
      return sum + figure(member);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (member !== pid && (code === "ENOENT" || code === "ESRCH")) return sum;
      throw error;
    }
  }, 0);
}

/** Watches the memory of a process tree from the outside. */
export class MemorySampler {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  #peak = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_INTERVAL_MS);
  }

  /**
   * The most that the tree used at one time, in bytes; for a process without children exact between samples too.
   * `null` where it cannot be read.
   */
  get peak(): number | null {
    this.#sample();
    return CAN_WATCH_PROCESSES ? this.#peak : null;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    this.#peak = Math.max(this.#peak, residentMemory(this.#pid), statusBytes(this.#pid, "VmHWM"));
  }
}
