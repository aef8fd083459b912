import { IndexError } from "@sm/text-index/storage";
import type { Catalog } from "../catalog/catalog.ts";
import type { ListChange } from "../catalog/found-files.ts";
import { unindexedBytes } from "../catalog/indexed-texts.ts";
import type { KnownFile } from "../catalog/known-file.ts";
import { errorCode, isAbsence, isRefusal } from "../files/file-errors.ts";
import { statPath } from "../files/stat.ts";
import { type FileStamp, sameStamp } from "../session-file/file-stamp.ts";
import { type ReadSession, withSessionFile } from "../session-file/session-file.ts";
import type { FileToScan, ScannedFile } from "./indexing-tasks.ts";

interface ReadFile {
  file: FileToScan;
  /** What was known of this path before it was read. */
  known: KnownFile | null;
  /** What was known of the path from which the file was moved. */
  former: KnownFile | null;
  outcome: ReadSession | "unchanged" | "unreadable" | "gone";
}

/** Others are quicker once or twice; a row that differs from itself so often is damaged. */
const MAX_ATTEMPTS = 10;

/** Reads the records of files, then keeps them all in one transaction: threads wait for each other there. */
export function scanFiles(files: FileToScan[], catalog: Catalog, attempt = 1): ScannedFile[] {
  if (attempt > MAX_ATTEMPTS) throw new IndexError("damaged", "The index contains invalid data.");
  const paths = files.flatMap(({ path, movedFrom }) => (movedFrom === undefined ? path : [path, movedFrom]));
  const before = new KnownFiles(catalog, paths);
  const read = files.map((file) => readFile(file, catalog, before));
  const kept = catalog.write(() => {
    const present = new KnownFiles(catalog, paths);
    return read.map((one) => {
      const scanned = keep(one, catalog, present);
      present.forget(one.file);
      return scanned;
    });
  });
  return kept.flatMap((one, place) => one ?? scanFiles(files.slice(place, place + 1), catalog, attempt + 1));
}

/** What the catalog knows of many files, looked up together: one query for each of them costs as much as reading it. */
class KnownFiles {
  readonly #catalog: Catalog;
  readonly #known: Map<string, KnownFile | null>;

  constructor(catalog: Catalog, paths: readonly string[]) {
    this.#catalog = catalog;
    this.#known = new Map(paths.map((path) => [path, null]));
    for (const known of catalog.findAll(paths)) this.#known.set(known.path, known);
  }

  find(path: string): KnownFile | null {
    const known = this.#known.get(path);
    return known === undefined ? this.#catalog.find(path) : known;
  }

  /** Has what may have changed with a file looked up again. */
  forget({ path, movedFrom }: FileToScan): void {
    this.#known.delete(path);
    if (movedFrom !== undefined) this.#known.delete(movedFrom);
  }
}

function readFile(file: FileToScan, catalog: Catalog, before: KnownFiles): ReadFile {
  const known = before.find(file.path);
  const former = formerOf(file, before);
  const base = former ?? known;
  try {
    return withSessionFile(file.path, (session) => {
      const stamp = session.stamp();
      const isSameSource = known?.fromVault === session.fromVault;
      if (former === null && known !== null && !known.isAway && isSameSource && sameStamp(known.stamp, stamp)) {
        return { file, known, former, outcome: "unchanged" };
      }
      const isKnown = base?.status === "session" && (stamp.size > base.stamp.size || isUnwritten(base.stamp, stamp));
      const kept = isKnown ? { progress: base.progress, fold: () => catalog.foldToResume(base) } : undefined;
      return { file, known, former, outcome: session.read(kept, stamp) };
    });
  } catch (error) {
    const code = errorCode(error);
    if (isAbsence(code)) return { file, known, former, outcome: "gone" };
    // Tried again when its stamp changes, which `chmod` does.
    if (isRefusal(code)) return { file, known, former, outcome: "unreadable" };
    throw error;
  }
}

