import { lstat } from "node:fs/promises";
import type { LibraryLog } from "../../library-log.ts";
import { isInside } from "../files/open-file.ts";
import type { OpenIndex } from "../indexing/open-index.ts";
import { type FileStamp, stampOf } from "../session-file/file-stamp.ts";
import type { SessionDirectories } from "./directories.ts";
import { MisnamedFiles } from "./misnamed-files.ts";
import { type DirectorySurvey, MissingDirectories } from "./missing-directories.ts";

export interface ComparisonOptions {
  directories: Pick<SessionDirectories, "survey">;
  index: Pick<OpenIndex, "refresh" | "fileChanges">;
  log: LibraryLog;
  /** Watches existing directories, and waits for missing ones. */
  watch(existing: string[], missing: string[]): Promise<void>;
  /** Called after each scan, with the sessions of directories that have been missing for too long. */
  onCompared(expired: string[]): Promise<void>;
}

/** Compares the session directories with the index. */
export class Comparison {
  readonly #options: ComparisonOptions;
  readonly #missing: MissingDirectories;
  readonly #misnamed: MisnamedFiles;

  constructor(options: ComparisonOptions) {
    this.#options = options;
    this.#missing = new MissingDirectories(options.log);
    this.#misnamed = new MisnamedFiles(options.log);
  }

  /** Message about missing directories; `null` if none is missing. */
  get problem(): string | null {
    return this.#missing.problem;
  }

  /** Number of session files whose names cannot be listed. */
  get misnamedFiles(): number {
    return this.#misnamed.count;
  }

  /**
   * Scans all directories, and waits for the records of all changed files.
   *
   * @returns whether the index is complete.
   */
  async refresh(): Promise<boolean> {
    return this.compare(await this.survey());
  }

  async survey(): Promise<DirectorySurvey> {
    const survey = await this.#options.directories.survey();
    await this.#options.watch(survey.existing, survey.missing);
    return survey;
  }

  /** {@link Comparison.refresh} for already surveyed directories. */
  async compare(survey: DirectorySurvey): Promise<boolean> {
    const { existing, missing } = survey;
    const { missing: kept, expired, misnamed, isWhole } = await this.#options.index.refresh(existing, missing);
    this.#missing.update(survey, kept);
    this.#misnamed.update(misnamed);
    await this.#options.onCompared(expired);
    return isWhole;
  }

  /** Updates single files that may have changed. */
  async filesChanged(paths: string[]): Promise<void> {
    const seen = await Promise.all(paths.map(async (path) => ({ path, stamp: await stampOfFile(path) })));
    const isAbsent = seen.some(({ stamp }) => stamp === null);
    // A session is not removed if its whole directory is missing: that is decided by a scan of all.
    const { missing } = isAbsent ? await this.#options.directories.survey() : { missing: [] };
    const isSeen = (path: string) => !missing.some((directory) => isInside(path, directory));
    await this.#options.index.fileChanges(seen.filter(({ path, stamp }) => stamp !== null || isSeen(path)));
  }
}

/** `null` if there is no regular file; links do not count. */
async function stampOfFile(path: string): Promise<FileStamp | null> {
  try {
    const stat = await lstat(path);
    return stat.isFile() ? stampOf(stat) : null;
  } catch {
    return null;
  }
}
