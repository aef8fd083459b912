import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../errors.ts";
import type { LibraryLog } from "../../library-log.ts";
import { formatTimestamp } from "../../session/timestamp.ts";
import type {
  DeletedSessionRecord,
  SessionGeneration,
  VaultCopy,
  VaultDamageReport,
  VaultLimits,
  VaultRemovals,
  VaultSettings,
  VaultStatus,
  VaultVerification,
} from "../../vault.ts";
import type { SessionWithFile } from "../catalog/session-files.ts";
import { isInside } from "../files/open-file.ts";
import type { FileStamp } from "../session-file/file-stamp.ts";
import { cacheShare } from "../threads/cache-budget.ts";
import { type KnownPlaces, Thread } from "../threads/thread.ts";
import type { CopyProgress, VaultStatus as KeptStatus } from "../vault/vault.ts";
import type { KeepingTasks, Restoration, Retention } from "./keeping-tasks.ts";
import { notKept } from "./not-kept.ts";

/** An agent writes several lines a second: they are kept together. */
const QUIET_MS = 1_000;
/** A first list takes less from the moment that the index knows all files. */
const START_MS = 400;
/** Few enough that others need not wait long for the thread. */
const FILES_AT_ONCE = 64;
/** Compared with the vault at once. */
const FILES_COMPARED = 1_000;
/** More than that wait until all is searchable, for which people wait: both would share two processors. */
const MANY_FILES = 32;
const PAUSE_MS = 250;
/** After a full disk, for example. */
const RETRY_MS = 60_000;
const IDLE_MS = 10_000;
/** What was kept in a hurry is packed better when nothing else is to do. */
const SETTLE_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;

const NOTHING: KeptStatus = { sessions: 0, onlyHere: 0, bytes: 0, originalBytes: 0, oldestAt: null };

/** What an index tells of its sessions. */
export interface SessionsOfIndex {
  /** Those of these paths that are sessions with files. */
  withFiles(paths: readonly string[]): Promise<SessionWithFile[]>;
  /** All of them, a part at a time. */
  allWithFiles(most: number): AsyncIterable<{ path: string; stamp: FileStamp }[]>;
  /** Whether there is text that is not searchable yet. */
  isIndexing(): boolean;
  /** Reads from the vault what is gone. */
  gone(): Promise<void>;
  /** Forgets sessions that are at other paths. */
  forget(paths: string[]): Promise<void>;
}

export interface SessionVaultOptions {
  /** Of the database. */
  path: string;
  sessions: SessionsOfIndex;
  settings: VaultSettings;
  places: KnownPlaces;
  log: LibraryLog;
}

/** A file that was read. */
export interface ReadFile {
  path: string;
  status: "session" | "skipped" | "unreadable" | "gone";
  movedFrom: string | null;
  fromVault: boolean;
}

/** The vault as the library uses it: keeps what was read, in a thread of its own. */
export class SessionVault {
  readonly #options: SessionVaultOptions;
  readonly #thread: Thread<KeepingTasks>;
  readonly #stop = new AbortController();
  #settings: VaultSettings;
  readonly #pending = new Set<string>();
  #moves: { from: string; to: string }[] = [];
  readonly #gone = new Set<string>();
  #working: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #settling: NodeJS.Timeout | null = null;
  #starting: NodeJS.Timeout | null = null;
  readonly #daily: NodeJS.Timeout;
  #problem: string | null = null;
  #unreadable = 0;

  constructor(options: SessionVaultOptions) {
    this.#options = options;
    this.#settings = options.settings;
    const setting = { index: null, caches: cacheShare("vault", 1) };
    this.#thread = new Thread<KeepingTasks>(setting, { idleMs: IDLE_MS, places: options.places });
    this.#daily = setInterval(() => void this.#purge(), DAY_MS).unref();
  }

  set settings(settings: VaultSettings) {
    const isOther = JSON.stringify(settings) !== JSON.stringify(this.#settings);
    this.#settings = settings;
    if (isOther) void this.catchUp();
  }

  /** What keeps it from its work, for people; `null` where nothing does. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Whether there is anything to do: a library that keeps nothing, and has kept nothing, has no vault. */
  get #isUsed(): boolean {
    return this.#settings.enabled || existsSync(this.#options.path);
  }

