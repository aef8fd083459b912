import { resolve } from "node:path";
import { AppError } from "../../errors.ts";
import type { SessionRecord } from "../../session/record.ts";
import type {
  DeletedSessionRecord,
  SessionGeneration,
  VaultCopy,
  VaultLimits,
  VaultRemovals,
  VaultService,
  VaultStatus,
  VaultVerification,
} from "../../vault.ts";
import type { OpenIndex } from "../indexing/open-index.ts";
import type { SessionVault } from "../keeping/session-vault.ts";
import type { CurrentSessions } from "./current-sessions.ts";
import type { SessionDirectories } from "./directories.ts";
import type { TrashedSessions } from "./trashed-sessions.ts";

export interface LibraryVaultOptions {
  vault: SessionVault;
  index: Pick<OpenIndex, "known" | "forget">;
  directories: Pick<SessionDirectories, "newSessionPath" | "sessionPath">;
  current: Pick<CurrentSessions, "record">;
  trash: Pick<TrashedSessions, "list" | "putBack">;
  onDeleted?: ((paths: readonly string[]) => Promise<void>) | undefined;
}

/** The vault of a library: what is restored is in its lists at once. */
export class LibraryVault implements VaultService {
  readonly #options: LibraryVaultOptions;

  constructor(options: LibraryVaultOptions) {
    this.#options = options;
  }

  /** The path in the vault. @throws AppError FORBIDDEN like all commands with a path; a missing file is none. */
  async #own(path: string): Promise<string> {
    try {
      return await this.#options.directories.sessionPath(path);
    } catch (error) {
      if (error instanceof AppError && error.code === "NOT_FOUND") return resolve(path);
      throw error;
    }
  }

  status(): Promise<VaultStatus> {
    return this.#options.vault.status();
  }

  previewLimits(limits: VaultLimits): Promise<VaultRemovals> {
    return this.#options.vault.previewLimits(limits);
  }

  async generations(path: string): Promise<SessionGeneration[]> {
    return this.#options.vault.generations(await this.#own(path));
  }

  async restore({ path, to, generation }: Parameters<VaultService["restore"]>[0]): Promise<SessionRecord> {
    const { vault, directories, current } = this.#options;
    const own = await this.#own(path);
    const target = await directories.newSessionPath(to ?? own);
    await vault.restore({ path: own, to: target, generation: generation ?? null });
    return current.record(target);
  }

  async forget(path: string): Promise<{ path: string; forgotten: true }> {
    const { vault, index, onDeleted } = this.#options;
    const own = await this.#own(path);
    // Says so if it is not kept.
    await vault.generations(own);
    await vault.deleted(own, true);
    if ((await index.known(own))?.fromVault === true) {
      await index.forget([own]);
      await onDeleted?.([own]);
    }
    return { path: own, forgotten: true };
  }

  async deleted(): Promise<DeletedSessionRecord[]> {
    const { vault, trash } = this.#options;
    const kept = await vault.deletedSessions();
    const trashed = await trash.list(new Set(kept.map(({ path }) => path)));
    return [...kept, ...trashed].sort((a, b) => b.deleted_at.localeCompare(a.deleted_at));
  }

  async undelete(path: string): Promise<SessionRecord> {
    const { vault, directories, current, trash } = this.#options;
    const own = await this.#own(path);
    await directories.newSessionPath(own);
    const sessions = await vault.undelete(own);
    if (sessions.length === 0) await trash.putBack(own);
    for (const path of sessions) await vault.restore({ path, to: path, generation: null });
    return current.record(own);
  }

  verify(onProgress?: (checked: number, total: number) => void, signal?: AbortSignal): Promise<VaultVerification> {
    return this.#options.vault.verify(onProgress, signal);
  }

  exportTo(directory: string): Promise<VaultCopy> {
    return this.#options.vault.copy(resolve(directory), "export");
  }

  importFrom(directory: string): Promise<VaultCopy> {
    return this.#options.vault.copy(resolve(directory), "import");
  }
}
