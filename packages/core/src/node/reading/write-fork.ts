import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AppendPosition, ForkOrigin, SessionWriter } from "../../format/format.ts";
import { CONVERTED_FROM, type ConversionOrigin } from "../../hand-over/pi-lines.ts";
import type { JsonObject } from "../../json.ts";
import { changedMeanwhile } from "../files/file-errors.ts";
import { writeSessionFile } from "../session-file/new-session-file.ts";
import type { SessionFile } from "../session-file/session-file.ts";
import { newEntryId } from "./append.ts";

/** Content of a fork: the lines of one branch, unchanged, and labels set or cleared outside of it. */
export interface BranchContent extends ForkOrigin {
  writer: SessionWriter;
  lines: Iterable<{ offset: number; length: number }>;
  /** Whether an entry has this ID. */
  isTaken: (id: string) => boolean;
  leafId: string | null;
  /** `null` clears a label that the branch sets. */
  labels: { targetId: string; label: string | null; timestamp: string | null }[];
  /** Said in an entry at the end; `null` for a fork, of which the header says enough. */
  origin: ConversionOrigin | null;
}

const LF = Buffer.from("\n");
const COPY_BYTES = 1024 * 1024;

/** A session file that is to be written. */
export interface NewSession {
  path: string;
  id: string;
  /** RFC 3339. */
  timestamp: string;
}

/** A new session in a folder, named as the agent names its files. */
export function newSessionIn(folder: string): NewSession {
  const id = randomUUID();
  const timestamp = new Date().toISOString();
  return { path: join(folder, `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`), id, timestamp };
}

/**
 * Writes a branch as a new session, like the agent: same IDs, same bytes, a new header that names the source. Never
 * overwrites a file.
 *
 * @throws the file system's error with its `code`; leaves no file behind then.
 */
export function writeFork(path: string, file: SessionFile, content: BranchContent, target: NewSession): void {
  const { id, timestamp } = target;
  writeSessionFile(target.path, file.permissions, (descriptor) => {
    const write = (line: string) => writeFileSync(descriptor, `${line}\n`);
    write(JSON.stringify(content.writer.forkHeader(content, { id, timestamp, path })));
    for (const piece of piecesOf(content.lines)) {
      const bytes = file.bytes(piece.offset, piece.length);
      if (bytes.length < piece.length) throw changedMeanwhile(path);
      writeFileSync(descriptor, piece.isEnd ? Buffer.concat([bytes, LF]) : bytes);
    }
    for (const entry of addedEntries(content, timestamp)) write(JSON.stringify(entry));
  });
}

/** Consecutive lines are copied together: most of a branch is contiguous in the file. */
function* piecesOf(lines: BranchContent["lines"]): Generator<{ offset: number; length: number; isEnd: boolean }> {
  let start = 0;
  let end = -1;
  const cut = function* () {
    for (let offset = start; offset < end; offset += COPY_BYTES) {
      const length = Math.min(COPY_BYTES, end - offset);
      yield { offset, length, isEnd: offset + length === end };
    }
  };
  for (const { offset, length } of lines) {
    // Adjacent lines are separated by a single LF.
    if (offset !== end + 1 || end < 0) {
      yield* cut();
      start = offset;
    }
    end = offset + length;
  }
  yield* cut();
}

function* addedEntries(content: BranchContent, now: string): Generator<JsonObject> {
  const { writer, hasTree, labels, origin } = content;
  const taken = new Set<string>();
  let parentId = content.leafId;
  const positionAt = (timestamp: string): AppendPosition => {
    if (!hasTree) return { tree: null, timestamp };
    const id = newEntryId((candidate) => taken.has(candidate) || content.isTaken(candidate));
    const tree = { id, parentId };
    taken.add(id);
    parentId = id;
    return { tree, timestamp };
  };
  // Without IDs, entries cannot have labels.
  for (const { targetId, label, timestamp } of hasTree ? labels : []) {
    yield writer.labelLine({ targetId, label }, positionAt(timestamp ?? now));
  }
  if (origin !== null) yield writer.dataLine(CONVERTED_FROM, { ...origin }, positionAt(now));
}
