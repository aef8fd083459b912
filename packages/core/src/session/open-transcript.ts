import { AppError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { LineSplitter, parseLine } from "./jsonl.ts";
import { SessionFold } from "./summary.ts";
import type { Transcript, TranscriptItem } from "./transcript.ts";
import {
  type ReadableSession,
  type TranscriptOrder,
  transcriptItem,
  transcriptLayout,
  transcriptOf,
} from "./transcript-layout.ts";
import { withoutCycles } from "./tree.ts";

export interface OpenTranscriptOptions {
  /** Any entry: only the branch from it to its root is given. */
  leafId?: string;
  /** The whole tree in runs, the default; the newest branch; or every entry in the order of the file. */
  order?: TranscriptOrder;
  /** Names the session where it has neither a name nor a message of the user. */
  fileName?: string;
}

/**
 * Opens a session file that is in memory, or comes in pieces, as a transcript to be exported or read. The bytes are
 * kept; entries are parsed when they are read, as often as that is.
 *
 * @throws AppError NOT_FOUND where the bytes hold no session, or there is no entry `leafId`.
 */
export async function openTranscript(
  session: Uint8Array | AsyncIterable<Uint8Array>,
  { leafId, order = "tree", fileName = "session.jsonl" }: OpenTranscriptOptions = {},
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
  if (!fold.isSession) throw new AppError("NOT_FOUND", `${fileName} holds no session that can be read.`);

  const parents = withoutCycles(fold.outline.parents());
  const opened = { fold, parents, source: { path: fileName, size: bytes.length, modifiedAt: 0 } };
  const layout = transcriptLayout(opened, { order, leafId });
  const items = { [Symbol.iterator]: () => itemsOf(opened, layout.ordinals, bytes) };
  return transcriptOf(opened, layout, items);
}

function* itemsOf(session: ReadableSession, ordinals: Int32Array, bytes: Uint8Array): Generator<TranscriptItem> {
  for (const ordinal of ordinals) {
    const { offset, length } = session.fold.outline.at(ordinal);
    const line: JsonObject | null = parseLine(textOf(bytes.subarray(offset, offset + length), offset));
    // It was parsed before.
    yield transcriptItem(session, ordinal, line ?? {});
  }
}

/** A BOM at the start of the file is none of its first line; elsewhere U+FEFF is a character. */
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
