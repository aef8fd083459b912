import { formatNamed } from "../../format/formats.ts";
import type { DeletedSession, DeletionPreview } from "../../library.ts";
import type { LibraryLog } from "../../library-log.ts";
import { deleteAlong, deleteRecoverably } from "../files/trash.ts";
import type { OpenIndex } from "../indexing/open-index.ts";
import type { SessionVault } from "../keeping/session-vault.ts";
import type { StateStore } from "../state/ports.ts";
import { type Companion, companionsOf } from "./companions.ts";
import type { CurrentSessions } from "./current-sessions.ts";
import type { SessionDirectories } from "./directories.ts";
import type { LiveFiles } from "./live-files.ts";

export interface DeletionOptions {
  vault: Pick<SessionVault, "deleted" | "undelete">;
  index: Pick<OpenIndex, "list" | "forget">;
  directories: Pick<SessionDirectories, "sessionPath" | "isPlace">;
  current: Pick<CurrentSessions, "record">;
  live: Pick<LiveFiles, "release">;
  marks: Pick<StateStore, "forget">;
  onDeleted?: ((paths: readonly string[]) => Promise<void>) | undefined;
  log: LibraryLog;
}

/** Deletes sessions with all that belongs to them. */
export class Deletion {
  readonly #options: DeletionOptions;

  constructor(options: DeletionOptions) {
    this.#options = options;
  }

  /** @param path from a caller. */
  async preview(path: string): Promise<DeletionPreview> {
    const own = await this.#options.directories.sessionPath(path);
    const companions = await this.#companionsOf(own);
    const known = await this.#options.index.list((listing) => listing.existing(sessionsIn(companions)));
    return { path: own, companions: filesIn(companions), subagents: known.size, companion_bytes: bytesIn(companions) };
  }

  /** @param path from a caller. */
  async delete(path: string, force: boolean): Promise<DeletedSession> {
    const { directories, live, vault } = this.#options;
    const own = await directories.sessionPath(path);
    for (const one of [own, ...sessionsIn(await this.#companionsOf(own))]) await live.release(one, force);
    // Stopping the agent may have taken seconds.
    const current = await directories.sessionPath(own);
    const companions = await this.#companionsOf(current);
    const sessions = [own, ...sessionsIn(companions)];
    // First: what has gone without being deleted stays in lists.
    const recoverable = new Set<string>();
    for (const session of sessions) if (await vault.deleted(session, force)) recoverable.add(session);
    const method = await this.#deleteFile(current, force).catch(async (error: unknown) => {
      if (!force) for (const session of sessions) await vault.undelete(session);
      throw error;
    });
    // The file is deleted: nothing that follows makes the deletion fail, and what is left can be deleted by hand.
    const deleted: Companion[] = [];
    const left: Companion[] = [];
    for (const companion of companions) {
      ((await this.#isDeletedAlong(companion, method)) ? deleted : left).push(companion);
    }
    const gone = [own, ...sessionsIn(deleted)];
    // Tags and notes of what comes back come back, too.
    await this.#forget(
      gone,
      gone.filter((session) => !recoverable.has(session)),
    );
    return { path: own, method, companions: filesIn(deleted), left_behind: left.map((companion) => companion.path) };
  }

  async #deleteFile(path: string, isForever: boolean): Promise<DeletedSession["method"]> {
    const { directories, index } = this.#options;
    const known = await index.list((listing) => listing.one(path));
    if (known?.source === "vault") return isForever ? "permanent" : "vault";
    return deleteRecoverably(path, (real) => directories.isPlace(path, real));
  }

  async #companionsOf(path: string): Promise<Companion[]> {
    const { index, current } = this.#options;
    const known = await index.list((listing) => listing.one(path));
    // A file that is no session can be deleted, too.
    const record = known ?? (await current.record(path).catch(() => null));
    return record === null ? [] : companionsOf(formatNamed(record.format).agent, path);
  }

  async #isDeletedAlong({ path }: Companion, method: DeletedSession["method"]): Promise<boolean> {
    const { directories, log } = this.#options;
    try {
      await deleteAlong(path, method === "vault" ? "trash" : method, (real) => directories.isPlace(path, real));
      return true;
    } catch (error) {
      log.warn({ err: error, path }, "Could not delete what belonged to a deleted session");
      return false;
    }
  }

  /** Errors are corrected by the next scan. */
  async #forget(paths: string[], unmarked: string[]): Promise<void> {
    const { index, marks, onDeleted, log } = this.#options;
    const all = [index.forget(paths), marks.forget(unmarked), onDeleted?.(paths)];
    for (const outcome of await Promise.allSettled(all)) {
      if (outcome.status === "fulfilled") continue;
      log.error({ err: outcome.reason, path: paths[0] }, "Could not remove all data of a deleted session");
    }
  }
}

function sessionsIn(companions: readonly Companion[]): string[] {
  return companions.flatMap(({ sessions }) => sessions);
}

function bytesIn(companions: readonly Companion[]): number {
  return companions.reduce((sum, { bytes }) => sum + bytes, 0);
}

function filesIn(companions: readonly Companion[]): number {
  return companions.reduce((sum, { files }) => sum + files, 0);
}
