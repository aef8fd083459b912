import { closeSync, fstatSync, readSync, realpathSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { AppError } from "../../errors.ts";
import { cutOutput } from "../../export/wording.ts";
import type { ToolOutput } from "../../library.ts";
import type { StoredOutput, TranscriptItem } from "../../session/transcript.ts";
import { transcriptItem } from "../../session/transcript-layout.ts";
import { fileError } from "../files/file-errors.ts";
import { withSessionFile } from "../session-file/session-file.ts";
import { openSessionFile } from "../session-file/session-roots.ts";
import { work } from "../session-file/work.ts";
import { endOf, lineOf, type OpenSession } from "./open-session.ts";

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** An export holds one item at a time, several times as large as what is read. */
const MAX_EXPORTED_BYTES = 1024 * 1024;

/**
 * Reads the output that an agent has moved to a file of its own.
 *
 * @returns JSON text of a `ToolOutput` in UTF-8.
 * @throws AppError NOT_FOUND if the entry has none, or its file is gone.
 */
export function toolOutput(session: OpenSession, entryId: string): Uint8Array {
  const { fold, source } = session;
  const ordinal = fold.outline.ordinalOf(entryId);
  if (ordinal < 0) throw new AppError("NOT_FOUND", `The session has no entry ${entryId}.`);
  const item = withSessionFile(source.path, (file) =>
    transcriptItem(session, ordinal, lineOf(session, file, ordinal, endOf(fold.outline, ordinal)), null),
  );
  const stored = item.kind === "tool_result" ? item.stored_output : null;
  if (stored === null) throw new AppError("NOT_FOUND", `The entry ${entryId} has no output in another file.`);
  return new TextEncoder().encode(JSON.stringify(readOutput(session, stored, MAX_OUTPUT_BYTES)));
}

/** Puts an output from its own file, or its beginning, into the item; what is gone leaves the item as it is. */
export function withWholeOutput(session: OpenSession, item: TranscriptItem): TranscriptItem {
  if (item.kind !== "tool_result" || item.stored_output === null) return item;
  try {
    const { text, size_bytes, complete } = readOutput(session, item.stored_output, MAX_EXPORTED_BYTES);
    return { ...item, blocks: [{ kind: "text", text: complete ? text : `${text}\n${cutOutput(size_bytes)}` }] };
  } catch (error) {
    if (error instanceof AppError) return item;
    throw error;
  }
}

/**
 * Reads a file of the agent's folder for outputs: transcripts are written by programs that may want other files read.
 *
 * @throws AppError with a message for the file system's error.
 */
function readOutput({ format, source }: OpenSession, { file_name }: StoredOutput, limit: number): ToolOutput {
  const folder = format.agent.outputFolder?.(source.path) ?? null;
  if (folder === null) throw new AppError("NOT_FOUND", `${format.agent.name} has no files of outputs.`);
  const path = normalize(`${folder}/${file_name}`);
  // The folder of the session and that of its outputs are the agent's, and no links.
  const project = dirname(dirname(dirname(path)));
  try {
    const { descriptor, real } = openSessionFile(path);
    try {
      if (real !== join(realpathSync(project), path.slice(project.length))) {
        throw new AppError("FORBIDDEN", `${path} is not opened: its folder is a link.`);
      }
      const size = fstatSync(descriptor).size;
      const bytes = Buffer.allocUnsafe(Math.min(size, limit));
      let filled = 0;
      while (filled < bytes.length) {
        const count = readSync(descriptor, bytes, filled, bytes.length - filled, filled);
        if (count === 0) break;
        filled += count;
      }
      work.bytesRead += filled;
      const complete = filled === size;
      // The last character may be cut.
      const text = new TextDecoder().decode(bytes.subarray(0, filled), { stream: !complete });
      return { text, size_bytes: size, complete };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw fileError(error, "read", path) ?? error;
  }
}
