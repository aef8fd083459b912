import type { Service } from "../client/service.ts";
import { inBatches } from "./path-batches.ts";

/** Bytes of all deletions that wait: a browser sends 64 KiB as a page goes, and silently drops what has more. */
const MOST_BYTES = 50_000;

/** Bytes of a request besides its paths. */
const REQUEST_BYTES = 150;

let waitingBytes = 0;

/** A deletion that waits for the page to go. */
export interface LastDeletion {
  /** Whether the page has gone, and the service was told; a browser may bring such a page back. */
  readonly isSent: boolean;
  /** Calls it off, or lets it go once it is made. */
  forget(): void;
}

/**
 * Makes a deletion when the page goes: who closes it has not taken it back.
 *
 * @returns `null` where the page could not tell so much when it goes, with what waits already.
 */
export function deleteAtLast(service: Service, paths: readonly string[], force: boolean): LastDeletion | null {
  const requests = force ? paths.length : inBatches(paths).length;
  const bytes = new TextEncoder().encode(JSON.stringify(paths)).length + requests * REQUEST_BYTES;
  if (waitingBytes + bytes > MOST_BYTES) return null;
  waitingBytes += bytes;
  let isSent = false;
  const leave = () => {
    isSent = true;
    forget();
    if (force) for (const path of paths) service.farewell("delete_session", { path, force });
    else for (const batch of inBatches(paths)) service.farewell("delete_sessions", { paths: batch });
  };
  let isWaiting = true;
  const forget = () => {
    if (isWaiting) waitingBytes -= bytes;
    isWaiting = false;
    window.removeEventListener("pagehide", leave);
  };
  window.addEventListener("pagehide", leave);
  return {
    get isSent() {
      return isSent;
    },
    forget,
  };
}
