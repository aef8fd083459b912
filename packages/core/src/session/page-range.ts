/** Places from `from` up to, but without, `to`. */
interface PlaceRange {
  from: number;
  to: number;
}

/** What a page holds at most: places, and what they are in size together. One that is larger by itself makes a page. */
interface PageLimit {
  count: number;
  size: number;
}

/** The beginning of a range, as much of it as fits into a page. */
export function firstOf({ from, to }: PlaceRange, most: PageLimit, sizeOf: (place: number) => number): PlaceRange {
  return { from, to: from + fitting(to - from, most, (step) => sizeOf(from + step)) };
}

/** The end of a range, as much of it as fits into a page. */
export function lastOf({ from, to }: PlaceRange, most: PageLimit, sizeOf: (place: number) => number): PlaceRange {
  return { from: to - fitting(to - from, most, (step) => sizeOf(to - 1 - step)), to };
}

function fitting(length: number, most: PageLimit, sizeOf: (step: number) => number): number {
  let count = 0;
  for (let size = 0; count < Math.min(most.count, length); count++) {
    size += sizeOf(count);
    if (size > most.size && count > 0) break;
  }
  return count;
}
