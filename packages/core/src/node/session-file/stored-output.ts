import { realpathSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { AppError } from "../../errors.ts";
import type { Agent } from "../../format/agent.ts";
import type { ToolOutput } from "../../library.ts";
import { errorCode, fileError, isRefusal } from "../files/file-errors.ts";
import { openSessionBytes } from "./session-bytes.ts";
import { work } from "./work.ts";

/** How much of an output is searched; an export holds as much of it. */
export const MAX_SEARCHED_BYTES = 1024 * 1024;
/** What has a NUL in its beginning is no text. */
const LOOKED_AT = 8_192;

type StoringAgent = Pick<Agent, "name" | "outputFolder">;

/**
 * Reads a file of the agent's folder for outputs: transcripts are written by programs that may want other files read.
 *
 * @param path of the session.
 * @throws AppError with a message for the file system's error.
 */
export function readStoredOutput(agent: StoringAgent, path: string, fileName: string, limit: number): ToolOutput {
  const { bytes, size } = readBytes(agent, path, fileName, limit);
  const complete = bytes.length === size;
  // The last character may be cut.
  const text = new TextDecoder().decode(bytes, { stream: !complete });
  return { text, size_bytes: size, complete };
}

/** What is searched of such a file: nothing of one that is gone, that may not be read, or that is no text. */
export function searchedOutput(agent: StoringAgent, path: string, fileName: string): string {
  try {
    const { bytes } = readBytes(agent, path, fileName, MAX_SEARCHED_BYTES);
    return bytes.subarray(0, LOOKED_AT).includes(0) ? "" : new TextDecoder().decode(bytes, { stream: true });
  } catch (error) {
    // Without free descriptors, all other files are unreadable, too: whoever indexes tries again.
    const isOfFile = error instanceof AppError ? error.code !== "UNAVAILABLE" : isRefusal(errorCode(error));
    if (isOfFile) return "";
    throw error;
  }
}

function readBytes(agent: StoringAgent, sessionPath: string, fileName: string, limit: number) {
  const folder = agent.outputFolder?.(sessionPath) ?? null;
  if (folder === null) throw new AppError("NOT_FOUND", `${agent.name} has no files of outputs.`);
  const path = normalize(`${folder}/${fileName}`);
  // The folder of the session and that of its outputs are the agent's, and no links.
  const project = dirname(dirname(dirname(path)));
  try {
    const file = openSessionBytes(path);
    try {
      if (file.real !== null && file.real !== join(realpathSync(project), path.slice(project.length))) {
        throw new AppError("FORBIDDEN", `${path} is not opened: its folder is a link.`);
      }
      const { size } = file.stamp();
      const buffer = Buffer.allocUnsafe(Math.min(size, limit));
      let filled = 0;
      while (filled < buffer.length) {
        const count = file.read(buffer, filled, filled);
        if (count === 0) break;
        filled += count;
      }
      work.bytesRead += filled;
      return { bytes: buffer.subarray(0, filled), size };
    } finally {
      file.close();
    }
  } catch (error) {
    throw fileError(error, "read", path) ?? error;
  }
}
