import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { open } from "node:fs/promises";
import { get } from "node:http";
import { uptime } from "node:os";

/** What a service writes down while it runs. */
interface ServerFile {
  url: string;
  pid: number;
  started_at: string;
  /** Known to the service and to who may read the file. */
  secret: string;
  /** What the service asks clients of its machine for, `null` where they need no token. */
  token: string | null;
}

/** Milliseconds; a service on this machine that takes longer is busy, or none of ours. */
const ANSWER_MS = 2_000;
/** An answer about the health of a service is shorter. */
const MOST_CHARACTERS = 65_536;
/** Clocks are set while a machine starts. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Reads the file of a service that runs; `null` where none does. A port alone says nothing: when a service has gone,
 * any account may take it. Whoever answers there has to prove that they know the file's secret; others are sent nothing
 * but the nonce.
 */
export async function readServerFile(path: string): Promise<Pick<ServerFile, "url" | "token"> | null> {
  try {
    const file = JSON.parse(await readPrivate(path)) as ServerFile;
    const bootedAt = Date.now() - uptime() * 1_000;
    if (!(Date.parse(file.started_at) > bootedAt - CLOCK_TOLERANCE_MS) || !(file.pid > 0)) return null;
    // Throws if it has ended without removing its file, or is another account's.
    process.kill(file.pid, 0);
    return (await proves(file)) ? { url: file.url, token: file.token } : null;
  } catch {
    return null;
  }
}

/** Throws where others could have read or written it. */
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
        if (text.length > MOST_CHARACTERS) asked.destroy(new Error("The response is too large."));
      });
      answer.on("error", reject);
      answer.on("end", () => resolve(text));
    });
    asked.on("error", reject);
  });
}
