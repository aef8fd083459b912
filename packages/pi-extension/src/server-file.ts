import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { open } from "node:fs/promises";
import { get } from "node:http";
import { uptime } from "node:os";

/** Content of a running service's file. */
interface ServerFile {
  url: string;
  pid: number;
  started_at: string;
  /** Known only to the service and to those who can read the file. */
  secret: string;
  /** Token for local clients, `null` if they need none. */
  token: string | null;
}

/** Milliseconds; a local service that takes longer is busy, or is something else. */
const ANSWER_MS = 2_000;
/** Responses about the health of a service are shorter. */
const MAX_CHARACTERS = 65_536;
/** The clock may be adjusted during boot. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Reads the file of a running service; `null` if none is running. After a service has ended, any account may use its
 * port, so the service must prove that it knows the file's secret; others receive nothing but the nonce.
 */
export async function readServerFile(path: string): Promise<Pick<ServerFile, "url" | "token"> | null> {
  try {
    const file = JSON.parse(await readPrivate(path)) as ServerFile;
    const bootedAt = Date.now() - uptime() * 1_000;
    if (!(Date.parse(file.started_at) > bootedAt - CLOCK_TOLERANCE_MS) || !(file.pid > 0)) return null;
    // Throws if the process has ended or belongs to another account.
    process.kill(file.pid, 0);
    return (await proves(file)) ? { url: file.url, token: file.token } : null;
  } catch {
    return null;
  }
}

/** Throws if others could have read or written it. */
async function readPrivate(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { uid, mode } = await file.stat();
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o077) !== 0)) {
      throw new Error(`Other accounts can access ${path}.`);
    }
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

async function proves({ url, secret }: ServerFile): Promise<boolean> {
  // An HMAC without a key proves nothing.
  if (typeof secret !== "string" || secret === "") return false;
  const nonce = randomBytes(16).toString("hex");
  const { proof } = JSON.parse(await textAt(new URL(`/health?nonce=${nonce}`, url)));
  const expected = createHmac("sha256", secret).update(nonce).digest();
  const shown = Buffer.from(String(proof), "hex");
  return shown.length === expected.length && timingSafeEqual(shown, expected);
}

function textAt(url: URL): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = get(url, { signal: AbortSignal.timeout(ANSWER_MS) }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        if (text.length > MAX_CHARACTERS) asked.destroy(new Error("The response is too large."));
      });
      answer.on("error", reject);
      answer.on("end", () => resolve(text));
    });
    asked.on("error", reject);
  });
}
