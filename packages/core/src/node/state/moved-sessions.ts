import { basename } from "node:path";
import type { SessionIdentity } from "./ports.ts";

export interface Move {
  from: SessionIdentity;
  to: SessionIdentity;
}

/**
 * Finds where marks belong now, from where they were put and the sessions that exist.
 *
 * A path that is still there keeps its marks, whatever id its file has now. Marks of a path that is gone go to a file
 * with the same id: to one of the same name if there is one, else to one without marks, since a copy that was marked by
 * itself is not what was moved. Without such a file they stay: a disk may come back. They never go to a twin.
 */
export function findMoves(marked: readonly SessionIdentity[], sessions: readonly SessionIdentity[]): Move[] {
  const ids = new Map(sessions.map((session) => [session.path, session.id]));
  const gone = new Set(marked.filter(({ path }) => !ids.has(path)).map(({ id }) => id));
  const sameId = new Map<string, SessionIdentity[]>();
  for (const session of sessions) {
    if (!gone.has(session.id)) continue;
    const known = sameId.get(session.id);
    if (known === undefined) sameId.set(session.id, [session]);
    else known.push(session);
  }
  const taken = new Set(marked.map(({ path }) => path));
  return marked.flatMap((from) => {
    const id = ids.get(from.path);
    if (id !== undefined) return id === from.id ? [] : [{ from, to: { path: from.path, id } }];
    const candidates = (sameId.get(from.id) ?? []).filter(({ path }) => !areTwins(path, from.path));
    const free = candidates.filter(({ path }) => !taken.has(path));
    const to = free.find(({ path }) => basename(path) === basename(from.path)) ?? free[0] ?? candidates[0];
    if (to === undefined) return [];
    taken.add(to.path);
    return [{ from, to }];
  });
}

/**
 * Tells whether two files of one id are twins by their names, `s.jsonl` and `s-1.jsonl`. The agent wrote such pairs before
 * 1.5.0: they are two sessions, of which neither came from the other by a move.
 */
function areTwins(one: string, other: string): boolean {
  const [first, second] = [basename(one), basename(other)];
  const withoutNumber = (name: string) => name.replace(/-\d{1,3}(?=\.jsonl$)/, "");
  return first !== second && withoutNumber(first) === withoutNumber(second);
}
