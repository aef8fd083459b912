import { randomUUID } from "node:crypto";
import type { JsonObject } from "@sm/core";
import {
  bundleHash,
  type ConfigVersion,
  type ConfigVersionRecord,
  type ConfigVersionStore,
  lastToGo,
} from "@sm/core/state";
import { desc, eq, lte, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { configVersions } from "./schema.ts";
import { isUuid, type UserConnection } from "./user-connection.ts";

/** The columns of a version without its text, which may be long. */
const RECORD = {
  id: configVersions.id,
  created_at: configVersions.createdAt,
  origin: configVersions.origin,
  sha256: configVersions.sha256,
  size_bytes: sql<number>`octet_length(${configVersions.bundle})`,
};

/** The configurations of one user. */
export class PostgresConfigVersions implements ConfigVersionStore {
  readonly #connection: UserConnection;

  constructor(connection: UserConnection) {
    this.#connection = connection;
  }

  add({ bundle, origin }: { bundle: JsonObject; origin: string }) {
    const sha256 = bundleHash(bundle);
    return this.#connection.write(async (db) => {
      const { id, createdAt: created_at } = configVersions;
      const [newest] = await db
        .select({ id, created_at, sha256: configVersions.sha256 })
        .from(configVersions)
        .orderBy(desc(configVersions.sequence))
        .limit(1);
      if (newest?.sha256 === sha256) return { id: newest.id, created_at: newest.created_at, isNew: false };
      return { ...(await insertVersion(db, { id: randomUUID(), bundle, origin })), isNew: true };
    });
  }

  async latest(): Promise<ConfigVersion | null> {
    const rows = await this.#connection.read((db) =>
      db
        .select({ ...RECORD, bundle: configVersions.bundle })
        .from(configVersions)
        .orderBy(desc(configVersions.sequence))
        .limit(1),
    );
    return rows.map(versionOf)[0] ?? null;
  }

  list(): Promise<ConfigVersionRecord[]> {
    return this.#connection.read((db) => db.select(RECORD).from(configVersions).orderBy(desc(configVersions.sequence)));
  }

  async get(id: string): Promise<ConfigVersion | null> {
    if (!isUuid(id)) return null;
    const rows = await this.#connection.read((db) =>
      db
        .select({ ...RECORD, bundle: configVersions.bundle })
        .from(configVersions)
        .where(eq(configVersions.id, id)),
    );
    return rows.map(versionOf)[0] ?? null;
  }
}

/** Keeps a configuration, and lets the oldest go where there are too many, or too much is in them. */
export async function insertVersion(
  db: Queries,
  { id, bundle, origin }: { id: string; bundle: JsonObject; origin: string },
): Promise<{ id: string; created_at: string }> {
  const createdAt = new Date().toISOString();
  await db
    .insert(configVersions)
    .values({ id, createdAt, origin, sha256: bundleHash(bundle), bundle: JSON.stringify(bundle) });
  const versions = await db
    .select({ sequence: configVersions.sequence, bytes: RECORD.size_bytes })
    .from(configVersions)
    .orderBy(desc(configVersions.sequence));
  const last = lastToGo(versions);
  if (last !== null) await db.delete(configVersions).where(lte(configVersions.sequence, last));
  return { id, created_at: createdAt };
}

function versionOf({ bundle, ...record }: ConfigVersionRecord & { bundle: string }): ConfigVersion {
  return { ...record, bundle: JSON.parse(bundle) as JsonObject };
}
