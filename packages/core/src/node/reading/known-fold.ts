import type { SessionFold } from "../../session/session-fold.ts";
import type { SessionFileFacts } from "../../session/summary.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { statPath } from "../files/stat.ts";
import { sameStamp, stampOf } from "../session-file/file-stamp.ts";

/** A session that was read before. */
export interface KnownFold {
  fold: SessionFold;
  /** Its size is that of what was read. */
  source: SessionFileFacts;
  /** Of the file. */
  inode: number;
}

/** Finds the fold of a session in its current state; `null` where it is not known. */
export type FindFold = (path: string) => KnownFold | null;

/** Finds folds in the index. */
export function foldsIn(catalog: Catalog): FindFold {
  return (path) => {
    const known = catalog.find(path);
    if (known?.status !== "session") return null;
    const found = statPath(path);
    const kept = known.fromVault ? known.stamp : null;
    const stamp = found === undefined ? kept : stampOf(found);
    if (stamp === null || !sameStamp(known.stamp, stamp)) return null;
    const source = { path, size: known.progress.bytes, modifiedAt: stamp.mtime };
    return { fold: catalog.fold(known.key), source, inode: stamp.inode };
  };
}
