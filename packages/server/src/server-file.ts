import { createHmac, randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isRunning, readWholeFile, replaceFile } from "@sm/core/files";
import type { Log } from "./log.ts";

const LARGEST_BYTES = 64 * 1024;

/** Names the file of the server that uses a data directory. */
export function serverFilePath(dataDir: string): string {
  return join(dataDir, "server.json");
}

/** Where the server of a data directory is, for other programs of the same user, and what only these may know. */
export interface ServerFile {
  url: string;
  pid: number;
  version: string;
  /** RFC 3339. */
  started_at: string;
  /** The server proves by it that it is the one that wrote this file: see `createProof`. */
  secret: string;
  /** What clients of this machine have to show, `null` where they need no token. */
  token: string | null;
}

/** What a server and the readers of its file know, and nobody else. */
export type StartSecrets = Pick<ServerFile, "secret" | "token">;

/** Makes the secrets of one start. The token has the form of an API token. */
export function newSecrets(asksForToken: boolean): StartSecrets {
  const random = () => randomBytes(32).toString("base64url");
  return { secret: random(), token: asksForToken ? `sm_${random()}` : null };
}

/**
 * Proves to a client that this server wrote the `server.json` that it has read: who has taken over the port of a server
 * that is gone cannot. It is the HMAC-SHA-256 of the client's nonce, in hexadecimal digits.
 */
export function createProof(secret: string): (nonce: string) => string {
  return (nonce) => createHmac("sha256", secret).update(nonce).digest("hex");
}

/**
 * Writes `server.json` into the data directory, in place of what a server has left that was killed. Without it the
 * service does its work, so that a failure is only logged.
 *
 * @returns a function that removes the file, unless another server has written its own since.
 */
export async function writeServerFile(dataDir: string, server: ServerFile, log: Log): Promise<() => Promise<void>> {
  const path = serverFilePath(dataDir);
  const other = await readServerFile(path);
  if (other !== null && other.pid !== server.pid && isRunning(other.pid)) {
    const { url, pid, started_at } = other;
    log.warn(
      { other: { url, pid, started_at }, data_dir: dataDir },
      "Another server seems to use the same data directory: end one of them.",
    );
  }
  try {
    // Who may read a file that somebody else has made is not up to us.
    await rm(path, { force: true });
    await replaceFile(path, `${JSON.stringify(server)}\n`, 0o600);
  } catch (error) {
    log.warn({ err: error, path }, "The command line will not find this server, because its file cannot be written.");
  }
  return async () => {
    const current = await readServerFile(path);
    if (current?.pid === server.pid && current.url === server.url) await rm(path, { force: true });
  };
}

async function readServerFile(path: string): Promise<ServerFile | null> {
  try {
    const file = JSON.parse(String(await readWholeFile(path, LARGEST_BYTES))) as Partial<ServerFile> | null;
    return typeof file?.pid === "number" ? (file as ServerFile) : null;
  } catch {
    return null;
  }
}
