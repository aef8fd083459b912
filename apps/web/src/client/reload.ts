import type { QueryClient } from "@tanstack/react-query";

/**
 * Loads an answer again because of an event. An answer that is under way is waited for, and asked for once more: if each
 * event called it off, none would ever arrive where events come faster than answers.
 */
export async function reload(queries: QueryClient, queryKey: readonly unknown[]): Promise<void> {
  const filter = { queryKey, exact: true };
  const isUnderWay = queries.isFetching(filter) > 0;
  await queries.invalidateQueries(filter, { cancelRefetch: false });
  if (isUnderWay) await queries.invalidateQueries(filter, { cancelRefetch: false });
}
