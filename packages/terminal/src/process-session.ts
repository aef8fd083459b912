import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

/** Session of a pseudo-terminal, with all of its process groups. */
export interface ProcessSession {
  /** Process ID of the terminal's program. */
  leader: number;
  /** Whether that program is running. */
  isLeaderAlive: boolean;
  /** The terminal's device. */
  device: string;
}

/** Time for programs to save their state: shells and editors need some milliseconds. */
const GRACE_MS = 2_000;
/** Gives up after this time: a process that hangs in the kernel ends when the kernel releases it. */
const GIVE_UP_MS = 2 * GRACE_MS;
/** Minimum number of kills before giving up: on a busy machine, listing processes takes seconds. */
const MIN_KILLS = 5;
const INTERVAL_MS = 20;
/** Files read concurrently. */
const BATCH = 64;

/**
 * Ends all processes of sessions: with SIGHUP, as when a terminal is closed, and after two seconds with SIGKILL.
 * Processes that have left their session, such as daemons, are not included.
 */
export async function endSessions(sessions: ProcessSession[]): Promise<void> {
  if (sessions.length === 0) return;
  const begun = performance.now();
  const told = new Set<number>();
  let wasEmpty = false;
  for (let kills = 0; ; ) {
    const groups = await groupsOf(sessions);
    const elapsed = performance.now() - begun;
    if (elapsed > GIVE_UP_MS && kills >= MIN_KILLS) return;
    if (groups.size === 0) {
      // A shell that ended during the listing may have started a process that was not listed.
      if (wasEmpty) return;
      wasEmpty = true;
      continue;
    }
    wasEmpty = false;
    if (elapsed > GRACE_MS) kills++;
    for (const group of groups) {
      if (elapsed > GRACE_MS) signal(group, "SIGKILL");
      else if (!told.has(group) && signal(group, "SIGHUP")) {
        told.add(group);
        // A stopped process receives the signal when it continues.
        signal(group, "SIGCONT");
      }
    }
    await delay(INTERVAL_MS);
  }
}

function signal(group: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(-group, name);
  } catch {
    // It has ended, does not exist yet, or belongs to another user.
    return false;
  }
}

/** Their process groups with at least one process that is running or starting. */
async function groupsOf(sessions: ProcessSession[]): Promise<Set<number>> {
  return new Set(process.platform === "linux" ? await groupsInProc(sessions) : await groupsOfDevices(sessions));
}

async function groupsInProc(sessions: ProcessSession[]): Promise<number[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found: Process[] = [];
  for (let at = 0; at < ids.length; at += BATCH) {
    const stats = ids.slice(at, at + BATCH).map((id) => readFile(`/proc/${id}/stat`, "latin1").catch(() => ""));
    found.push(...(await Promise.all(stats)).flatMap((stat) => parseStat(stat) ?? []));
  }
  const alive = new Set(found.map(({ pid }) => pid));
  // If the program has ended, its number may be reused for another process and session.
  const ours = sessions.filter(({ leader, isLeaderAlive }) => isLeaderAlive || !alive.has(leader));
  const numbers = new Set(ours.map(({ leader }) => leader));
  // A program started just now will have a group with its number, but is still in the service's session.
  const starting = found.filter(({ pid }) => numbers.has(pid)).map(({ pid }) => pid);
  return [...starting, ...found.filter(({ session }) => numbers.has(session)).map(({ group }) => group)];
}

/** The process group in the foreground of a terminal; `null` if the system does not tell. */
export async function foregroundGroup(leader: number): Promise<number | null> {
  const group = Number(process.platform === "linux" ? await groupInProc(leader) : await groupByPs(leader));
  return Number.isInteger(group) && group > 1 ? group : null;
}

async function groupInProc(leader: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${leader}/stat`, "latin1").catch(() => "");
  // After the name: state, parent, group, session, terminal, foreground group.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[5];
}

async function groupByPs(leader: number): Promise<string> {
  const listed = promisify(execFile)("ps", ["-o", "tpgid=", "-p", String(leader)]);
  return (await listed.catch(() => ({ stdout: "" }))).stdout.trim();
}

/** Whether any process of a group exists. */
export function isGroupAlive(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch (error) {
    // It may belong to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

interface Process {
  pid: number;
  group: number;
  session: number;
}

/** Parses `/proc/<pid>/stat` (proc(5)); `null` for a zombie. */
function parseStat(stat: string): Process | null {
  // The name in parentheses may contain anything, including parentheses.
  const [state, , group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === "" || state === "Z" || state === "X") return null;
  return { pid: Number.parseInt(stat, 10), group: Number(group), session: Number(session) };
}

/**
 * Other systems do not number sessions, but `ps` lists each process's terminal, which is ours while its program runs.
 */
async function groupsOfDevices(sessions: ProcessSession[]): Promise<number[]> {
  const devices = sessions
    .filter(({ isLeaderAlive }) => isLeaderAlive)
    .map(({ device }) => device.slice("/dev/".length));
  if (devices.length === 0) return [];
  const listed = promisify(execFile)("ps", ["-t", devices.join(","), "-o", "pgid="]);
  // Fails if no process has any of them.
  const { stdout } = await listed.catch(() => ({ stdout: "" }));
  return stdout.split(/\s+/).filter(Boolean).map(Number);
}
