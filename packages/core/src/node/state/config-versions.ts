import { randomUUID } from "node:crypto";
import { desc, eq, lte, sql } from "drizzle-orm";
import type { JsonObject } from "../../json.ts";
import { bundleHash } from "./bundle-hash.ts";
import type { Queries, StateConnection } from "./connection.ts";
import { lastToGo } from "./kept-versions.ts";
import type { ConfigVersion, ConfigVersionRecord, ConfigVersionStore } from "./ports.ts";
import { configVersions } from "./schema.ts";

/** The columns of a version without its text, which may be long. */
const RECORD = {
  id: configVersions.id,
  createdAt: configVersions.createdAt,
  origin: configVersions.origin,
  sha256: configVersions.sha256,
  sizeBytes: sql<number>`octet_length(${configVersions.bundle})`,
};

/** The versions in `state.db`. */
export class SqliteConfigVersionStore implements ConfigVersionStore {
  readonly #connection: StateConnection;

  constructor(connection: StateConnection) {
    this.#connection = connection;
  }

  async add({ bundle, origin }: { bundle: JsonObject; origin: string }) {
    const sha256 = bundleHash(bundle);
    return this.#connection.write((db) => {
      const { id, createdAt, sha256: hash } = configVersions;
      const newest = db
        .select({ id, createdAt, hash })
        .from(configVersions)
        .orderBy(desc(configVersions.sequence))
        .get();
      if (newest?.hash === sha256) return { id: newest.id, created_at: newest.createdAt, isNew: false };
      return { ...insertVersion(db, { id: randomUUID(), bundle, origin, sha256 }), isNew: true };
    });
  }

  async latest(): Promise<ConfigVersion | null> {
    const row = this.#connection.read((db) =>
      db.select().from(configVersions).orderBy(desc(configVersions.sequence)).get(),
    );
    return row === undefined ? null : versionOf(row);
  }

  async list(): Promise<ConfigVersionRecord[]> {
    const rows = this.#connection.read((db) =>
      db.select(RECORD).from(configVersions).orderBy(desc(configVersions.sequence)).all(),
    );
    return rows.map(recordOf);
  }

  async get(id: string): Promise<ConfigVersion | null> {
    const row = this.#connection.read((db) => db.select().from(configVersions).where(eq(configVersions.id, id)).get());
    return row === undefined ? null : versionOf(row);
  }
}

/** Keeps a configuration, and lets the oldest go where there are too many, or too much is in them. */
export function insertVersion(
  db: Queries,
  { id, bundle, origin, sha256 }: { id: string; bundle: JsonObject; origin: string; sha256: string },
): { id: string; created_at: string } {
  const createdAt = new Date().toISOString();
  db.insert(configVersions)
    .values({ id, createdAt, origin, sha256, bundle: JSON.stringify(bundle) })
    .run();
  const { sizeBytes: bytes } = RECORD;
  const rows = db
    .select({ sequence: configVersions.sequence, bytes })
    .from(configVersions)
    .orderBy(desc(configVersions.sequence))
    .all();
  const last = lastToGo(rows);
  if (last !== null) db.delete(configVersions).where(lte(configVersions.sequence, last)).run();
  return { id, created_at: createdAt };
}

type Row = typeof configVersions.$inferSelect;

type RecordRow = Omit<Row, "sequence" | "bundle"> & { sizeBytes: number };

function recordOf({ id, createdAt, origin, sizeBytes, sha256 }: RecordRow): ConfigVersionRecord {
  return { id, created_at: createdAt, origin, size_bytes: sizeBytes, sha256 };
}

function versionOf(row: Row): ConfigVersion {
  const { bundle } = row;
  return { ...recordOf({ ...row, sizeBytes: Buffer.byteLength(bundle) }), bundle: JSON.parse(bundle) as JsonObject };
}
