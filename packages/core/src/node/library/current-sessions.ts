import { lstat } from "node:fs/promises";
import { AppError } from "../../errors.ts";
import { sessionInput } from "../../input/library.ts";
import { validate } from "../../input/validate.ts";
import type { SessionRecord } from "../../session/record.ts";
import { errorCode, fileError, isAbsence } from "../files/file-errors.ts";
import type { OpenIndex } from "../indexing/open-index.ts";
import { sameStamp, stampOf } from "../session-file/file-stamp.ts";
import type { AgentCleanups } from "./agent-cleanups.ts";
import type { SessionDirectories } from "./directories.ts";

export interface CurrentSessionsOptions {
  index: Pick<OpenIndex, "known" | "scanNow" | "list">;
  directories: Pick<SessionDirectories, "sessionPath">;
  cleanups: Pick<AgentCleanups, "current">;
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

  /** The record of the session at the path of a payload. Rejects like all commands with a path. */
  async session(given: string): Promise<SessionRecord> {
    const { path } = validate(sessionInput, { path: given });
    await this.#options.cleanups.current();
    return this.record(await this.#options.directories.sessionPath(path));
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
    const known = await index.known(path);
    try {
      const stamp = stampOf(await lstat(path));
      const isCurrent = known !== null && !known.fromVault && sameStamp(known.stamp, stamp);
      if (!isCurrent) await index.scanNow({ path, stamp });
    } catch (error) {
      if (known?.fromVault === true && isAbsence(errorCode(error))) return;
      // What has just vanished is perhaps in the vault.
      if (known !== null && isAbsence(errorCode(error))) await index.scanNow({ path, stamp: known.stamp });
      if ((await index.known(path))?.fromVault !== true) throw fileError(error, "read", path) ?? error;
    }
  }
}
