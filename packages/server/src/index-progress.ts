import type { LibraryStatus } from "@sm/core";
import type { EventPayloads } from "@sm/router/events";

/** Tells subscribers how far reading and indexing are. */
export interface IndexProgress {
  update(status: LibraryStatus): void;
  close(): void;
}

const INTERVAL_MS = 250;

/**
 * Makes events of a library's progress: while something is pending, at most one every 250 ms, and one when all is done.
 */
export function followIndex(publish: (payload: EventPayloads["index-progress"]) => void): IndexProgress {
  let latest: LibraryStatus | null = null;
  let isUnfinished = false;
  let timer: NodeJS.Timeout | null = null;

  function tell(): void {
    timer = null;
    if (latest === null || (latest.pending === 0 && !isUnfinished)) return;
    const { sessions, pending, bytes_done, bytes_total } = latest;
    isUnfinished = pending > 0;
    latest = null;
    const done = Math.max(0, sessions - pending);
    publish({ done, total: done + pending, bytes_done, bytes_total });
    timer = setTimeout(tell, INTERVAL_MS).unref();
  }

  return {
    update(status) {
      latest = status;
      if (timer === null) tell();
    },
    close() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
