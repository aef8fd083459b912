import { AppError } from "@sm/core";
import { sql } from "drizzle-orm";
import { SHARING_CHANGED, tellServers } from "../catalog/changes.ts";
import { isWithin, lockSharing, ownProjects, trimmedFolder } from "../catalog/project-place.ts";
import type { PostgresDatabase, Queries } from "../database/database.ts";
import { requestAll } from "../files/index-requests.ts";
import { isUuid, storable } from "../state/user-connection.ts";
import { type FoundReads, readsPage } from "./read-trail.ts";

type Person = {
  id: string;
  name: string;
};

/** Of the user's own, or one that others share. */
type SharedRow = {
  id: string;
  user_id: string;
  project: string;
  shared_at: Date;
  /** Of others. */
  owner: string | null;
  everybody: boolean;
};

/** What one user of a hub shares with others, and others with them. */
export class PostgresSharedProjects {
  readonly #database: PostgresDatabase;
  readonly #userId: string;

  constructor(database: PostgresDatabase, userId: string) {
    this.#database = database;
    this.#userId = userId;
  }

  async users() {
    const { rows } = await this.#see((db) =>
      db.execute<Person & { role: "owner" | "member" | "reader"; is_me: boolean }>(
        sql`SELECT id, name, role, id = own_user_id() AS is_me FROM users ORDER BY name`,
      ),
    );
    return rows;
  }

  list() {
    return this.#see(async (db) => {
      const { rows } = await db.execute<SharedRow>(sql`
        SELECT p.id, p.user_id, p.project, p.shared_at,
          CASE WHEN p.user_id <> own_user_id() THEN (SELECT name FROM users WHERE users.id = p.user_id) END AS owner,
          EXISTS (SELECT FROM project_readers r WHERE r.user_id = p.user_id AND r.shared_project_id = p.id
            AND r.reader_id IS NULL) AS everybody
        FROM shared_projects p
        WHERE p.user_id <> own_user_id() OR EXISTS (SELECT FROM project_grants g WHERE g.shared_project_id = p.id)
        ORDER BY p.project, p.user_id`);
      const grants = await audiences(db);
      const counts = await sessionCounts(db);
      return rows
        .filter((row) => row.owner === null || !isInside(row, rows))
        .map(({ id, user_id, project, shared_at, owner, everybody }) => ({
          project,
          owner,
          everybody: owner === null ? (grants.get(id)?.everybody ?? false) : everybody,
          users: grants.get(id)?.users ?? [],
          sessions: counts.reduce(
            (sum, counted) =>
              sum + (counted.user_id === user_id && isWithin(counted.project, project) ? counted.sessions : 0),
            0,
          ),
          shared_at: new Date(shared_at).toISOString(),
        }));
    });
  }

  async share(options: { project: string; users?: string[] | undefined; everybody?: boolean | undefined }) {
    const { users = [], everybody = false } = options;
    const project = trimmedFolder(storable(options.project));
    if (users.length === 0 && !everybody) {
      throw new AppError("INVALID_PAYLOAD", "Say with whom the project is shared: users, or everybody.");
    }
    await this.#refuseUnknown(users);
    await this.#database.write(this.#userId, async (db) => {
      await lockSharing(db);
      await refuseUnlessProject(db, project);
      const { rows } = await db.execute<{ id: string }>(sql`
        INSERT INTO shared_projects (project) VALUES (${project})
        ON CONFLICT (user_id, project) DO UPDATE SET shared_at = CASE WHEN EXISTS (
          SELECT FROM project_grants g WHERE g.shared_project_id = shared_projects.id)
          THEN shared_projects.shared_at ELSE now() END
        RETURNING id`);
      const readers = [...users.filter((id) => id !== this.#userId), ...(everybody ? [null] : [])];
      await db.execute(sql`
        INSERT INTO project_grants (shared_project_id, reader_id)
        SELECT ${rows[0]?.id}, reader FROM unnest(${sql.param(readers)}::uuid[]) AS reader ON CONFLICT DO NOTHING`);
      await settleReaders(db);
      await requestStrayed(db);
      await tellServers(db, SHARING_CHANGED);
    });
    const shared = (await this.list()).find((row) => row.owner === null && row.project === project);
    // It was shared with nobody but oneself, or taken back meanwhile.
    return shared ?? { project, owner: null, everybody, users: [], sessions: 0, shared_at: new Date().toISOString() };
  }

  async unshare(options: { project: string; users?: string[] | undefined; everybody?: boolean | undefined }) {
    const { everybody = false } = options;
    const project = trimmedFolder(storable(options.project));
    const users = options.users?.filter(isUuid);
    await this.#database.write(this.#userId, async (db) => {
      await lockSharing(db);
      const { rows } = await db.execute<{ id: string }>(sql`
        SELECT id FROM shared_projects p WHERE user_id = own_user_id() AND project = ${project}
        AND EXISTS (SELECT FROM project_grants g WHERE g.shared_project_id = p.id)`);
      const id = rows[0]?.id;
      if (id === undefined) {
        throw new AppError("NOT_FOUND", `You do not share ${project}; list_shared_projects has what you share.`);
      }
      const isAll = users === undefined && !everybody;
      const isMeant = isAll
        ? sql`true`
        : sql`(reader_id = ANY (${sql.param(users ?? [])}::uuid[]) OR (${everybody} AND reader_id IS NULL))`;
      await db.execute(sql`DELETE FROM project_grants WHERE shared_project_id = ${id} AND ${isMeant}`);
      await settleReaders(db);
      await tellServers(db, SHARING_CHANGED);
    });
    const left = (await this.list()).find((row) => row.owner === null && row.project === project);
    return { project, users: left?.users ?? [], everybody: left?.everybody ?? false };
  }

  reads(options: { limit: number; cursor?: string | undefined; path?: string | undefined }): Promise<FoundReads> {
    return this.#see((db) => readsPage(db, options));
  }

  async #refuseUnknown(users: readonly string[]): Promise<void> {
    if (users.length === 0) return;
    const known = new Set((await this.users()).map(({ id }) => id));
    const unknown = users.find((id) => !known.has(id));
    if (unknown === undefined) return;
    throw new AppError("NOT_FOUND", `The hub has no user with the id ${unknown}; list_hub_users has all.`);
  }

  #see<T>(query: (db: Queries) => Promise<T>): Promise<T> {
    return this.#database.readVisible(this.#userId, query);
  }
}