/** The content of a file that was moved, unless the move turns out to be none. */
function formerOf({ movedFrom, stamp }: FileToScan, before: KnownFiles): KnownFile | null {
  const former = movedFrom === undefined ? null : before.find(movedFrom);
  return former?.stamp.inode === stamp.inode && isGone(former.path) ? former : null;
}

/** Whether a comparison would find no file there, whatever has taken its place. */
function isGone(path: string): boolean {
  try {
    return statPath(path)?.isFile() !== true;
  } catch {
    return true;
  }
}

/**
 * Whether a file was moved, linked or had its mode changed, and nothing else. Where it has not grown and was written,
 * whatever has changed lies in what was read, so that it has to be read anew.
 */
function isUnwritten(before: FileStamp, now: FileStamp): boolean {
  return before.size === now.size && before.mtime === now.mtime && before.inode === now.inode;
}

/** @returns `null` where another thread was asked for the same file, and was quicker with something else. */
function keep(read: ReadFile, catalog: Catalog, files: KnownFiles): ScannedFile | null {
  const { file, known, former, outcome } = read;
  const present = files.find(file.path);
  const isOvertaken = !isSame(present, known) || (former !== null && !isSame(files.find(former.path), former));
  if (isOvertaken) {
    const isDone = typeof outcome === "object" && present !== null && sameStamp(present.stamp, outcome.stamp);
    return isDone ? scanned(present, { change: null }) : null;
  }
  const drop = [former, known].filter((one) => one !== null);
  const droppedShards = drop.filter((one) => one.status === "session").map((one) => one.shard);
  const wasSession = isListed(known);
  const movedFrom = former !== null && isListed(former) ? former.path : null;
  if (outcome === "unchanged" && known !== null) return scanned(known, { change: null });
  if (typeof outcome === "string" || !outcome.fold.isSession) {
    for (const one of drop) catalog.remove(one.path);
    const change = wasSession ? "removed" : null;
    if (outcome === "gone") return gone(file, { change, movedFrom, droppedShards });
    const status = typeof outcome === "string" ? "unreadable" : "skipped";
    const stamp = typeof outcome === "string" ? file.stamp : outcome.stamp;
    return scanned(catalog.putOther(file.path, stamp, status, null), { change, movedFrom, droppedShards });
  }
  const summary = outcome.fold.summary();
  const isKept = wasSession && former === null && catalog.isKept(known, outcome, summary);
  if (former !== null && known !== null) catalog.remove(known.path);
  const base = former ?? known;
  const put = catalog.putSession(file.path, outcome, summary, base, file.shard);
  return scanned(put, {
    change: isKept ? null : wasSession ? "changed" : "added",
    movedFrom,
    droppedShards: put.key === base?.key ? droppedShards.slice(1) : droppedShards,
  });
}

/** Whether a file is a session that lists have. */
export function isListed(known: KnownFile | null): known is KnownFile {
  return known?.status === "session" && !known.isAway;
}

function isSame(a: KnownFile | null, b: KnownFile | null): boolean {
  return (
    a?.key === b?.key &&
    a?.progress.bytes === b?.progress.bytes &&
    a?.isAway === b?.isAway &&
    a?.fromVault === b?.fromVault
  );
}

interface Consequences {
  change: ListChange | null;
  movedFrom?: string | null;
  droppedShards?: number[];
}

function scanned(file: KnownFile, { change, movedFrom = null, droppedShards = [] }: Consequences): ScannedFile {
  const { path, status, key, shard, stamp, fromVault } = file;
  return {
    path,
    status,
    key,
    shard,
    size: stamp.size,
    unindexedBytes: unindexedBytes(file, stamp.size),
    change,
    fromVault,
    movedFrom,
    droppedShards,
  };
}

function gone({ path }: FileToScan, consequences: Required<Consequences>): ScannedFile {
  return { path, status: "gone", key: 0, shard: 0, size: 0, unindexedBytes: 0, fromVault: false, ...consequences };
}
