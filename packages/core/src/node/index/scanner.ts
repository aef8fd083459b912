import { errorCode } from "../file-errors.ts";
import { type ReadSession, sameStamp, withSessionFile } from "../session-file.ts";
import type { FileToScan, ScannedFile } from "../threads/tasks.ts";
import type { Catalog, KnownFile } from "./catalog.ts";

/** The file system's ways of refusing to read. A file is tried again when its stamp changes, which `chmod` does. */
const REFUSALS = new Set(["EACCES", "EPERM", "EIO", "EISDIR", "ELOOP"]);

interface ReadFile {
  file: FileToScan;
  /** What was known before it was read. */
  known: KnownFile | null;
  outcome: ReadSession | "unchanged" | "unreadable" | "gone";
}

/** Reads the records of files, then keeps them all in one transaction: threads wait for each other there. */
export function scanFiles(files: FileToScan[], catalog: Catalog): ScannedFile[] {
  const read = files.map((file) => readFile(file, catalog));
  return catalog.write(() => read.map((one) => keep(one, catalog)));
}

function readFile(file: FileToScan, catalog: Catalog): ReadFile {
  const known = catalog.find(file.path);
  try {
    return withSessionFile(file.path, (session) => {
      const stamp = session.stamp();
      if (known !== null && sameStamp(known.stamp, stamp)) return { file, known, outcome: "unchanged" };
      // Without growth nothing was appended: whatever has changed lies in what was read.
      const hasGrown = known?.status === "session" && stamp.size > known.stamp.size;
      const kept = hasGrown ? { progress: known.progress, fold: () => catalog.fold(known.key) } : undefined;
      return { file, known, outcome: session.read(kept) };
    });
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { file, known, outcome: "gone" };
    if (REFUSALS.has(code)) return { file, known, outcome: "unreadable" };
    throw error;
  }
}

function keep({ file, known, outcome }: ReadFile, catalog: Catalog): ScannedFile {
  const present = catalog.find(file.path);
  // Another thread was asked for the same file and was quicker.
  const isOvertaken = present?.key !== known?.key || present?.progress.bytes !== known?.progress.bytes;
  if (present !== null && (isOvertaken || outcome === "unchanged")) return scanned(present, present);
  if (outcome === "gone") {
    catalog.remove(file.path);
    return { path: file.path, status: "gone", key: 0, shard: 0, size: 0, unindexed: 0, droppedShard: shardOf(present) };
  }
  if (outcome === "unreadable" || outcome === "unchanged") {
    return scanned(catalog.putOther(file.path, file.stamp, "unreadable", present), present);
  }
  const { fold, stamp } = outcome;
  if (!fold.isSession) return scanned(catalog.putOther(file.path, stamp, "skipped", present), present);
  const record = fold.record({ path: file.path, size: stamp.size, modifiedAt: stamp.mtime });
  return scanned(catalog.putSession(file.path, outcome, record, present, file.shard), present);
}

function scanned(file: KnownFile, before: KnownFile | null): ScannedFile {
  const { path, status, key, shard, stamp } = file;
  const unindexed = file.entryCount - file.indexedCount;
  return {
    path,
    status,
    key,
    shard,
    size: stamp.size,
    unindexed,
    droppedShard: before?.key === key ? null : shardOf(before),
  };
}

function shardOf(file: KnownFile | null): number | null {
  return file?.status === "session" ? file.shard : null;
}
