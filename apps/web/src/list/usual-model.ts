import type { SessionRecord } from "@sm/router/client";

type Records = ReadonlyMap<string, SessionRecord>;

/** Counted once for each state of the list. */
const known = new WeakMap<Records, string | null>();

/** The model that most sessions have ended with: it need not be said in each. `null` where none has one. */
export function usualModel(records: Records): string | null {
  const before = known.get(records);
  if (before !== undefined) return before;
  const counts = new Map<string, number>();
  for (const { models } of records.values()) {
    const model = models.at(-1);
    if (model !== undefined) counts.set(model, (counts.get(model) ?? 0) + 1);
  }
  let usual: string | null = null;
  for (const [model, count] of counts) if (usual === null || count > (counts.get(usual) ?? 0)) usual = model;
  known.set(records, usual);
  return usual;
}
