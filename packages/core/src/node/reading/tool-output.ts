import { AppError } from "../../errors.ts";
import { cutOutput } from "../../export/wording.ts";
import type { TranscriptItem } from "../../session/transcript.ts";
import { transcriptItem } from "../../session/transcript-layout.ts";
import { withSessionFile } from "../session-file/session-file.ts";
import { MAX_SEARCHED_BYTES, readStoredOutput } from "../session-file/stored-output.ts";
import { endOf, lineOf, type OpenSession } from "./open-session.ts";

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

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
  const output = readStoredOutput(session.format.agent, source.path, stored.file_name, MAX_OUTPUT_BYTES);
  return new TextEncoder().encode(JSON.stringify(output));
}

/** Puts an output from its own file, or its beginning, into the item; what is gone leaves the item as it is. */
export function withWholeOutput(session: OpenSession, item: TranscriptItem): TranscriptItem {
  if (item.kind !== "tool_result" || item.stored_output === null) return item;
  try {
    const { file_name } = item.stored_output;
    // An export holds one item at a time, several times as large as what is read.
    const output = readStoredOutput(session.format.agent, session.source.path, file_name, MAX_SEARCHED_BYTES);
    const { text, size_bytes, complete } = output;
    return { ...item, blocks: [{ kind: "text", text: complete ? text : `${text}\n${cutOutput(size_bytes)}` }] };
  } catch (error) {
    if (error instanceof AppError) return item;
    throw error;
  }
}
