import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { open } from "node:fs/promises";
import { uptime } from "node:os";
import { join } from "node:path";
import { quickFetch } from "./quick-fetch.ts";

/** What a server writes down while it runs. */
interface ServerFile {
  url: string;
  pid: number;
  started_at: string;
  /** Known to the server and to who may read the file. */
  secret: string;
  token: string | null;
}

/** A server of this data directory. */
export interface FoundServer {
  url: string;
  /** What it asks clients of this machine for, `null` where they need no token. */
  token: string | null;
}

/** A server on the same machine that takes longer is busy or no server of ours. */
const ANSWER_MS = 1_000;
/** Clocks are set while a machine starts. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Finds the server that uses this data directory, by the `server.json` that it keeps there; `null` where none runs.
 *
 * A port that is merely open may be another user's, and so may the port of a server that has gone. The one that is meant
 * proves that it knows the secret of the file, which only its owner can read; nothing is sent to others but the nonce.
 */
export async function findRunningServer(dataDir: string): Promise<FoundServer | null> {
  const file = await readServerFile(join(dataDir, "server.json")).catch(() => null);
  if (file === null || !isOwnProcess(file.pid) || startedBeforeBoot(file)) return null;
  return (await isAnswering(file)) ? { url: file.url, token: file.token } : null;
}

async function readServerFile(path: string): Promise<ServerFile | null> {
  const file = await open(path);
  try {
    const { uid, mode } = await file.stat();
    const isPrivate = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
    if (!isPrivate) return null;
    const content: unknown = JSON.parse(await file.readFile("utf8"));
    return isServerFile(content) ? content : null;
  } finally {
    await file.close();
  }
}

function isServerFile(content: unknown): content is ServerFile {
  if (typeof content !== "object" || content === null) return false;
  const { url, pid, started_at, secret, token } = content as Partial<Record<keyof ServerFile, unknown>>;
  const isAddress = typeof url === "string" && /^https?:/.test(url) && URL.canParse(url);
  const hasSecrets = typeof secret === "string" && secret !== "" && (token === null || typeof token === "string");
  return isAddress && hasSecrets && Number.isSafeInteger(pid) && typeof started_at === "string";
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
async function isAnswering({ url, secret }: ServerFile): Promise<boolean> {
  const nonce = randomBytes(16).toString("hex");
  try {
    const address = new URL(`/health?nonce=${nonce}`, url);
    const response = await quickFetch(address, { signal: AbortSignal.timeout(ANSWER_MS) });
    const { proof } = JSON.parse(await response.text()) as { proof?: unknown };
    const expected = createHmac("sha256", secret).update(nonce).digest();
    const shown = Buffer.from(String(proof), "hex");
    return shown.length === expected.length && timingSafeEqual(shown, expected);
  } catch {
    return false;
  }
}
