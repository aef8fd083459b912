import type { OutlineEntry } from "../../session/outline.ts";

/** A session of several that begin with the same entry. */
export interface FamilyMember {
  key: number;
  path: string;
  entries(): Iterable<Pick<OutlineEntry, "id" | "offset" | "length" | "timestamp">>;
}

interface Comparison {
  /** Entries at the beginning of both. */
  shared: number;
  /** Below 0: the first one is older. */
  order: number;
}

/**
 * Finds from which session each one was copied, `null` for the first: among the older ones that with the most entries in
 * common, of several the oldest.
 *
 * Copies keep IDs and times. But agents copy entries only, so lines that are none stand between those of the original;
 * where that does not tell, who went on earlier is older.
 */
export function forkParents(members: readonly FamilyMember[]): Map<number, number | null> {
  const parents = new Map<number, number | null>();
  for (const member of members) {
    let best: { other: FamilyMember; shared: number } | null = null;
    for (const other of members) {
      if (other === member) continue;
      const { shared, order } = compare(other, member);
      if (shared === 0 || order > 0) continue;
      const isBetter =
        best === null || shared > best.shared || (shared === best.shared && compare(other, best.other).order < 0);
      if (isBetter) best = { other, shared };
    }
    parents.set(member.key, best?.other.key ?? null);
  }
  return parents;
}

function compare(a: FamilyMember, b: FamilyMember): Comparison {
  const ofA = identified(a);
  const ofB = identified(b);
  let shared = 0;
  let gapsOfA = 0;
  let gapsOfB = 0;
  let endOfA = 0;
  let endOfB = 0;
  for (;;) {
    const nextOfA = ofA.next();
    const nextOfB = ofB.next();
    if (nextOfA.done === true || nextOfB.done === true || nextOfA.value.id !== nextOfB.value.id) {
      const started = timeOf(nextOfA) - timeOf(nextOfB);
      // Both `-Infinity`: the same entries.
      const order = gapsOfB - gapsOfA || (Number.isNaN(started) ? 0 : started) || (a.path < b.path ? -1 : 1);
      return { shared, order };
    }
    shared++;
    gapsOfA += nextOfA.value.offset - endOfA;
    gapsOfB += nextOfB.value.offset - endOfB;
    endOfA = endOf(nextOfA.value);
    endOfB = endOf(nextOfB.value);
  }
}

type MemberEntry = Pick<OutlineEntry, "id" | "offset" | "length" | "timestamp">;

/** When a session went on after what is shared; `-Infinity`: it did not. */
function timeOf(next: IteratorResult<MemberEntry, void>): number {
  if (next.done === true) return Number.NEGATIVE_INFINITY;
  return Number.isNaN(next.value.timestamp) ? Number.POSITIVE_INFINITY : next.value.timestamp;
}

function endOf({ offset, length }: MemberEntry): number {
  return offset + length + 1;
}

/** Without entries that have no ID of their own, which are never copied. */
function* identified(member: FamilyMember): Generator<MemberEntry, void> {
  for (const entry of member.entries()) if (!entry.id.startsWith("@")) yield entry;
}
