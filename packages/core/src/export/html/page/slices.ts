/** Milliseconds of work after which the browser can respond. */
const SLICE = 10;

/** Processes `items` in time slices; `isStale` ends it early. */
export async function inSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item) => void,
  isStale: () => boolean,
): Promise<void> {
  let end = performance.now() + SLICE;
  for (const item of items) {
    if (performance.now() > end) {
      await new Promise((resolve) => setTimeout(resolve));
      if (isStale()) return;
      end = performance.now() + SLICE;
    }
    work(item);
  }
}