  /** Takes note of files that were read for the index. */
  filesRead(files: readonly ReadFile[]): void {
    if (!this.#isUsed) return;
    for (const { path, status, movedFrom, fromVault } of files) {
      if (movedFrom !== null) this.#moves.push({ from: movedFrom, to: path });
      if (status === "gone" || fromVault) this.#gone.add(path);
      else if (status === "session" && this.#settings.enabled) this.#pending.add(path);
    }
    this.#workSoon(QUIET_MS);
  }

  /** {@link SessionVault.catchUp} after the first lists, which people wait for: its thread starts with it. */
  catchUpSoon(): void {
    if (!this.#isUsed || this.#stop.signal.aborted) return;
    this.#starting = setTimeout(() => void this.catchUp(), START_MS);
  }

  /** Keeps what was written while nobody watched, and notes what is gone. Called when the index knows all files. */
  async catchUp(): Promise<void> {
    const { sessions } = this.#options;
    if (!this.#isUsed) return;
    try {
      const gone = await this.#run("survey", null);
      if (gone.length > 0) await sessions.gone();
      if (this.#settings.enabled) {
        for await (const files of sessions.allWithFiles(FILES_COMPARED)) {
          for (const path of await this.#run("unkept", { files })) this.#pending.add(path);
        }
        this.#workSoon(0);
      }
      await this.#purge();
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Hides a session that is being deleted, before its file goes. @returns whether it can come back. */
  async deleted(path: string, isForever: boolean): Promise<boolean> {
    this.#pending.delete(path);
    if (!this.#isUsed) return false;
    return this.#run("deleted", { path, isForever });
  }

  /** Takes {@link SessionVault.deleted} back. @returns paths of the sessions that were deleted. */
  async undelete(path: string): Promise<string[]> {
    return this.#isUsed ? this.#run("undelete", { path }) : [];
  }

  async deletedSessions(): Promise<DeletedSessionRecord[]> {
    return this.#isUsed ? this.#run("deletedSessions", this.#retention) : [];
  }

  /** @throws AppError NOT_FOUND if it is not kept. */
  async generations(path: string): Promise<SessionGeneration[]> {
    if (!this.#isUsed) throw notKept(path);
    return this.#run("generations", { path });
  }

  async restore(restoration: Restoration): Promise<void> {
    if (!this.#isUsed) throw notKept(restoration.path);
    await this.#run("restore", restoration);
  }

  async status(): Promise<VaultStatus> {
    const { enabled, excludedFormats, excludedProjects } = this.#settings;
    const kept = this.#isUsed ? await this.#run("vaultStatus", null) : NOTHING;
    const unreadable = this.#unreadable === 0 ? [] : [`${this.#unreadable} files could not be read to be kept.`];
    return {
      enabled,
      exclude_formats: [...excludedFormats],
      exclude_projects: [...excludedProjects],
      sessions: kept.sessions,
      only_here: kept.onlyHere,
      pending: this.#pending.size,
      bytes: kept.bytes,
      original_bytes: kept.originalBytes,
      oldest_at: formatTimestamp(kept.oldestAt),
      problems: [...(this.#problem === null ? [] : [this.#problem]), ...unreadable],
    };
  }

  /** What would be removed with other limits. */
  async previewLimits(limits: VaultLimits): Promise<VaultRemovals> {
    if (!this.#isUsed) return { sessions: 0, generations: 0, bytes: 0 };
    return this.#run("previewPurge", this.#retentionWith(limits));
  }

  async verify(
    onProgress: (checked: number, total: number) => void = () => undefined,
    signal?: AbortSignal,
  ): Promise<VaultVerification> {
    if (!this.#isUsed) return { checked: 0, damaged: [] };
    const damaged: VaultDamageReport[] = [];
    let checked = 0;
    const total = await this.#run("partsToVerify", null);
    for (let cursor: string | null = null; ; ) {
      signal?.throwIfAborted();
      const part: KeepingTasks["verifyVault"]["output"] = await this.#run("verifyVault", { cursor });
      checked += part.checked;
      damaged.push(...part.damaged);
      onProgress(checked, Math.max(total, checked));
      if (part.next === null) return { checked, damaged };
      cursor = part.next;
    }
  }

  /** Copies the vault to a directory, or what it lacks from one. */
  async copy(directory: string, direction: "export" | "import"): Promise<VaultCopy> {
    const stream = await this.#run("copyStart", { directory, direction });
    let copied: CopyProgress | null = null;
    for (let step: CopyProgress | null; ; copied = step) {
      step = await this.#run("copyNext", { stream });
      if (step === null) break;
    }
    // What is added counts as gone before anybody has looked.
    if (direction === "import") {
      await this.catchUp();
      await this.#options.sessions.gone();
    }
    const { sessions = 0, writtenBytes = 0, damaged = [] } = copied ?? {};
    return { directory, sessions, written_bytes: writtenBytes, damaged };
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#daily);
    for (const timer of [this.#timer, this.#settling, this.#starting]) if (timer !== null) clearTimeout(timer);
    await this.#working;
    await this.#thread.stop();
  }

  get #retention(): Retention {
    return this.#retentionWith({});
  }

  #retentionWith(limits: VaultLimits): Retention {
    const { deletedDays, replacedDays, maxBytes } = { ...this.#settings, ...limits };
    return { deletedMs: deletedDays * DAY_MS, replacedMs: replacedDays * DAY_MS, maxBytes };
  }

  #run: Thread<KeepingTasks>["run"] = (name, input) => {
    if (this.#stop.signal.aborted) {
      return Promise.reject(new AppError("UNAVAILABLE", "The service is stopping."));
    }
    return this.#thread.run(name, input, { signal: this.#stop.signal });
  };

  #workSoon(milliseconds: number): void {
    if (this.#pending.size + this.#moves.length + this.#gone.size === 0 || this.#stop.signal.aborted) return;
    if (this.#settling !== null) clearTimeout(this.#settling);
    if (milliseconds === 0) {
      this.#startWork();
      return;
    }
    this.#timer ??= setTimeout(() => this.#startWork(), milliseconds).unref();
  }

  #startWork(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#working ??= this.#work()
      .catch((error: unknown) => {
        this.#failed(error);
        this.#workSoon(RETRY_MS);
      })
      .finally(() => {
        this.#working = null;
      });
  }

  async #work(): Promise<void> {
    const { sessions } = this.#options;
    while (!this.#stop.signal.aborted) {
      await this.#noteMoves();
      if (this.#pending.size > MANY_FILES && sessions.isIndexing()) {
        await pause(PAUSE_MS, undefined, { ref: false });
        continue;
      }
      const batch = [...this.#pending].slice(0, FILES_AT_ONCE);
      if (batch.length === 0) break;
      for (const path of batch) this.#pending.delete(path);
      try {
        const wanted = (await sessions.withFiles(batch)).filter((session) => this.#isKept(session));
        const { unreadable, moved } = await this.#run("keep", { sessions: wanted });
        this.#unreadable += unreadable.length;
        if (moved.length > 0) await sessions.forget(moved);
      } catch (error) {
        for (const path of batch) this.#pending.add(path);
        throw error;
      }
    }
    this.#problem = null;
    this.#settling = setTimeout(() => void this.#settle(), SETTLE_MS).unref();
  }

  async #noteMoves(): Promise<void> {
    const moves = this.#moves;
    const gone = [...this.#gone];
    this.#moves = [];
    this.#gone.clear();
    try {
      if (moves.length > 0) await this.#run("moved", moves);
      const moved = gone.length > 0 ? await this.#run("vanished", { paths: gone }) : [];
      if (moved.length > 0) await this.#options.sessions.forget(moved);
    } catch (error) {
      // To move twice, or to tell twice that a file is gone, changes nothing.
      this.#moves = [...moves, ...this.#moves];
      for (const path of gone) this.#gone.add(path);
      throw error;
    }
  }

  #isKept({ format, project }: SessionWithFile): boolean {
    const { enabled, excludedFormats, excludedProjects } = this.#settings;
    const isExcluded = project !== null && excludedProjects.some((directory) => isInside(project, directory));
    return enabled && !excludedFormats.includes(format) && !isExcluded;
  }

  async #settle(): Promise<void> {
    try {
      while (this.#working === null && (await this.#run("settle", null)));
    } catch (error) {
      this.#failed(error);
    }
  }

  async #purge(): Promise<void> {
    await this.#run("purge", this.#retention).catch((error: unknown) => this.#failed(error));
  }

  /** What is given up at the end is no failure. */
  #failed(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    this.#options.log.error({ err: error }, "Could not keep sessions in the vault");
    this.#problem = error instanceof Error ? error.message : String(error);
  }
}
