import { useSyncExternalStore } from "react";

const MINUTE = 60_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** The present minute, in milliseconds since 1970, for what tells how long ago something was. */
export function useMinute(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / MINUTE) * MINUTE);
}

/** One clock for all who ask. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const one of [...listeners]) one();
  }, MINUTE / 4);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
