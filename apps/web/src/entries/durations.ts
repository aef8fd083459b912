/** Shorter times say nothing to who reads. */
const SHORTEST = 1_000;

/** Milliseconds between two times of a session; `null` where one is missing, and where it is hardly any time. */
export function timeBetween(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null;
  const time = Date.parse(to) - Date.parse(from);
  return time >= SHORTEST ? time : null;
}
