import { createHmac, randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isRunning, readWholeFile, replaceFile } from "@sm/core/files";
import type { Log } from "./log.ts";

const MAX_BYTES = 64 * 1024;

/** Path of the server file in a data directory. */
export function serverFilePath(dataDir: string): string {
  return join(dataDir, "server.json");
}

/** Address and secrets of the server that uses a data directory, for other programs of the same user. */
export interface ServerFile {
  url: string;
  pid: number;
  version: string;
  /** RFC 3339. */
  started_at: string;
  /** With it the server proves that it wrote this file: see `createProof`. */
  secret: string;
  /** Token for local clients, `null` if they need none. */
  token: string | null;
}

/** Secrets shared by a server and the readers of its file. */
export type StartSecrets = Pick<ServerFile, "secret" | "token">;

/** Creates the secrets of one start. The token has the form of an API token. */
export function newSecrets(asksForToken: boolean): StartSecrets {
  const random = () => randomBytes(32).toString("base64url");
  return { secret: random(), token: asksForToken ? `sm_${random()}` : null };
}

/**
 * Proves to a client that this server wrote the `server.json` that the client has read: a process that took over the
 * port of an ended server cannot. The proof is the HMAC-SHA-256 of the client's nonce, in hexadecimal.
 */
export function createProof(secret: string): (nonce: string) => string {
  return (nonce) => createHmac("sha256", secret).update(nonce).digest("hex");
}

/**
 * Writes `server.json` into the data directory, replacing that of a killed server. The service works without it, so
 * errors are only logged.
 *
 * @returns a function that removes the file, unless another server has replaced it.
 */
export async function writeServerFile(dataDir: string, server: ServerFile, log: Log): Promise<() => Promise<void>> {
  const path = serverFilePath(dataDir);
  const other = await readServerFile(path);
  if (other !== null && other.pid !== server.pid && isRunning(other.pid)) {
    const { url, pid, started_at } = other;
    log.warn(
      { other: { url, pid, started_at }, data_dir: dataDir },
      "Another server seems to use the same data directory. Stop one of them.",
    );
  }
  try {
    // The permissions of an existing file may be wrong, so it is replaced.
    await rm(path, { force: true });
    await replaceFile(path, `${JSON.stringify(server)}\n`, 0o600);
  } catch (error) {
    log.warn({ err: error, path }, "Could not write the server file; the command line will not find this server.");
  }
  return async () => {
    const current = await readServerFile(path);
    if (current?.pid === server.pid && current.url === server.url) await rm(path, { force: true });
  };
}

async function readServerFile(path: string): Promise<ServerFile | null> {
  try {
    const file = JSON.parse(String(await readWholeFile(path, MAX_BYTES))) as Partial<ServerFile> | null;
    return typeof file?.pid === "number" ? (file as ServerFile) : null;
  } catch {
    return null;
  }
}
