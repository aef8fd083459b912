import type { LibraryStatus } from "@sm/core";
import type { EventPayloads } from "@sm/router/events";

/** Reports the progress of reading and indexing to subscribers. */
export interface IndexProgress {
  update(status: LibraryStatus): void;
  close(): void;
}

const INTERVAL_MS = 250;

/** Creates events from a library's progress: at most one every 250 ms while work is pending, and one at the end. */
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
