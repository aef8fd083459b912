import { formatNamed } from "../../format/formats.ts";
import { formatTimestamp } from "../../session/timestamp.ts";
import type { SessionGeneration } from "../../vault.ts";
import { errorCode, isAbsence, isRefusal } from "../files/file-errors.ts";
import { statPath } from "../files/stat.ts";
import { sameStamp } from "../session-file/file-stamp.ts";
import type { CurrentTask } from "../threads/unwanted.ts";
import type { Vault } from "../vault/vault.ts";
import { companionFiles, isCompanion } from "./companion-files.ts";
import type { KeepingTasks, SessionToKeep } from "./keeping-tasks.ts";
import { notKept } from "./not-kept.ts";
import { type OriginalFile, openOriginal } from "./original-file.ts";

/** Keeps session files, and notes what becomes of them. */
export class SessionKeeper {
  readonly #vault: Vault;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  unkept(files: KeepingTasks["unkept"]["input"]["files"]): string[] {
    const stamps = this.#vault.stampsOf(files.map(({ path }) => path));
    return files
      .filter(({ path, stamp }) => {
        const kept = stamps.get(path);
        return kept === undefined || !sameStamp(kept, stamp);
      })
      .map(({ path }) => path);
  }

  /** Takes note of files that are gone. @returns those of them that are elsewhere. */
  vanished(paths: readonly string[]): string[] {
    this.#vault.setVanished(paths);
    return paths.filter((path) => {
      const present = this.#vault.presentPath(path);
      if (present !== null) this.#vault.move(path, present);
      return present !== null;
    });
  }

  /** See `KeepingTasks`. */
  keep(sessions: readonly SessionToKeep[], task: CurrentTask): KeepingTasks["keep"]["output"] {
    const unreadable: string[] = [];
    const moved: string[] = [];
    for (const session of sessions) {
      const { path, format } = session;
      if (!this.#keepFile(path, null, session, task)) unreadable.push(path);
      for (const former of this.#vault.formerPaths(path)) {
        this.#vault.move(former, path);
        moved.push(former);
      }
      const companions = companionFiles(formatNamed(format).agent, path);
      const changed = new Set(this.unkept(companions));
      for (const companion of companions) {
        if (changed.has(companion.path) && !this.#keepFile(companion.path, path, session, task)) {
          unreadable.push(companion.path);
        }
      }
    }
    return { unreadable, moved };
  }

  /** @returns whether it is kept, or gone. */
  #keepFile(path: string, owner: string | null, { format, id }: SessionToKeep, task: CurrentTask): boolean {
    let original: OriginalFile;
    try {
      original = openOriginal(path);
    } catch (error) {
      const code = errorCode(error);
      if (isAbsence(code)) return true;
      if (isRefusal(code)) return false;
      throw error;
    }
    try {
      const { stamp, mode } = original;
      const read = (buffer: Uint8Array, offset: number) => {
        // A file of gigabytes takes long; what was kept of it is gone on from.
        task.check();
        return original.read(buffer, offset);
      };
      this.#vault.keep({ path, owner, format, sessionId: id, stamp, mode, read });
      return true;
    } finally {
      original.close();
    }
  }

  /** Hides a session with what belongs to it, or forgets it for good. @returns whether it can come back. */
  deleted(path: string, isForever: boolean): boolean {
    const paths = this.#withCompanions(path);
    if (isForever) this.#vault.forget(paths);
    else this.#vault.markDeleted(paths);
    return this.#vault.newest(path) !== null;
  }

  /** @returns paths of the sessions that were deleted: this one first, then those that belong to it. */
  undelete(path: string): string[] {
    const format = this.#vault.newest(path)?.format ?? null;
    const sessions = this.#vault.deleted().filter(({ owner }) => owner === null);
    const belong = sessions.map((one) => one.path).filter((one) => isCompanion(one, { path, format }));
    return [path, ...belong].filter(
      (session) => this.#withCompanions(session).map((one) => this.#vault.undelete(one))[0],
    );
  }

  #withCompanions(path: string): string[] {
    return [path, ...this.#vault.companionsOf(path).map((companion) => companion.path)];
  }

  /** @throws AppError NOT_FOUND if it is not kept. */
  generations(path: string): SessionGeneration[] {
    const generations = this.#vault.generations(path);
    if (generations.length === 0) throw notKept(path);
    return generations.map(({ id, bytes, startedAt, keptAt, replacedAt }) => ({
      generation: id,
      size_bytes: bytes,
      started_at: timeOf(startedAt),
      kept_at: timeOf(keptAt),
      replaced_at: replacedAt === null ? null : timeOf(replacedAt),
    }));
  }

  /** Looks for files that went, or came back, while nobody watched. @returns sessions that are gone since. */
  survey(): string[] {
    const gone: string[] = [];
    const returned: string[] = [];
    for (const { path, vanishedAt } of this.#vault.keptSessions()) {
      const isThere = isFile(path);
      if (isThere && vanishedAt !== null) returned.push(path);
      if (!isThere && vanishedAt === null) gone.push(path);
    }
    if (gone.length > 0) this.#vault.setVanished(gone);
    if (returned.length > 0) this.#vault.setReturned(returned);
    return gone;
  }
}

function timeOf(milliseconds: number): string {
  return formatTimestamp(milliseconds) ?? "";
}

/** What cannot be looked at is not gone. */
function isFile(path: string): boolean {
  try {
    return statPath(path)?.isFile() === true;
  } catch (error) {
    return !isAbsence(errorCode(error));
  }
}
