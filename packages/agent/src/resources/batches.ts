/** Files opened concurrently. */
const AT_ONCE = 32;

/**
 * Runs an action for each item, several concurrently; returns the results in order.
 *
 * @throws the reason of `signal` if aborted before the last items start.
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
