import type { MatchedSegment } from "./matches.ts";

/**
 * The lowest of the `most` highest values, much faster than by sorting.
 *
 * @param lowest result if there are fewer values.
 */
export function topKThreshold(matched: readonly MatchedSegment[], most: number, lowest: number): number {
  // Min-heap of the highest values.
  const heap = new Float64Array(most).fill(lowest);
  for (const { values } of matched) {
    for (let place = 0; place < values.length; place++) {
      // Casts: all indexes are within the values and the heap.
      const value = values[place] as number;
      if (value <= (heap[0] as number)) continue;
      let at = 0;
      for (;;) {
        let child = 2 * at + 1;
        if (child >= most) break;
        if (child + 1 < most && (heap[child + 1] as number) < (heap[child] as number)) child++;
        const least = heap[child] as number;
        if (least >= value) break;
        heap[at] = least;
        at = child;
      }
      heap[at] = value;
    }
  }
  return heap[0] ?? lowest;
}
