/** A segment is merged with smaller ones when it has at most so many times their bytes. */
const MAX_TIMES_LARGER = 2;
/** What is at least merged at once; of small segments, which appends write and searches hardly notice, more. */
const FEWEST = 3;
const FEWEST_SMALL = 8;
const SMALL_BYTES = 1024 * 1024;
/** Larger ones are few enough: merging them would write the whole index once more. */
const MAX_BYTES = 128 * 1024 * 1024;
/**
 * As many of the smallest as make one that is not much larger than what it was made of; none where these are too few.
 * What remains are segments of which each is larger than those below it together, and some small ones.
 */
export function segmentsToMerge<S extends { readonly bytes: number }>(segments: readonly S[]): S[] {
  const mergeable = segments.filter(({ bytes }) => bytes < MAX_BYTES).sort((a, b) => a.bytes - b.bytes);
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
