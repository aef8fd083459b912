import { opendir, readlink, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type FSWatcher, watch } from "chokidar";

/** Between two looks at a folder that is polled: with what follows a look, half a second is not used up. */
const POLL_MS = 300;
/** Systems allow 8,192 to 500,000 watches for all programs of a user; session directories need some too. */
const MOST_FOLDERS = 1_000;
/** At each event chokidar lists the folder and looks at every entry, which takes 23 µs for each. */
const MOST_ENTRIES = 1_000;
/** As the kernel follows them. */
const MOST_LINKS = 40;

/** Of a folder in which something is awaited that does not exist. */
const AWAITING = "awaiting";

interface Watched {
  /** Tells the folder from another that takes its place, or says that it is awaited in. */
  identity: string;
  watcher: FSWatcher;
  /** Whether only names that come and go are told of: it has too many entries, or the system refuses its events. */
  isIncomplete: boolean;
  /** Whether the system has refused. */
  isRefused: boolean;
}

export interface FolderWatchOptions {
  /** Called at every event: something may have changed in one of the folders. */
  onEvent: () => void;
  /** Called where the system refuses to watch: ENOSPC and EMFILE are limits of it. */
  onError: (error: unknown) => void;
}

/**
 * Watches folders, not those in them, by chokidar. Events only say that it is worth to look: what chokidar says of single
 * files is not used. See `docs/adr/0007-watching.md`.
 *
 * A folder that exists is watched by events of the system, whose watch holds on to the folder and not to its path: one
 * that takes its place is watched anew. A folder that is missing is awaited in the nearest one above it. That one may be
 * a home or a project, in which programs write all the time, and so its own time of modification is polled.
 */
export class FolderWatch {
  readonly #options: FolderWatchOptions;
  readonly #watched = new Map<string, Watched>();
  #isCut = false;
  #isClosed = false;

  constructor(options: FolderWatchOptions) {
    this.#options = options;
  }

  /** How many folders are watched, those included in which others are awaited. */
  get folders(): number {
    return this.#watched.size;
  }

  /** Whether some folder is not watched by events, because there are too many or the system refuses it. */
  get isIncomplete(): boolean {
    return this.#isCut || [...this.#watched.values()].some(({ isIncomplete }) => isIncomplete);
  }

  /**
   * Watches these folders, which need not exist, and no others; the first ones where there are too many. Resolves when
   * they are watched, with whether some were not before: nobody was told what has changed in these until now.
   */
  async watch(folders: Iterable<string>): Promise<boolean> {
    const wanted = await identitiesOf(folders);
    this.#isCut = wanted.size > MOST_FOLDERS;
    const kept = new Map([...wanted].slice(0, MOST_FOLDERS));
    for (const [path, { identity, watcher }] of this.#watched) {
      if (kept.get(path) === identity) continue;
      this.#watched.delete(path);
      await watcher.close();
    }
    const added = [...kept].filter(([path]) => !this.#watched.has(path));
    await Promise.all(added.map(([path, identity]) => this.#add(path, identity)));
    return added.length > 0;
  }

  /** Has the next {@link watch} try again what the system has refused. */
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
      // A watch for each file in it would tell nothing more.
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

/** By the path, with all links followed, of each folder that exists or in which one is awaited. */
async function identitiesOf(folders: Iterable<string>): Promise<Map<string, string>> {
  // Many are missing in one folder.
  const above = new Map<string, Promise<Identity[]>>();

  async function watchable(path: string, links: number, isAwaited: boolean): Promise<Identity[]> {
    const real = await realpath(path).catch(() => null);
    const status = real === null ? null : await stat(real).catch(() => null);
    if (real !== null && status?.isDirectory()) {
      return [{ path: real, identity: isAwaited ? AWAITING : `${status.dev}:${status.ino}` }];
    }
    const target = links < MOST_LINKS ? await readlink(path).catch(() => null) : null;
    return [
      ...(await awaited(dirname(path), path, links)),
      ...(target === null ? [] : await awaited(resolve(dirname(path), target), path, links + 1)),
    ];
  }

  function awaited(path: string, missing: string, links: number): Promise<Identity[]> {
    // The root of the disk has nothing above it.
    if (path === missing) return Promise.resolve([]);
    // With the number of links, so that links in a circle do not wait for themselves.
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
      if (entries > MOST_ENTRIES) return true;
    }
  } catch {
    // Gone or not to be read: the watch says so.
  }
  return false;
}
