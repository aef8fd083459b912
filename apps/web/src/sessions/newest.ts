import type { SessionRecord } from "@sm/router/client";

/** The newest of some sessions, the latest first: in one pass, since there may be tens of thousands. */
export function newestOf(records: Iterable<SessionRecord>, count: number): SessionRecord[] {
  const newest: SessionRecord[] = [];
  for (const record of records) {
    const last = newest[count - 1];
    if (last !== undefined && record.modified_at <= last.modified_at) continue;
    const place = newest.findIndex(({ modified_at }) => modified_at < record.modified_at);
    newest.splice(place < 0 ? newest.length : place, 0, record);
    if (newest.length > count) newest.pop();
  }
  return newest;
}
