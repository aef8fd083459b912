import { LRUCache } from "lru-cache";
import { ChangesFold } from "../../changes/session-changes.ts";
import type { SessionFile } from "../session-file/session-file.ts";
import { endOf, type OpenSession } from "./open-session.ts";

/** The changes of a branch up to an entry. */
interface Kept {
  fold: ChangesFold;
  /** Entries of the branch that are in it. */
  entries: number;
  inode: number;
  /** Of the last of these entries. */
  ordinal: number;
  end: number;
  lastBytes: Buffer;
  /** Of the file. */
  size: number;
  modifiedAt: number;
}

/** Memory of all, and of a few that have next to nothing. */
const MAX_BYTES = 16 * 1024 * 1024;
const MOST = 20;
/** Bytes before a place that tell whether a file has only grown behind it. */
const LAST_BYTES = 1024;

/**
 * What was last found of the changes of sessions: each file that is looked at, and each answer of an agent that works,
 * would have the whole session read again, half a second for 80 MB.
 */
export class KeptChanges {
  readonly #kept = new LRUCache<string, Kept>({
    max: MOST,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ fold }) => Math.max(1, fold.bytes),
  });

  /**
   * Takes the beginning of a branch that is known, so that its other entries can be added; a new fold if none is. Nothing
   * is kept until `keep`.
   */
  take(session: OpenSession, branch: Int32Array, file: SessionFile): { fold: ChangesFold; entries: number } {
    const { path } = session.source;
    const kept = this.#kept.get(path);
    this.#kept.delete(path);
    return kept !== undefined && isBeginning(kept, session, branch, file)
      ? kept
      : { fold: new ChangesFold(), entries: 0 };
  }

  keep(fold: ChangesFold, session: OpenSession, branch: Int32Array, file: SessionFile): void {
    const {
      source,
      inode,
      fold: { outline },
    } = session;
    const ordinal = branch.at(-1);
    if (ordinal === undefined) return;
    const end = endOf(outline, ordinal);
    const { size, modifiedAt } = source;
    const lastBytes = bytesBefore(file, end);
    this.#kept.set(source.path, { fold, entries: branch.length, inode, ordinal, end, lastBytes, size, modifiedAt });
  }
}

function isBeginning(kept: Kept, session: OpenSession, branch: Int32Array, file: SessionFile): boolean {
  const { source, inode, fold } = session;
  if (kept.inode !== inode || branch[kept.entries - 1] !== kept.ordinal) return false;
  if (endOf(fold.outline, kept.ordinal) !== kept.end) return false;
  if (source.size === kept.size) return source.modifiedAt === kept.modifiedAt;
  return source.size > kept.size && bytesBefore(file, kept.end).equals(kept.lastBytes);
}

function bytesBefore(file: SessionFile, end: number): Buffer {
  const start = Math.max(0, end - LAST_BYTES);
  return file.bytes(start, end - start);
}
