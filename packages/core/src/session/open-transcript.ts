import { AppError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { contextEdits } from "./context-edits.ts";
import { LineSplitter, parseLine } from "./jsonl.ts";
import { SessionFold } from "./session-fold.ts";
import type { Transcript, TranscriptItem } from "./transcript.ts";
import {
  type ReadableSession,
  type TranscriptLayout,
  type TranscriptOrder,
  transcriptItem,
  transcriptLayout,
  transcriptOf,
} from "./transcript-layout.ts";
import { withoutCycles } from "./tree.ts";

export interface OpenTranscriptOptions {
  /** Any entry: returns only the branch from the root to it. */
  leaf_id?: string;
  /** The whole tree in runs (default), the newest branch, or all entries in file order. */
  order?: TranscriptOrder;
  /** Title of a session without a name and user messages. */
  file_name?: string;
}

/**
 * Opens a session file in memory or in pieces as a transcript. Keeps the bytes; entries are parsed each time they are
 * read.
 *
 * @throws AppError NOT_FOUND if it is not a session, or has no entry `leaf_id`.
 */
export async function openTranscript(
  session: Uint8Array | AsyncIterable<Uint8Array>,
  { leaf_id, order = "tree", file_name = "session.jsonl" }: OpenTranscriptOptions = {},
): Promise<Transcript> {
  const bytes = session instanceof Uint8Array ? session : await collected(session);
  const fold = new SessionFold();
  const add = (line: Uint8Array, offset: number, isLast: boolean) => {
    const text = textOf(line, offset);
    if (text.trim() === "") return;
    const entry = parseLine(text);
    if (entry !== null) fold.add(entry, offset, line.length);
    // A last line without LF is still being written.
    else if (!isLast) fold.addMalformed();
  };
  const splitter = new LineSplitter((line, offset) => add(line, offset, false));
  splitter.push(bytes);
  const rest = splitter.takeRest();
  add(rest.bytes, rest.offset, true);
  if (!fold.isSession) throw new AppError("NOT_FOUND", `${file_name} contains no readable session.`);

  const parents = withoutCycles(fold.outline.parents());
  const opened = { fold, parents, source: { path: file_name, size: bytes.length, modifiedAt: 0 } };
  const layout = transcriptLayout(opened, { order, leaf_id });
  const items = { [Symbol.iterator]: () => itemsOf(opened, layout, bytes) };
  return transcriptOf(opened, layout, items);
}

function* itemsOf(session: ReadableSession, layout: TranscriptLayout, bytes: Uint8Array): Generator<TranscriptItem> {
  const lineAt = (ordinal: number): JsonObject => {
    const { offset, length } = session.fold.outline.at(ordinal);
    // It was valid before.
    return parseLine(textOf(bytes.subarray(offset, offset + length), offset)) ?? {};
  };
  const editOf = contextEdits(session, layout, lineAt);
  for (const ordinal of layout.ordinals) yield transcriptItem(session, ordinal, lineAt(ordinal), editOf(ordinal));
}

/** Only a BOM at the start of the file is removed; elsewhere U+FEFF is a character. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function textOf(line: Uint8Array, offset: number): string {
  const text = decoder.decode(line);
  return offset === 0 && text.startsWith("\ufeff") ? text.slice(1) : text;
}

async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    all.push(piece);
    length += piece.length;
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const piece of all) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}
