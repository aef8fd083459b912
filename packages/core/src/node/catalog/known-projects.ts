import type { SqliteDatabase } from "../storage/sqlite.ts";

interface KnownProject {
  project: string;
  /** That of its newest session, `null` where files were of it that are no sessions now. */
  modified: number | null;
}

/** Looked up at once, in about a millisecond. */
const PROJECTS_AT_ONCE = 200;

/**
 * Finds each project behind the one before, and its newest session behind that: two steps in an index for each, where
 * grouping reads an index row of every session.
 */
export const KNOWN_PROJECTS_SQL = `
WITH RECURSIVE known (project) AS (
  SELECT min(project) FROM files WHERE project > ?
  UNION ALL
  SELECT (SELECT min(project) FROM files WHERE project > known.project) FROM known WHERE project IS NOT NULL
  LIMIT ${PROJECTS_AT_ONCE}
)
SELECT project, (
  SELECT max(modified_at) FROM files WHERE files.project = known.project AND status = 'session'
) AS modified
FROM known WHERE project IS NOT NULL`;

/** The working directories of all sessions. */
export class KnownProjects {
  readonly #next;

  constructor(client: SqliteDatabase) {
    this.#next = client.prepare<[after: string], KnownProject>(KNOWN_PROJECTS_SQL);
  }

  /**
   * The one with the newest session first.
   *
   * @param pace gives others their turn: somebody may have a project for every session.
   */
  async list(pace: { turn(): Promise<void> }): Promise<string[]> {
    const times = new Map<string, number | null>();
    for (let after = ""; ; ) {
      const found = this.#next.all(after);
      const last = found.at(-1);
      // Only a damaged index leads back to one before, and then for ever.
      const isCircle = last !== undefined && times.has(last.project);
      for (const { project, modified } of found) times.set(project, modified);
      if (last === undefined || found.length < PROJECTS_AT_ONCE || isCircle) break;
      after = last.project;
      await pace.turn();
    }
    const known = [...times].flatMap(([project, modified]) => (modified === null ? [] : [{ project, modified }]));
    return known.sort((a, b) => b.modified - a.modified).map(({ project }) => project);
  }
}
