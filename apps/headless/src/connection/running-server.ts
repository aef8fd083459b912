import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { open } from "node:fs/promises";
import { uptime } from "node:os";
import { join } from "node:path";
import { quickFetch } from "./quick-fetch.ts";

/** Content of a running server's file. */
interface ServerFile {
  url: string;
  pid: number;
  started_at: string;
  /** Known only to the server and to those who can read the file. */
  secret: string;
  token: string | null;
}

/** The running server of a data directory. */
export interface FoundServer {
  url: string;
  /** Token for local clients, `null` if they need none. */
  token: string | null;
}

/** A local server that takes longer is busy, or is something else. */
const ANSWER_MS = 1_000;
/** The clock may be adjusted during boot. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Finds the server that uses this data directory by its `server.json`; `null` if none is running.
 *
 * An open port may belong to another user, also after a server has ended. The real server proves that it knows the
 * secret in the file, which only its owner can read; others receive nothing but the nonce.
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

/** Other users' processes cannot be signalled. */
function isOwnProcess(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Process IDs are reused after a reboot. */
function startedBeforeBoot({ started_at }: ServerFile): boolean {
  return Date.parse(started_at) < Date.now() - uptime() * 1_000 - CLOCK_TOLERANCE_MS;
}

/** Independent of the index: a server that is still starting responds to commands itself. */
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
