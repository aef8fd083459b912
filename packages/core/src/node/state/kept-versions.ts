const KEPT = 200;
/** Of all versions together, since each backup of `state.db` has them too: 200 of 160 KB, where most have some KB. */
export const KEPT_BYTES = 32 * 1024 * 1024;

/** Of versions from the newest on, the sequence of the first one that goes, with all after it; `null` where all stay. */
export function lastToGo(versions: readonly { sequence: number; bytes: number }[]): number | null {
  let sum = 0;
  for (const [count, { sequence, bytes }] of versions.entries()) {
    sum += bytes;
    if (count > 0 && (count >= KEPT || sum > KEPT_BYTES)) return sequence;
  }
  return null;
}
