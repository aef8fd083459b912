/** Indexes from `from` up to, but not including, `to`. */
interface PlaceRange {
  from: number;
  to: number;
}

/** Limits of a page: number of items and total size. A larger single item forms a page. */
interface PageLimit {
  count: number;
  size: number;
}

/** The beginning of a range that fits into a page. */
export function firstOf({ from, to }: PlaceRange, most: PageLimit, sizeOf: (place: number) => number): PlaceRange {
  return { from, to: from + fitting(to - from, most, (step) => sizeOf(from + step)) };
}

/** The end of a range that fits into a page. */
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
