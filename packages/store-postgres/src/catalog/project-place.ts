import { sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { LOCKS, OF_USER } from "../database/locks.ts";

/** Without what it ends with: agents of any system tell working directories. */
export function trimmedFolder(path: string): string {
  return path.replace(/[\\/]+$/, "") || path;
}

/** Whether a working directory is another one, or below it. */
export function isWithin(project: string, folder: string): boolean {
  const [own, base] = [project.replace(/[\\/]+$/, ""), folder.replace(/[\\/]+$/, "")];
  return own === base || own.startsWith(`${base}/`) || own.startsWith(`${base}\\`);
}

/** Finds the shared project of a session; `null`: it is private. */
export type ProjectOf = (project: string | null, machineId: string) => string | null;

/** What a user has ever shared: of projects in each other the inner one has the sessions. */
export async function ownProjects(db: Queries): Promise<ProjectOf> {
  const { rows } = await db.execute<{ id: string; project: string }>(
    sql`SELECT id, project FROM shared_projects WHERE user_id = own_user_id()`,
  );
  if (rows.length === 0) return () => null;
  // Paths of the others would be those of somebody else, too.
  const owned = await db.execute<{ id: string }>(
    sql`SELECT machine_id AS id FROM machine_owners WHERE user_id = own_user_id()`,
  );
  const machines = new Set(owned.rows.map(({ id }) => id));
  const innerFirst = rows.toSorted((a, b) => b.project.length - a.project.length);
  return (project, machineId) => {
    if (project === null || !machines.has(machineId)) return null;
    return innerFirst.find((shared) => isWithin(project, shared.project))?.id ?? null;
  };
}

/** Until the end of the transaction, the user shares nothing more: what is written now has the right project. */
export async function keepSharing(db: Queries): Promise<void> {
  await db.execute(sql`SELECT pg_advisory_xact_lock_shared(${LOCKS.sharing}, ${OF_USER})`);
}

/** Waits for what is being indexed; what comes later sees what this transaction has shared. */
export async function lockSharing(db: Queries): Promise<void> {
  await db.execute(sql`SELECT pg_advisory_xact_lock(${LOCKS.sharing}, ${OF_USER})`);
}
