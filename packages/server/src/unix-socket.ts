import { chmod, lstat, mkdir, rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { dirname } from "node:path";
import { type HttpOptions, type HttpServer, serveUnixSocket } from "@sm/transport-http";
import { StartError } from "./start-error.ts";

/** `sun_path` without its final zero: 108 bytes on Linux, 104 on macOS. Node would cut a longer path off. */
const MOST_PATH_BYTES = process.platform === "linux" ? 107 : 103;

/**
 * Serves on a UNIX socket that nobody but this account (and root) can open: it lies in a folder of this account alone,
 * and has mode 0600. One that a service has left that was killed is replaced; it goes when the server closes.
 *
 * @throws {StartError} with what to change.
 */
export async function openUnixSocket(http: HttpOptions, path: string): Promise<Pick<HttpServer, "close">> {
  if (process.platform === "win32") {
    throw new StartError('"socket_path" is for Linux and macOS: take it out of session-manager.json.');
  }
  if (Buffer.byteLength(path) > MOST_PATH_BYTES) {
    throw new StartError(`socket_path is too long, ${path}: the system takes at most ${MOST_PATH_BYTES} bytes.`);
  }
  try {
    await checkDirectory(dirname(path));
    await removeLeftover(path);
    const server = await serveUnixSocket(http, path);
    await chmod(path, 0o600);
    return server;
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The socket ${path} cannot be made (${(error as Error).message}): change socket_path.`, {
      cause: error,
    });
  }
}

/** Until the socket has its mode, the folder alone keeps others away; and who may write to it may replace the socket. */
async function checkDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { uid, mode } = await stat(directory);
  if (uid === process.geteuid?.() && (mode & 0o077) === 0) return;
  throw new StartError(
    `The folder of socket_path, ${directory}, is open to other accounts: choose one of this account alone, with mode 0700.`,
  );
}

/** Nobody listens on the socket of a process that was killed. */
async function removeLeftover(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (!found.isSocket()) throw new StartError(`${path} is there and is no socket: remove it, or change socket_path.`);
  if (await isAnswered(path)) {
    throw new StartError(`Another program answers on the socket ${path}: end it, or change socket_path.`);
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
