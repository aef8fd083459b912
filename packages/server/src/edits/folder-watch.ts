import { opendir, readlink, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type FSWatcher, watch } from "chokidar";

/** Polling interval: leaves time to react within half a second. */
const POLL_MS = 300;
/** Systems allow 8,192 to 500,000 watches per user; session directories need some too. */
const MAX_FOLDERS = 1_000;
/** At each event chokidar lists the folder and stats every entry, 23 µs each. */
const MAX_ENTRIES = 1_000;
/** Limit of the kernel. */
const MAX_LINKS = 40;

/** State of a folder that is watched because a missing entry may appear in it. */
const AWAITING = "awaiting";

interface Watched {
  /** Identifies the folder at this path, or says that an entry is expected in it. */
  identity: string;
  watcher: FSWatcher;
  /**
   * Whether only added and removed names are reported: the folder has too many entries, or the system rejects the
   * watch.
   */
  isIncomplete: boolean;
  /** Whether the system rejected the watch. */
  isRefused: boolean;
}

export interface FolderWatchOptions {
  /** Called at every event: one of the folders may have changed. */
  onEvent: () => void;
  /** Called if the system rejects a watch; ENOSPC and EMFILE are its limits. */
  onError: (error: unknown) => void;
}

/**
 * Watches folders, not recursively, with chokidar. Events only trigger a check; chokidar's information about single
 * files is not used. See `docs/adr/0007-watching.md`.
 *
 * An existing folder is watched with system events. Such a watch is bound to the folder, not its path, so a folder that
 * replaces it is watched again. For a missing folder, the nearest existing parent is watched. That may be a home or a
 * project, in which programs write all the time, so its modification time is polled instead.
 */
export class FolderWatch {
  readonly #options: FolderWatchOptions;
  readonly #watched = new Map<string, Watched>();
  #isCut = false;
  #isClosed = false;

  constructor(options: FolderWatchOptions) {
    this.#options = options;
  }

  /** Number of watched folders, including those in which others are expected. */
  get folders(): number {
    return this.#watched.size;
  }

  /** Whether some folder is not watched with events, because there are too many or the system rejects it. */
  get isIncomplete(): boolean {
    return this.#isCut || [...this.#watched.values()].some(({ isIncomplete }) => isIncomplete);
  }

  /**
   * Watches exactly these folders, which need not exist; only the first ones if there are too many. Resolves when they
   * are watched, with whether new ones were added: changes in these were not reported until now.
   */
  async watch(folders: Iterable<string>): Promise<boolean> {
    const wanted = await identitiesOf(folders);
    this.#isCut = wanted.size > MAX_FOLDERS;
    const kept = new Map([...wanted].slice(0, MAX_FOLDERS));
    for (const [path, { identity, watcher }] of this.#watched) {
      if (kept.get(path) === identity) continue;
      this.#watched.delete(path);
      await watcher.close();
    }
    const added = [...kept].filter(([path]) => !this.#watched.has(path));
    await Promise.all(added.map(([path, identity]) => this.#add(path, identity)));
    return added.length > 0;
  }

  /** Makes the next {@link watch} retry rejected folders. */
  async retry(): Promise<void> {
    for (const [path, { isRefused, watcher }] of this.#watched) {
      if (!isRefused) continue;
      this.#watched.delete(path);
      await watcher.close();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const watchers = [...this.#watched.values()].map(({ watcher }) => watcher);
    this.#watched.clear();
    await Promise.all(watchers.map((watcher) => watcher.close()));
  }

  async #add(path: string, identity: string): Promise<void> {
    const isLarge = identity !== AWAITING && (await hasManyEntries(path));
    if (this.#isClosed) return;
    const watched: Watched = {
      identity,
      watcher: this.#open(path, identity === AWAITING || isLarge),
      isIncomplete: isLarge,
      isRefused: false,
    };
    this.#watched.set(path, watched);
    let failure: unknown;
    watched.watcher.on("error", (error) => {
      failure = error;
    });
    await isReady(watched.watcher);
    if (failure === undefined || this.#isClosed) return;
    this.#options.onError(failure);
    await watched.watcher.close();
    watched.isIncomplete = true;
    watched.isRefused = true;
    watched.watcher = this.#open(path, true);
    await isReady(watched.watcher);
  }

  #open(path: string, usePolling: boolean): FSWatcher {
    const watcher = watch(path, {
      depth: 0,
      // Watching each file in it would add nothing.
      ignored: (other) => other !== path,
      ignoreInitial: true,
      usePolling,
      interval: POLL_MS,
      binaryInterval: POLL_MS,
    });
    watcher.on("raw", () => this.#options.onEvent());
    watcher.on("error", (error) => this.#options.onError(error));
    return watcher;
  }
}

function isReady(watcher: FSWatcher): Promise<void> {
  return new Promise((done) => {
    if (watcher.closed) done();
    else watcher.once("ready", done);
  });
}

interface Identity {
  path: string;
  identity: string;
}

/** By real path of each folder that exists or in which one is expected. */
async function identitiesOf(folders: Iterable<string>): Promise<Map<string, string>> {
  // Shared: many missing folders have the same parent.
  const above = new Map<string, Promise<Identity[]>>();

  async function watchable(path: string, links: number, isAwaited: boolean): Promise<Identity[]> {
    const real = await realpath(path).catch(() => null);
    const status = real === null ? null : await stat(real).catch(() => null);
    if (real !== null && status?.isDirectory()) {
      return [{ path: real, identity: isAwaited ? AWAITING : `${status.dev}:${status.ino}` }];
    }
    const target = links < MAX_LINKS ? await readlink(path).catch(() => null) : null;
    return [
      ...(await awaited(dirname(path), path, links)),
      ...(target === null ? [] : await awaited(resolve(dirname(path), target), path, links + 1)),
    ];
  }

  function awaited(path: string, missing: string, links: number): Promise<Identity[]> {
    // The root directory has no parent.
    if (path === missing) return Promise.resolve([]);
    // Includes the number of links, so that circular links do not wait for themselves.
    const key = `${links} ${path}`;
    const known = above.get(key) ?? watchable(path, links, true);
    above.set(key, known);
    return known;
  }

  const found = await Promise.all([...new Set(folders)].map((folder) => watchable(folder, 0, false)));
  const identities = new Map<string, string>();
  for (const { path, identity } of found.flat()) {
    if (identity !== AWAITING || !identities.has(path)) identities.set(path, identity);
  }
  return identities;
}

async function hasManyEntries(path: string): Promise<boolean> {
  try {
    let entries = 0;
    for await (const _ of await opendir(path)) {
      entries++;
      if (entries > MAX_ENTRIES) return true;
    }
  } catch {
    // Missing or unreadable: reported by the watch.
  }
  return false;
}
