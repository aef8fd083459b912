/** A segment is merged with smaller ones if it has at most this many times their bytes. */
const MAX_TIMES_LARGER = 2;
/** Minimum number of segments per merge. */
const FEWEST = 3;
const FEWEST_SMALL = 8;
const SMALL_BYTES = 1024 * 1024;
/** Larger segments are not merged: there are few, and merging them would rewrite the whole index. */
const MAX_BYTES = 128 * 1024 * 1024;
/**
 * As many of the smallest segments as result in one that is not much larger than its largest input; none if there are
 * too few. Afterwards each segment is larger than all smaller ones together, except for some small ones.
 *
 * @param maxBytes larger segments stay as they are.
 */
export function segmentsToMerge<S extends { readonly bytes: number }>(
  segments: readonly S[],
  maxBytes = MAX_BYTES,
): S[] {
  const mergeable = segments.filter(({ bytes }) => bytes < maxBytes).sort((a, b) => a.bytes - b.bytes);
  let count = 0;
  let chosenBytes = 0;
  let smallerBytes = 0;
  for (const [index, { bytes }] of mergeable.entries()) {
    const isMerged = bytes <= smallerBytes * MAX_TIMES_LARGER;
    smallerBytes += bytes;
    if (!isMerged) continue;
    count = index + 1;
    chosenBytes = smallerBytes;
  }
  return count >= (chosenBytes < SMALL_BYTES ? FEWEST_SMALL : FEWEST) ? mergeable.slice(0, count) : [];
}
