import { createHash, randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JsonObject } from "@sm/core";
import { fileError, type PreparedFile, prepareFile, readWholeFile, replaceFile, withFileLock } from "@sm/core/files";
import type { ConfigurationState, ConfigVersionStore, LibraryLog, StoredTag } from "@sm/core/node";
import { LARGEST_BYTES } from "../config.ts";

/** A file that is to have another text. */
export interface FileChange {
  path: string;
  /** `null`: there is no file. */
  before: string | null;
  /** `null`: there is to be no file. */
  after: string | null;
}

/** A configuration that is to be in force. */
export interface WholeChange {
  origin: string;
  bundle: JsonObject;
  tags: readonly StoredTag[];
  values: JsonObject;
  files: FileChange[];
}

/** What it takes to take a change back that was broken off. */
interface Journal {
  /** The change is complete where there is such a version. */
  version_id: string;
  files: { path: string; before: string | null; after_sha256: string | null }[];
}

export interface ChangeOptions {
  /** Where the journal is kept. */
  dataDir: string;
  state: ConfigurationState;
  versions: Pick<ConfigVersionStore, "get">;
  log: LibraryLog;
}

/** It holds the three files that a change may replace, as text in JSON, where a byte may take six. */
const LARGEST_JOURNAL = 3 * 6 * LARGEST_BYTES;

/** Only for the user: paths tell what somebody works on, and model configurations may hold API keys. */
const NEW_FILE_MODE = 0o600;

/**
 * Puts a configuration in force: its files, tags and values, and a version of it. All or nothing, also where the
 * process is killed: the new version, written in the transaction in which the files are replaced, makes the change
 * complete; without it, `takeBackBrokenChange` puts the files back from the journal.
 *
 * The files must be locked, by `withFilesLocked`. Gives the version's id, and the paths of the sessions that have lost
 * a tag.
 */
export async function makeChange(
  change: WholeChange,
  options: ChangeOptions,
): Promise<{ versionId: string; untagged: string[] }> {
  const { files, ...content } = change;
  const journal: Journal = { version_id: randomUUID(), files: files.map(journalled) };
  const path = journalPath(options.dataDir);
  const prepared: PreparedFile[] = [];
  try {
    for (const file of files) {
      prepared.push(await describeFileErrors(file.path, () => prepareFile(file.path, file.after, NEW_FILE_MODE)));
    }
    await describeFileErrors(path, () => replaceFile(path, `${JSON.stringify(journal)}\n`, NEW_FILE_MODE));
    const untagged = await options.state.change({ versionId: journal.version_id, ...content }, () => {
      for (const [index, file] of files.entries()) putInPlace(file.path, prepared[index]);
    });
    await rm(path, { force: true });
    return { versionId: journal.version_id, untagged };
  } catch (error) {
    for (const file of prepared) await file.discard();
    await takeBack(journal, options);
    await rm(path, { force: true });
    throw error;
  }
}

/** Takes back what a process has left that was killed in the middle of a change. To be called before anything is read. */
export async function takeBackBrokenChange(options: ChangeOptions): Promise<void> {
  const left = await readJournal(options.dataDir);
  if (left === null) return;
  const paths = left.files.map(({ path }) => path);
  await withFilesLocked(paths, options.dataDir, async () => {
    const journal = await readJournal(options.dataDir);
    // Another program was in the middle of it, and is done.
    if (journal?.version_id !== left.version_id) return;
    await takeBack(journal, options);
    await rm(journalPath(options.dataDir), { force: true });
  });
}

async function takeBack(journal: Journal, { versions, log }: ChangeOptions): Promise<void> {
  if ((await versions.get(journal.version_id)) !== null) return;
  for (const { path, before, after_sha256 } of journal.files) {
    const present = await readWholeFile(path, LARGEST_BYTES).then(String, () => null);
    // Not replaced yet, or edited by somebody since: theirs.
    if (hashOf(present) !== after_sha256) continue;
    if (before === null) await rm(path, { force: true });
    else await replaceFile(path, before, NEW_FILE_MODE);
    log.warn({ path }, "A change of the configuration was broken off: the file is again as it was before.");
  }
}

function journalPath(dataDir: string): string {
  return join(dataDir, "config-change.json");
}

/** `null` where no change is being made. */
async function readJournal(dataDir: string): Promise<Journal | null> {
  try {
    return JSON.parse(String(await readWholeFile(journalPath(dataDir), LARGEST_JOURNAL))) as Journal;
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
 * Runs `action` while these files are locked, and so is the journal: one change is made at a time, by whatever program
 * that works on the same data. Locks are taken in an order that everybody keeps.
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
