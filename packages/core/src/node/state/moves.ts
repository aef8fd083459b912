import type { SessionIdentity } from "./store.ts";

export interface Move {
  from: SessionIdentity;
  to: SessionIdentity;
}

/**
 * Finds where marks belong now, from where they were put and the sessions that exist.
 *
 * A path that is still there keeps its marks, whatever id its file has now. Marks of a path that is gone go to a file
 * with the same id, to one without marks if there is one, since a copy that was marked by itself is not what was moved.
 * Without such a file they stay: a disk may come back.
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
    const candidates = sameId.get(from.id) ?? [];
    const to = candidates.find(({ path }) => !taken.has(path)) ?? candidates[0];
    if (to === undefined) return [];
    taken.add(to.path);
    return [{ from, to }];
  });
}
