import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

/** What a pseudo-terminal has started, in all of its process groups. */
export interface ProcessSession {
  /** Process id of the program that the terminal was made for. */
  leader: number;
  /** Whether that program runs. */
  isLeaderAlive: boolean;
  /** Device of the terminal. */
  device: string;
}

/** What programs get to save what they have: shells and editors need some milliseconds. */
const GRACE_MS = 2_000;
/** After which nothing more can be done: a process that hangs in the kernel ends when that lets it go. */
const GIVE_UP_MS = 2 * GRACE_MS;
/** Before that, processes are killed so often at least: on a busy machine to look for them takes seconds. */
const LEAST_KILLS = 5;
const INTERVAL_MS = 20;
/** Files that are read at the same time. */
const BATCH = 64;

/**
 * Ends all processes of sessions: by SIGHUP, as a terminal that is closed does, and those that are left after two
 * seconds by SIGKILL. Processes that have left their session, as daemons do, are not among them.
 */
export async function endSessions(sessions: ProcessSession[]): Promise<void> {
  if (sessions.length === 0) return;
  const begun = performance.now();
  const told = new Set<number>();
  let wasEmpty = false;
  for (let kills = 0; ; ) {
    const groups = await groupsOf(sessions);
    const elapsed = performance.now() - begun;
    if (elapsed > GIVE_UP_MS && kills >= LEAST_KILLS) return;
    if (groups.size === 0) {
      // A shell that ends while processes are looked through may have started one that was not among them yet.
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
        // A process that is stopped hears of it when it goes on.
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
    // It has ended meanwhile, is not there yet, or is another user's.
    return false;
  }
}

/** Their process groups, of which each has at least one process that has not ended, or is about to. */
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
  // Where the program has ended, a process with its number is another, and so is the session of that number.
  const ours = sessions.filter(({ leader, isLeaderAlive }) => isLeaderAlive || !alive.has(leader));
  const numbers = new Set(ours.map(({ leader }) => leader));
  // A program that was started just now is to have a group of its number, but is still in the service's session.
  const starting = found.filter(({ pid }) => numbers.has(pid)).map(({ pid }) => pid);
  return [...starting, ...found.filter(({ session }) => numbers.has(session)).map(({ group }) => group)];
}

interface Process {
  pid: number;
  group: number;
  session: number;
}

/** Reads a line of `/proc/<pid>/stat` (proc(5)); `null` for a process that has ended and is only not yet waited for. */
function parseStat(stat: string): Process | null {
  // The name, in parentheses, may hold anything, parentheses too.
  const [state, , group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === "" || state === "Z" || state === "X") return null;
  return { pid: Number.parseInt(stat, 10), group: Number(group), session: Number(session) };
}

/** Elsewhere sessions have no numbers, but `ps` knows who has which terminal, which is ours while its program runs. */
async function groupsOfDevices(sessions: ProcessSession[]): Promise<number[]> {
  const devices = sessions
    .filter(({ isLeaderAlive }) => isLeaderAlive)
    .map(({ device }) => device.slice("/dev/".length));
  if (devices.length === 0) return [];
  const listed = promisify(execFile)("ps", ["-t", devices.join(","), "-o", "pgid="]);
  // It fails where nobody has any of them.
  const { stdout } = await listed.catch(() => ({ stdout: "" }));
  return stdout.split(/\s+/).filter(Boolean).map(Number);
}
