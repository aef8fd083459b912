import { formatTimestamp } from "./timestamp.ts";

/** A directory in which an agent deletes the files that nobody has written to for long. */
export interface CleanedDirectory {
  /** How the paths of sessions in it begin. */
  prefix: string;
  /** Older files are deleted when the agent starts; 0: all of them. */
  days: number;
}

type File = { path: string; mtime: number; fromVault: boolean | 0 | 1 };

const DAY_MS = 24 * 60 * 60 * 1000;
/** So long before, a session counts as one that will go. */
const WARNED_MS = 7 * DAY_MS;

/** When agents delete files of sessions. */
export class Expiry {
  readonly #cleaned: readonly CleanedDirectory[];

  constructor(cleaned: readonly CleanedDirectory[] = []) {
    this.#cleaned = cleaned;
  }

  /** In milliseconds since 1970, of a file that is not written to any more; `Infinity`: never. */
  of({ path, mtime, fromVault }: File): number {
    if (fromVault) return Number.POSITIVE_INFINITY;
    const cleaned = this.#cleaned.find(({ prefix }) => path.startsWith(prefix));
    return cleaned === undefined ? Number.POSITIVE_INFINITY : mtime + cleaned.days * DAY_MS;
  }

  /** The time, if it is near or over; `null` otherwise. */
  warning(file: File, now: number): string | null {
    const time = this.of(file);
    return isNear(time, now) ? formatTimestamp(time) : null;
  }
}

/** Whether the time of an expiry is near or over. */
export function isNear(time: number, now: number): boolean {
  return time <= now + WARNED_MS;
}
