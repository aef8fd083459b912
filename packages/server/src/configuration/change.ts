import { createHash, randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JsonObject } from "@sm/core";
import { fileError, type PreparedFile, prepareFile, readWholeFile, replaceFile, withFileLock } from "@sm/core/files";
import type { BackedUpMarks, ConfigurationState, ConfigVersionStore, LibraryLog, StoredTag } from "@sm/core/node";
import { MAX_BYTES } from "../config.ts";

/** New content of a file. */
export interface FileChange {
  path: string;
  /** `null`: the file does not exist. */
  before: string | null;
  /** `null`: the file will be deleted. */
  after: string | null;
}

/** A new configuration to apply. */
export interface WholeChange {
  origin: string;
  bundle: JsonObject;
  tags: readonly StoredTag[];
  values: JsonObject;
  /** To be added to those that there are. */
  marks: BackedUpMarks | null;
  files: FileChange[];
}

/** Data needed to roll back an interrupted change. */
interface Journal {
  /** The change is complete if this version exists. */
  version_id: string;
  files: { path: string; before: string | null; after_sha256: string | null }[];
}

export interface ChangeOptions {
  /** Directory of the journal. */
  dataDir: string;
  state: ConfigurationState;
  versions: Pick<ConfigVersionStore, "get">;
  log: LibraryLog;
}

/** The journal contains up to three files as JSON strings, where one byte may take six. */
const MAX_JOURNAL_SIZE = 3 * 6 * MAX_BYTES;

/** Private: paths reveal what the user works on, and model configurations may contain API keys. */
const NEW_FILE_MODE = 0o600;

/**
 * Applies a configuration: files, tags and values, and a new version. Atomic, even if the process is killed: the
 * version is written in the same transaction that replaces the files, and its existence makes the change complete;
 * without it, `takeBackBrokenChange` restores the files from the journal.
 *
 * The files must be locked with `withFilesLocked`. Returns the version's ID, and the paths of sessions whose marks may
 * have changed.
 */
export async function makeChange(
  change: WholeChange,
  options: ChangeOptions,
): Promise<{ versionId: string; marked: string[] }> {
  const { files, ...content } = change;
  const journal: Journal = { version_id: randomUUID(), files: files.map(journalled) };
  const path = journalPath(options.dataDir);
  const prepared: PreparedFile[] = [];
  try {
    for (const file of files) {
      prepared.push(await describeFileErrors(file.path, () => prepareFile(file.path, file.after, NEW_FILE_MODE)));
    }
    await describeFileErrors(path, () => replaceFile(path, `${JSON.stringify(journal)}\n`, NEW_FILE_MODE));
    const marked = await options.state.change({ versionId: journal.version_id, ...content }, () => {
      for (const [index, file] of files.entries()) putInPlace(file.path, prepared[index]);
    });
    await rm(path, { force: true });
    return { versionId: journal.version_id, marked };
  } catch (error) {
    for (const file of prepared) await file.discard();
    await takeBack(journal, options);
    await rm(path, { force: true });
    throw error;
  }
}

/** Rolls back a change that was interrupted by the end of its process. Call it before anything is read. */
export async function takeBackBrokenChange(options: ChangeOptions): Promise<void> {
  const left = await readJournal(options.dataDir);
  if (left === null) return;
  const paths = left.files.map(({ path }) => path);
  await withFilesLocked(paths, options.dataDir, async () => {
    const journal = await readJournal(options.dataDir);
    // Another process was making this change and has completed it.
    if (journal?.version_id !== left.version_id) return;
    await takeBack(journal, options);
    await rm(journalPath(options.dataDir), { force: true });
  });
}

async function takeBack(journal: Journal, { versions, log }: ChangeOptions): Promise<void> {
  if ((await versions.get(journal.version_id)) !== null) return;
  for (const { path, before, after_sha256 } of journal.files) {
    const present = await readWholeFile(path, MAX_BYTES).then(String, () => null);
    // Not replaced yet, or edited since then: keep it.
    if (hashOf(present) !== after_sha256) continue;
    if (before === null) await rm(path, { force: true });
    else await replaceFile(path, before, NEW_FILE_MODE);
    log.warn({ path }, "An interrupted configuration change was rolled back.");
  }
}

function journalPath(dataDir: string): string {
  return join(dataDir, "config-change.json");
}

/** `null` if no change is in progress. */
async function readJournal(dataDir: string): Promise<Journal | null> {
  try {
    return JSON.parse(String(await readWholeFile(journalPath(dataDir), MAX_JOURNAL_SIZE))) as Journal;
  } catch (error) {
    if (fileError(error, "read", dataDir)?.code === "NOT_FOUND") return null;
    throw error;
  }
}

function journalled({ path, before, after }: FileChange): Journal["files"][number] {
  return { path, before, after_sha256: hashOf(after) };
}

function hashOf(text: string | null): string | null {
  return text === null ? null : createHash("sha256").update(text).digest("hex");
}

function putInPlace(path: string, prepared: PreparedFile | undefined): void {
  try {
    prepared?.put();
  } catch (error) {
    throw fileError(error, "write", path) ?? error;
  }
}

/**
 * Runs `action` while these files and the journal are locked, so that programs on the same data make one change at a
 * time. All programs take the locks in the same order.
 */
export function withFilesLocked<T>(paths: readonly string[], dataDir: string, action: () => Promise<T>): Promise<T> {
  return locked([journalPath(dataDir), ...paths].sort(), action);
}

async function locked<T>([first, ...others]: string[], action: () => Promise<T>): Promise<T> {
  if (first === undefined) return action();
  await describeFileErrors(dirname(first), () => mkdir(dirname(first), { recursive: true }));
  return withFileLock(first, () => locked(others, action));
}

async function describeFileErrors<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw fileError(error, "write", path) ?? error;
  }
}
