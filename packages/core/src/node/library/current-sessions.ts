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

/** Access to single sessions in their current state: updates the index first. */
export class CurrentSessions {
  readonly #options: CurrentSessionsOptions;

  constructor(options: CurrentSessionsOptions) {
    this.#options = options;
  }

  /** The path in the index. Rejects like all commands with a path. */
  async path(given: string): Promise<string> {
    const path = await this.#options.directories.sessionPath(given);
    await this.#bringUpToDate(path);
    return path;
  }

  /**
   * @param path in the index.
   * @throws AppError NOT_FOUND if it is not a session.
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