/** Whether somebody else's project is listed with one above it. */
function isInside(row: SharedRow, rows: readonly SharedRow[]): boolean {
  return rows.some(
    (other) => other.id !== row.id && other.user_id === row.user_id && isWithin(row.project, other.project),
  );
}

/** With whom the user's own projects are shared, by id. */
async function audiences(db: Queries): Promise<Map<string, { users: Person[]; everybody: boolean }>> {
  const { rows } = await db.execute<{ project_id: string; id: string | null; name: string | null }>(sql`
    SELECT g.shared_project_id AS project_id, g.reader_id AS id, u.name FROM project_grants g
    LEFT JOIN users u ON u.id = g.reader_id WHERE g.user_id = own_user_id() ORDER BY u.name`);
  const found = new Map<string, { users: Person[]; everybody: boolean }>();
  for (const { project_id, id, name } of rows) {
    const audience = found.get(project_id) ?? { users: [], everybody: false };
    found.set(project_id, audience);
    if (id === null) audience.everybody = true;
    else audience.users.push({ id, name: name ?? "" });
  }
  return found;
}

async function sessionCounts(db: Queries) {
  const { rows } = await db.execute<{ user_id: string; project: string; sessions: number }>(sql`
    SELECT user_id, project, count(*)::int AS sessions FROM sessions
    WHERE project IS NOT NULL AND removed_at IS NULL GROUP BY user_id, project`);
  return rows;
}

async function refuseUnlessProject(db: Queries, project: string): Promise<void> {
  const { rows } = await db.execute(sql`
    SELECT FROM sessions WHERE user_id = own_user_id() AND removed_at IS NULL
      AND project = ANY (ARRAY[${project}, ${project} || '/', ${project} || E'\\\\']) LIMIT 1`);
  if (rows.length > 0) return;
  throw new AppError("NOT_FOUND", `None of your sessions has the working directory ${project}.`);
}

/** Who may read a project may read those below it, too. */
async function settleReaders(db: Queries): Promise<void> {
  const projects = await db.execute<{ id: string; project: string }>(
    sql`SELECT id, project FROM shared_projects WHERE user_id = own_user_id()`,
  );
  const grants = await db.execute<{ id: string; project: string; reader: string | null }>(sql`
    SELECT p.id, p.project, g.reader_id AS reader FROM project_grants g
    JOIN shared_projects p ON p.user_id = g.user_id AND p.id = g.shared_project_id WHERE g.user_id = own_user_id()`);
  const pairs = projects.rows.flatMap(({ id, project }) =>
    grants.rows.filter((grant) => isWithin(project, grant.project)).map(({ reader }) => ({ id, reader })),
  );
  await db.execute(sql`DELETE FROM project_readers WHERE user_id = own_user_id()`);
  await db.execute(sql`
    INSERT INTO project_readers (shared_project_id, reader_id)
    SELECT DISTINCT * FROM unnest(${sql.param(pairs.map(({ id }) => id))}::uuid[],
      ${sql.param(pairs.map(({ reader }) => reader))}::uuid[])`);
}

/** Has sessions indexed anew that belong to another project than before: their texts are kept by project. */
async function requestStrayed(db: Queries): Promise<void> {
  const projectOf = await ownProjects(db);
  const { rows } = await db.execute<{
    file_key: string;
    project: string | null;
    machine_id: string;
    shared_project_id: string | null;
  }>(sql`SELECT file_key, project, machine_id, shared_project_id FROM sessions WHERE user_id = own_user_id()`);
  const strayed = rows.filter((row) => projectOf(row.project, row.machine_id) !== row.shared_project_id);
  await requestAll(
    db,
    strayed.map(({ file_key }) => Number(file_key)),
  );
}
