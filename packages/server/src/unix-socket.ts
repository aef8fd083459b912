import { chmod, lstat, mkdir, rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { dirname } from "node:path";
import { type HttpOptions, type HttpServer, serveUnixSocket } from "@sm/transport-http";
import { StartError } from "./start-error.ts";

/** `sun_path` without its final zero: 108 bytes on Linux, 104 on macOS. Node would truncate a longer path. */
const MAX_PATH_BYTES = process.platform === "linux" ? 107 : 103;

/**
 * Serves on a UNIX socket that only this account (and root) can open: its folder is private, and it has mode 0600.
 * Replaces the socket of a killed service; removed when the server closes.
 *
 * @throws {StartError} with what to change.
 */
export async function openUnixSocket(http: HttpOptions, path: string): Promise<Pick<HttpServer, "close">> {
  if (process.platform === "win32") {
    throw new StartError('"socket_path" is for Linux and macOS: take it out of session-manager.json.');
  }
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new StartError(`socket_path is too long: ${path}. The system allows at most ${MAX_PATH_BYTES} bytes.`);
  }
  try {
    await checkDirectory(dirname(path));
    await removeLeftover(path);
    const server = await serveUnixSocket(http, path);
    await chmod(path, 0o600);
    return server;
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`Could not create the socket ${path} (${(error as Error).message}). Change socket_path.`, {
      cause: error,
    });
  }
}

/**
 * Before the socket has its mode, only the folder protects it; and who can write to the folder may replace the socket.
 */
async function checkDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { uid, mode } = await stat(directory);
  if (uid === process.geteuid?.() && (mode & 0o077) === 0) return;
  throw new StartError(
    `Other accounts can access ${directory}, the folder of socket_path. Choose a folder that only this account can access (mode 0700).`,
  );
}

/** Nothing listens on the socket of a killed process. */
async function removeLeftover(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (!found.isSocket()) throw new StartError(`${path} exists and is not a socket. Remove it, or change socket_path.`);
  if (await isAnswered(path)) {
    throw new StartError(`Another program is listening on the socket ${path}. Stop it, or change socket_path.`);
  }
  await rm(path, { force: true });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(true));
    socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code !== "ECONNREFUSED" && code !== "ENOENT"));
    socket.once("connect", () => socket.destroy());
  });
}
