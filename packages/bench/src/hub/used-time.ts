/** Seconds of processors, see `HubStack.processorTimes`. */
type UsedTime = { servers: number; postgres: number } | null;

/** Says what each of so many has taken between two moments. */
export function usedFor(count: number, before: UsedTime, after: UsedTime): string {
  if (before === null || after === null) return "processor time needs Linux";
  const each = (used: number) => ((1000 * used) / count).toFixed(1);
  return `processor time of each: servers ${each(after.servers - before.servers)} ms, PostgreSQL ${each(after.postgres - before.postgres)} ms`;
}
