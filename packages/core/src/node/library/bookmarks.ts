import type { Bookmark } from "../../bookmarks.ts";
import { AppError } from "../../errors.ts";
import { formatNamed } from "../../format/formats.ts";
import { onlyReadError } from "../../format/only-read.ts";
import type { BranchPage } from "../../library.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { BookmarkStore } from "../state/ports.ts";

export interface BookmarksOptions {
  bookmarks: BookmarkStore;
  /** Finds a session by the path of a payload. Rejects like all commands with a path. */
  session(path: string): Promise<SessionRecord>;
  /** A page of a branch to an entry, by default the newest. Rejects where a session has no such entry. */
  branch(path: string, leafId?: string): Promise<Pick<BranchPage, "labels">>;
  /** Labels an entry in the file of its session, or takes the label away. */
  label(path: string, entryId: string, label: string | null): Promise<unknown>;
  /** Which of these paths are sessions. */
  existing(paths: string[]): Promise<Set<string>>;
  /** Called with sessions that others have to be told of. */
  touched(paths: string[]): void;
}

/** Bookmarks on entries of a library's sessions, beside the labels that agents store in their files. */
export class Bookmarks {
  readonly #options: BookmarksOptions;

  constructor(options: BookmarksOptions) {
    this.#options = options;
  }

  /** @param label written into the file; empty to take it away there, `null` to leave the file as it is. */
  async set(given: string, entryId: string, isBookmarked: boolean, label: string | null) {
    const { bookmarks, session, branch, touched } = this.#options;
    const record = await session(given);
    const { path, id } = record;
    // A bookmark on an entry that is gone can be removed.
    if (isBookmarked) await branch(path, entryId);
    if (label !== null) await this.#label(record, entryId, label);
    const isChanged = await bookmarks.set({ path, id }, entryId, isBookmarked ? new Date().toISOString() : null);
    if (isChanged || label !== null) touched([path]);
    return { path, entry_id: entryId, bookmarked: isBookmarked };
  }

  async #label(record: SessionRecord, entryId: string, label: string): Promise<void> {
    const { path, source, format, is_live } = record;
    if (source === "vault" || formatNamed(format).writer === null) throw onlyReadError(record, "labelled");
    // It would not see the label, and has no command for one.
    if (is_live) {
      const message =
        "An agent is using this session and would not see the label: label the entry there, or stop it first.";
      throw new AppError("CONFLICT", message);
    }
    await this.#options.label(path, entryId, label === "" ? null : label);
  }

  async list(given: string | null): Promise<Bookmark[]> {
    const { bookmarks, session, branch, existing } = this.#options;
    if (given === null) {
      const own = await bookmarks.list(null);
      const there = await existing([...new Set(own.map(({ path }) => path))]);
      return own.flatMap(({ path, entryId, createdAt }) =>
        there.has(path) ? [{ path, entry_id: entryId, label: null, created_at: createdAt }] : [],
      );
    }
    const { path } = await session(given);
    const [own, { labels }] = await Promise.all([bookmarks.list(path), branch(path)]);
    const labelled = new Map(Object.entries(labels));
    const found = own.map(({ entryId, createdAt }): Bookmark => {
      const label = labelled.get(entryId) ?? null;
      labelled.delete(entryId);
      return { path, entry_id: entryId, label, created_at: createdAt };
    });
    for (const [entry_id, label] of labelled) found.push({ path, entry_id, label, created_at: null });
    return found;
  }

  /** Entries of one session with bookmarks, for an export. */
  async of(path: string): Promise<Set<string>> {
    const own = await this.#options.bookmarks.list(path);
    return new Set(own.map(({ entryId }) => entryId));
  }
}
