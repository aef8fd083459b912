import type * as v from "valibot";
import { listInput } from "../../input/library.ts";
import { validate } from "../../input/validate.ts";
import type { FileCounts, SessionPage } from "../../library.ts";
import type { Requester } from "../../requester.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { OpenIndex } from "../indexing/open-index.ts";
import type { AgentCleanups } from "./agent-cleanups.ts";
import type { Comparison } from "./comparison.ts";
import type { SessionDirectories } from "./directories.ts";
import type { LibraryEvents } from "./library-events.ts";
import type { Marking } from "./marking.ts";
import { arrayOf, recordsOf } from "./record-array.ts";
import { scannedRecords } from "./scanned-records.ts";

/** Reading records for a slow scan client must not delay indexing for longer. */
const MAX_HOLD_MS = 1_000;

export interface LibraryListsOptions {
  index: Pick<OpenIndex, "list" | "records" | "resets" | "holdText" | "notNow" | "pendingRecords">;
  directories: Pick<SessionDirectories, "sessionPath" | "prefixOf">;
  cleanups: Pick<AgentCleanups, "current">;
  comparison: Pick<Comparison, "refresh">;
  events: Pick<LibraryEvents, "settled" | "note" | "answeredUnsearchable">;
  marking: Pick<Marking, "list" | "names" | "archived" | "keys">;
  withMarks(records: SessionRecord[]): Promise<SessionRecord[]>;
}

/** Lists the sessions of all directories: all of them, in pages, or how many there are. */
export class LibraryLists {
  readonly #options: LibraryListsOptions;

  constructor(options: LibraryListsOptions) {
    this.#options = options;
  }

  /** All records, after a comparison of the directories. */
  async scan(requester?: Requester): Promise<AsyncIterable<SessionRecord>> {
    return recordsOf(await this.#scan(requester));
  }

  /** The same as a JSON array. */
  async scanJson(requester?: Requester): Promise<AsyncIterable<Uint8Array>> {
    return arrayOf(await this.#scan(requester));
  }

  async #scan(requester: Requester | undefined): Promise<AsyncIterable<Uint8Array>> {
    const { index, cleanups, comparison, events, marking, withMarks } = this.#options;
    await cleanups.current();
    const release = index.holdText();
    try {
      // If records did not fit on a full disk, an incomplete list would look complete.
      if (!(await comparison.refresh())) throw index.notNow();
      const { resets } = index;
      await events.settled();
      return scannedRecords({
        index,
        resets,
        events,
        marked: (sessions) => marking.keys(sessions),
        withMarks,
        requester,
        onEnd: release,
      });
    } finally {
      setTimeout(release, MAX_HOLD_MS).unref();
    }
  }

  async page(options: v.InferInput<typeof listInput>): Promise<SessionPage> {
    const { index, directories, cleanups, marking, withMarks } = this.#options;
    const given = validate(listInput, options);
    const parent = given.parent_path === undefined ? undefined : await directories.sessionPath(given.parent_path);
    await cleanups.current();
    const { options: unmarked, ...marked } = await marking.list({ ...given, parent_path: parent });
    // Owners have names on hubs only.
    if (given.owner !== undefined) marked.paths = [];
    const names = await marking.names();
    const archived = await marking.archived();
    const { records, nextCursor, total, totalSize } = await index.list((listing) => {
      listing.setNames(names);
      listing.setArchived(archived);
      return listing.page(unmarked, marked);
    });
    return {
      sessions: await withMarks(records),
      next_cursor: nextCursor,
      total,
      total_size_bytes: totalSize,
      pending: index.pendingRecords,
    };
  }

  /** Numbers of files in each directory. */
  async filesIn(directories: readonly string[]): Promise<FileCounts[]> {
    const { index, directories: known } = this.#options;
    const prefixes = await Promise.all(directories.map((directory) => known.prefixOf(directory)));
    // No path begins with NUL.
    return index.list((listing) => listing.countBelow(prefixes.map((prefix) => prefix ?? "\0")));
  }
}
