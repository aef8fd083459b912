import type { LibraryLog } from "@sm/core/node";
import type { FolderWatch } from "./folder-watch.ts";

/** What files are like now. */
export interface Look {
  /** Folders in which a change of the files would show; they need not exist. */
  folders: Iterable<string>;
  /** By what the files are part of: equal as long as they are. */
  stamps: Readonly<Record<string, string>>;
}

/** Files that others edit. */
export interface Followed {
  look(): Promise<Look>;
  /** Is told whose stamps are others than at the look before; of all at the first one, which knows nothing of before. */
  onEdit(parts: string[]): void;
}

export interface EditsOptions {
  followed: readonly Followed[];
  log: Pick<LibraryLog, "warn" | "error">;
  /** Until the first look, a second where it is not given. */
  firstLookMs?: number;
}

export interface Edits {
  /** Has a look within some seconds, for what no folder tells of, such as a new project. */
  lookSoon(): void;
  /** Resolves when nothing is looked at any more. */
  close(): Promise<void>;
}

/** After a start others are in a hurry: the first list of sessions, their reading. */
const FIRST_LOOK_MS = 1_000;
/** What belongs together comes within this. */
const QUIET_MS = 50;
const SOON_MS = 2_000;
/** For what the system does not tell of: network file systems, a folder above that takes another's place. */
const REGULAR_MS = 5 * 60_000;
/** Where folders could not be watched. */
const INCOMPLETE_MS = 30_000;

/** Follows what others edit in files that may be missing, replaced or behind links, until it is closed. */
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
    // Whoever looks now may have looked past it already.
    if (looking !== null) {
      lookWithin(QUIET_MS);
      return;
    }
    const start = performance.now();
    looking = look()
      .catch((error: unknown) => log.error({ err: error }, "Edited files could not be looked at."))
      .finally(() => {
        looking = null;
        const end = performance.now();
        // Where programs write all the time, half of it is enough for looking.
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
    // Folders that are watched from now on may have changed since they were looked at.
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

  /** Loaded when it is needed, which no start waits for. */
  async function openWatch(): Promise<FolderWatch> {
    const { FolderWatch } = await import("./folder-watch.ts");
    return new FolderWatch({
      onEvent: () => lookWithin(QUIET_MS),
      onError(error) {
        if (!isTold) log.warn({ err: error }, "Some folders cannot be watched: edits in them are noticed later.");
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
