import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "@sm/core/node";
import type { Log } from "./log.ts";

const SERVER_FILE_NAME = "server.json";

/** Where the server of a data directory is, for other programs of the same user. */
export interface ServerFile {
  url: string;
  pid: number;
  version: string;
  /** RFC 3339. */
  started_at: string;
}

/**
 * Writes `server.json` into the data directory, in place of what a server has left that was killed. Without it the
 * service does its work, so that a failure is only logged.
 *
 * @returns a function that removes the file, unless another server has written its own since.
 */
export async function writeServerFile(dataDir: string, server: ServerFile, log: Log): Promise<() => Promise<void>> {
  const path = join(dataDir, SERVER_FILE_NAME);
  const other = await readServerFile(path);
  if (other !== null && other.pid !== server.pid && isRunning(other.pid)) {
    log.warn({ other, data_dir: dataDir }, "Another server seems to use the same data directory: end one of them.");
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
    const file = JSON.parse(await readFile(path, "utf8")) as Partial<ServerFile> | null;
    return typeof file?.pid === "number" ? (file as ServerFile) : null;
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs, under another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
