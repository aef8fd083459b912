import type { SessionRecord } from "@sm/router/client";

type Records = ReadonlyMap<string, SessionRecord>;

/** A machine that has sent sessions to a hub. */
export interface Machine {
  readonly name: string;
  /** Whose it is; `null`: the user's own. */
  readonly owner: string | null;
  /** How many it has sent. */
  readonly sessions: number;
  /** When the newest of them was modified. */
  readonly modified: string;
}

/** Counted once for each state of the list. */
const counted = new WeakMap<Records, readonly Machine[]>();

/** The machines of all sessions, that with the newest first; none at home. */
export function machinesOf(records: Records): readonly Machine[] {
  const known = counted.get(records) ?? count(records);
  counted.set(records, known);
  return known;
}

function count(records: Records): Machine[] {
  const machines = new Map<string, Machine>();
  for (const { machine, owner, modified_at } of records.values()) {
    if (machine === null) continue;
    // Two users may have a laptop each.
    const key = JSON.stringify([owner, machine]);
    const known = machines.get(key);
    const modified = known === undefined || modified_at > known.modified ? modified_at : known.modified;
    machines.set(key, { name: machine, owner, sessions: (known?.sessions ?? 0) + 1, modified });
  }
  return [...machines.values()].sort((a, b) => (a.modified < b.modified ? 1 : -1));
}
