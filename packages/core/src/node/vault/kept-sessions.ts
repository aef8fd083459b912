import { statSync } from "node:fs";
import type { FileStamp } from "../session-file/file-stamp.ts";
import type { SessionBytes } from "../session-file/session-bytes.ts";
import { Vault } from "./vault.ts";

/** Reads sessions whose files are gone from the vault, in one thread. Whatever keeps it from that, nothing is kept then. */
export class KeptSessions {
  #path: string | null = null;
  #opened: Vault | null = null;

  /** Of the vault's database, which is opened when it is needed; `null` for no vault. */
  get path(): string | null {
    return this.#path;
  }

  set path(path: string | null) {
    if (path === this.#path) return;
    this.#opened?.close();
    this.#opened = null;
    this.#path = path;
  }

  /** Opens what is kept of the session at a path, unless the user has deleted it. */
  open(path: string): SessionBytes | null {
    const vault = this.#vault;
    const newest = vault?.newest(path) ?? null;
    if (vault === null || newest === null || newest.deletedAt !== null) return null;
    const file = vault.openKept(newest);
    return {
      real: null,
      fromVault: true,
      stamp: () => file.stamp,
      permissions: () => file.mode & 0o777,
      read: (buffer, at, offset) => file.read(buffer.subarray(at), offset),
      close: () => file.close(),
    };
  }

  /** Of these paths, those whose sessions it has, with the stamps of their files, unless these are known to be gone. */
  stampsOf(paths: readonly string[]): ReadonlyMap<string, FileStamp> {
    return paths.length === 0 ? new Map() : (this.#vault?.stampsOf(paths) ?? new Map());
  }

  /** Sessions whose files are known to be gone. */
  gone(): ReadonlyMap<string, FileStamp> {
    return new Map([...(this.#vault?.vanishedSessions() ?? [])].map(({ path, stamp }) => [path, stamp]));
  }

  get #vault(): Vault | null {
    if (this.#opened !== null || this.#path === null || isMissingOrNew(this.#path)) return this.#opened;
    try {
      this.#opened = Vault.open(this.#path, { isReadOnly: true });
    } catch {
      // Whoever writes to it says what is wrong with it.
    }
    return this.#opened;
  }
}

/** A file without content is a database that another thread is making. */
function isMissingOrNew(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
}
