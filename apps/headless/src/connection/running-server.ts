import { readFile, stat } from "node:fs/promises";
import { uptime } from "node:os";
import { join } from "node:path";
import { quickFetch } from "./quick-fetch.ts";

/** What a server writes down while it runs. */
interface ServerFile {
  url: string;
  pid: number;
  started_at: string;
}

/** A server on the same machine that takes longer is busy or no server of ours. */
const ANSWER_MS = 1_000;
/** Clocks are set while a machine starts. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Finds the server that uses this data directory, by the `server.json` that it keeps there; `null` where none runs.
 *
 * A server is believed in because of that file alone: only its owner can write it. A port that is merely open may
 * be another user's, and so may the port of a server that has gone.
 */
export async function findRunningServer(dataDir: string): Promise<string | null> {
  const file = await readServerFile(join(dataDir, "server.json")).catch(() => null);
  if (file === null || !isOwnProcess(file.pid) || startedBeforeBoot(file)) return null;
  return (await isAnswering(file.url)) ? file.url : null;
}

async function readServerFile(path: string): Promise<ServerFile | null> {
  const { uid, mode } = await stat(path);
  const isPrivate = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
  const content: unknown = JSON.parse(await readFile(path, "utf8"));
  return isPrivate && isServerFile(content) ? content : null;
}

function isServerFile(content: unknown): content is ServerFile {
  if (typeof content !== "object" || content === null) return false;
  const { url, pid, started_at } = content as Partial<Record<keyof ServerFile, unknown>>;
  const isAddress = typeof url === "string" && /^https?:/.test(url) && URL.canParse(url);
  return isAddress && Number.isSafeInteger(pid) && typeof started_at === "string";
}

/** Another user's process cannot be signalled. */
function isOwnProcess(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Process ids are given anew after the machine has started. */
function startedBeforeBoot({ started_at }: ServerFile): boolean {
  return Date.parse(started_at) < Date.now() - uptime() * 1_000 - CLOCK_TOLERANCE_MS;
}

/** Whatever the state of its index: what a server that is still starting says to a command is the answer. */
async function isAnswering(url: string): Promise<boolean> {
  try {
    const response = await quickFetch(new URL("/health", url), { signal: AbortSignal.timeout(ANSWER_MS) });
    const health: unknown = JSON.parse(await response.text());
    return typeof health === "object" && health !== null && "api_version" in health;
  } catch {
    return false;
  }
}
