import { lstat } from "node:fs/promises";
import type { LibraryLog } from "../../library-log.ts";
import { isInside } from "../files/open-file.ts";
import type { OpenIndex } from "../indexing/open-index.ts";
import { type FileStamp, stampOf } from "../session-file/session-file.ts";
import type { SessionDirectories } from "./directories.ts";
import { MisnamedFiles } from "./misnamed-files.ts";
import { type DirectorySurvey, MissingDirectories } from "./missing-directories.ts";

export interface ComparisonOptions {
  directories: Pick<SessionDirectories, "survey">;
  index: Pick<OpenIndex, "refresh" | "fileChanges">;
  log: LibraryLog;
  /** Watches the directories that are there, and waits for those that are not. */
  watch(existing: string[], missing: string[]): Promise<void>;
  /** Called after each comparison, with the sessions of directories that have been missing for too long. */
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

  /** Which directories are missing, for people; `null` where none is. */
  get problem(): string | null {
    return this.#missing.problem;
  }

  /** Session files that cannot be listed for their names. */
  get misnamedFiles(): number {
    return this.#misnamed.count;
  }

  /**
   * Compares all directories, and waits for the records of all files that differ.
   *
   * @returns whether the index has them all.
   */
  async refresh(): Promise<boolean> {
    return this.compare(await this.survey());
  }

  async survey(): Promise<DirectorySurvey> {
    const survey = await this.#options.directories.survey();
    await this.#options.watch(survey.existing, survey.missing);
    return survey;
  }

  /** What {@link Comparison.refresh} does when it is known which directories there are. */
  async compare(survey: DirectorySurvey): Promise<boolean> {
    const { existing, missing } = survey;
    const { missing: kept, expired, misnamed, isWhole } = await this.#options.index.refresh(existing, missing);
    this.#missing.update(survey, kept);
    this.#misnamed.update(misnamed);
    await this.#options.onCompared(expired);
    return isWhole;
  }

  /** Takes note of single files that may have changed. */
  async filesChanged(paths: string[]): Promise<void> {
    const seen = await Promise.all(paths.map(async (path) => ({ path, stamp: await stampOfFile(path) })));
    const isAbsent = seen.some(({ stamp }) => stamp === null);
    // What is missing together with its directory is not gone: a comparison of all decides.
    const { missing } = isAbsent ? await this.#options.directories.survey() : { missing: [] };
    const isSeen = (path: string) => !missing.some((directory) => isInside(path, directory));
    await this.#options.index.fileChanges(seen.filter(({ path, stamp }) => stamp !== null || isSeen(path)));
  }
}

/** `null` where there is no regular file; links are none. */
async function stampOfFile(path: string): Promise<FileStamp | null> {
  try {
    const stat = await lstat(path);
    return stat.isFile() ? stampOf(stat) : null;
  } catch {
    return null;
  }
}
