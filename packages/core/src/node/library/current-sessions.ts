import { lstat } from "node:fs/promises";
import { AppError } from "../../errors.ts";
import type { SessionRecord } from "../../session/record.ts";
import { describeFileErrors } from "../files/file-errors.ts";
import type { OpenIndex } from "../indexing/open-index.ts";
import { sameStamp, stampOf } from "../session-file/session-file.ts";
import type { SessionDirectories } from "./directories.ts";

export interface CurrentSessionsOptions {
  index: Pick<OpenIndex, "stamp" | "scanNow" | "list">;
  directories: Pick<SessionDirectories, "sessionPath">;
  withMarks(records: SessionRecord[]): Promise<SessionRecord[]>;
}

/** Single sessions as their files are at this moment: the index is brought up to date for them first. */
export class CurrentSessions {
  readonly #options: CurrentSessionsOptions;

  constructor(options: CurrentSessionsOptions) {
    this.#options = options;
  }

  /** The path as the index knows it. Rejects as every command with a path does. */
  async path(given: string): Promise<string> {
    const path = await this.#options.directories.sessionPath(given);
    await this.#bringUpToDate(path);
    return path;
  }

  /**
   * @param path as the index knows it.
   * @throws AppError NOT_FOUND where it holds no session.
   */
  async record(path: string): Promise<SessionRecord> {
    await this.#bringUpToDate(path);
    const record = await this.#options.index.list((listing) => listing.one(path));
    if (record === null) throw new AppError("NOT_FOUND", `${path} contains no readable session.`);
    const [marked] = await this.#options.withMarks([record]);
    return marked ?? record;
  }

  async #bringUpToDate(path: string): Promise<void> {
    const { index } = this.#options;
    const stamp = stampOf(await describeFileErrors("read", path, () => lstat(path)));
    const known = await index.stamp(path);
    if (known === null || !sameStamp(known, stamp)) await index.scanNow({ path, stamp });
  }
}
