import type { LibraryLog } from "@sm/core/node";
import type { FolderWatch } from "./folder-watch.ts";

/** Fingerprint of the followed files. */
export interface Look {
  /** Folders to watch for changes; may not exist yet. */
  folders: Iterable<string>;
  /** Fingerprints by group of files; equal while nothing changed. */
  stamps: Readonly<Record<string, string>>;
}

/** Files edited by other programs. */
export interface Followed {
  look(): Promise<Look>;
  /** Called with the groups whose fingerprints changed since the last check; with all groups at the first one. */
  onEdit(parts: string[]): void;
}

export interface EditsOptions {
  followed: readonly Followed[];
  log: Pick<LibraryLog, "warn" | "error">;
  /** Delay of the first check in milliseconds; default 1,000. */
  firstLookMs?: number;
}

export interface Edits {
  /** Requests a check within seconds, for changes that no watched folder shows, such as a new project. */
  lookSoon(): void;
  /** Resolves when no check is running any more. */
  close(): Promise<void>;
}

/** Leaves resources at the start to more urgent work, such as the first list of sessions. */
const FIRST_LOOK_MS = 1_000;
/** Changes within this time are handled together. */
const QUIET_MS = 50;
const SOON_MS = 2_000;
/** Interval of checks without events: for network file systems, and for replaced parent folders. */
const REGULAR_MS = 5 * 60_000;
/** Interval if some folders cannot be watched. */
const INCOMPLETE_MS = 30_000;

/** Follows edits of files that may be missing, replaced or behind links, until closed. */
export function followEdits({ followed, log, firstLookMs = FIRST_LOOK_MS }: EditsOptions): Edits {
  let watch: FolderWatch | null = null;
  const stamps = new Map<Followed, Look["stamps"]>();
  let timer: NodeJS.Timeout | undefined;
  let due = Number.POSITIVE_INFINITY;
  let notBefore = 0;
  let nextTry = 0;
  let looking: Promise<void> | null = null;
  let isClosed = false;
  let isTold = false;

  function lookWithin(milliseconds: number): void {
    const at = Math.max(performance.now() + milliseconds, notBefore);
    if (isClosed || at >= due) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(begin, at - performance.now()).unref();
  }

  function begin(): void {
    due = Number.POSITIVE_INFINITY;
    // The running check may already have passed the changed file.
    if (looking !== null) {
      lookWithin(QUIET_MS);
      return;
    }
    const start = performance.now();
    looking = look()
      .catch((error: unknown) => log.error({ err: error }, "Edited files could not be read."))
      .finally(() => {
        looking = null;
        const end = performance.now();
        // If programs write all the time, checks take at most half of it.
        notBefore = end + (end - start);
        lookWithin(watch?.isIncomplete === false ? REGULAR_MS : INCOMPLETE_MS);
      });
  }

  async function look(): Promise<void> {
    watch ??= await openWatch();
    if (performance.now() >= nextTry) {
      nextTry = performance.now() + INCOMPLETE_MS;
      await watch.retry();
    }
    // Newly watched folders may have changed since the check.
    for (let again = true; again && !isClosed; ) {
      const looks = await Promise.all(followed.map(lookAt));
      again = await watch.watch(looks.flatMap(({ folders }) => [...folders]));
    }
  }

  async function lookAt(one: Followed): Promise<Look> {
    const look = await one.look();
    const before = stamps.get(one);
    stamps.set(one, look.stamps);
    const parts = Object.entries(look.stamps).filter(([part, stamp]) => before?.[part] !== stamp);
    if (parts.length > 0 && !isClosed) one.onEdit(parts.map(([part]) => part));
    return look;
  }

  /** Loaded on demand, so that it does not delay the start. */
  async function openWatch(): Promise<FolderWatch> {
    const { FolderWatch } = await import("./folder-watch.ts");
    return new FolderWatch({
      onEvent: () => lookWithin(QUIET_MS),
      onError(error) {
        if (!isTold)
          log.warn({ err: error }, "Some folders cannot be watched; edits in them are noticed with a delay.");
        isTold = true;
      },
    });
  }

  lookWithin(firstLookMs);
  return {
    lookSoon: () => lookWithin(SOON_MS),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
      await watch?.close();
    },
  };
}
