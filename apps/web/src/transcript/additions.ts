import type { Addition } from "./attachment.ts";

/** Additions where they stand. */
export interface PlacedAdditions {
  /** By the place of the entry that they follow. */
  after: ReadonlyMap<number, readonly Addition[]>;
  /** Behind all entries. */
  atEnd: readonly Addition[];
}

export const NO_ADDITIONS: PlacedAdditions = { after: new Map(), atEnd: [] };

interface Branch {
  total: number;
  /** In milliseconds; `null` where it is not known. */
  timeAt(place: number): number | null;
  /** Of the newest entry; `null` where it is not known. */
  newestAt: number | null;
}

/**
 * Puts additions between the entries of a branch. A message has its time before it is stored with a later one: the entry
 * of what was said at some time is the first from that time on, and all that was said until the newest entry is stored.
 */
export function placeAdditions(additions: readonly Addition[], branch: Branch): PlacedAdditions {
  const { total, timeAt } = branch;
  const newestAt = total === 0 ? null : branch.newestAt;
  const isPast = ({ time }: Addition) => newestAt !== null && time <= newestAt;
  const after = new Map<number, Addition[]>();
  const remarks = additions.filter((addition) => isPast(addition) && !addition.isEntry);
  let place = total - 1;
  for (const remark of remarks.toReversed()) {
    while (place > 0 && (timeAt(place - 1) ?? remark.time) >= remark.time) place--;
    after.set(place, [remark, ...(after.get(place) ?? [])]);
  }
  return { after, atEnd: additions.filter((addition) => !isPast(addition)) };
}
