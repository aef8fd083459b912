/** Files that are opened at once. */
const AT_ONCE = 32;

/**
 * Does something for each item, some at once, and gives the results in order.
 *
 * @throws the reason of `signal` where that is aborted before the last ones begin.
 */
export async function inBatches<Item, Result>(
  items: Item[],
  action: (item: Item) => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    signal?.throwIfAborted();
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(action))));
  }
  return results;
}
