import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ForkOrigin, SessionWriter } from "../../format/format.ts";
import type { JsonObject } from "../../json.ts";
import { changedMeanwhile } from "../files/file-errors.ts";
import type { SessionFile } from "../session-file/session-file.ts";
import { createSessionFile } from "../session-file/session-roots.ts";
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
}

const LF = Buffer.from("\n");
const COPY_BYTES = 1024 * 1024;

/**
 * Writes a branch as a new session beside its source, like the agent: same IDs, same bytes, a new header that names the
 * source. Never overwrites a file.
 *
 * @returns the path of the new file.
 * @throws the file system's error with its `code`; leaves no file behind then.
 */
export function writeFork(path: string, file: SessionFile, content: BranchContent): string {
  const id = randomUUID();
  const timestamp = new Date().toISOString();
  const target = join(dirname(path), `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`);
  const { descriptor, real } = createSessionFile(target, file.permissions);
  try {
    const write = (line: string) => writeFileSync(descriptor, `${line}\n`);
    write(JSON.stringify(content.writer.forkHeader(content, { id, timestamp, path })));
    for (const piece of piecesOf(content.lines)) {
      const bytes = file.bytes(piece.offset, piece.length);
      if (bytes.length < piece.length) throw changedMeanwhile(path);
      writeFileSync(descriptor, piece.isEnd ? Buffer.concat([bytes, LF]) : bytes);
    }
    for (const label of labelEntries(content, timestamp)) write(JSON.stringify(label));
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(real, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return target;
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

function* labelEntries(content: BranchContent, now: string): Generator<JsonObject> {
  // Without IDs, entries cannot have labels.
  if (!content.hasTree) return;
  const taken = new Set<string>();
  let parentId = content.leafId;
  for (const { targetId, label, timestamp } of content.labels) {
    const id = newEntryId((candidate) => taken.has(candidate) || content.isTaken(candidate));
    taken.add(id);
    yield content.writer.labelLine({ targetId, label }, { tree: { id, parentId }, timestamp: timestamp ?? now });
    parentId = id;
  }
}
