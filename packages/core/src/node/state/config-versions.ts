import { createHash, randomUUID } from "node:crypto";
import { desc, eq, lte } from "drizzle-orm";
import { isJsonObject, type JsonObject } from "../../json.ts";
import type { Queries, StateConnection } from "./connection.ts";
import { configVersions } from "./schema.ts";

/** What is known of a configuration without reading it. */
export interface ConfigVersionRecord {
  id: string;
  /** From then on it was in force. */
  created_at: string;
  /** What made it: the name of a command, or `external` for somebody who has edited a file. */
  origin: string;
  /** As JSON. */
  size_bytes: number;
  /** Of the canonical JSON, as hexadecimal digits: equal ones are equal. */
  sha256: string;
}

/** A configuration as it was from `created_at` on. */
export interface ConfigVersion extends ConfigVersionRecord {
  bundle: JsonObject;
}

/** The configurations that the service has had. Methods reject as those of `StateStore` do. */
export interface ConfigVersionStore {
  /**
   * Keeps a configuration, unless it equals the newest one: then that one is given, which is not `isNew`. The newest
   * 200 are kept.
   */
  add(version: { bundle: JsonObject; origin: string }): Promise<{ id: string; created_at: string; isNew: boolean }>;
  /** Gives the newest one; `null` where there is none yet. */
  latest(): Promise<ConfigVersion | null>;
  /** The newest first. */
  list(): Promise<ConfigVersionRecord[]>;
  /** `null` where there is none of this id. */
  get(id: string): Promise<ConfigVersion | null>;
}

const KEPT = 200;

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
      db.select().from(configVersions).orderBy(desc(configVersions.sequence)).all(),
    );
    return rows.map(recordOf);
  }

  async get(id: string): Promise<ConfigVersion | null> {
    const row = this.#connection.read((db) => db.select().from(configVersions).where(eq(configVersions.id, id)).get());
    return row === undefined ? null : versionOf(row);
  }
}

/** Keeps a configuration, and lets the oldest go where there are too many. */
export function insertVersion(
  db: Queries,
  { id, bundle, origin, sha256 }: { id: string; bundle: JsonObject; origin: string; sha256: string },
): { id: string; created_at: string } {
  const createdAt = new Date().toISOString();
  const { sequence } = db
    .insert(configVersions)
    .values({ id, createdAt, origin, sha256, bundle: JSON.stringify(bundle) })
    .returning({ sequence: configVersions.sequence })
    .get();
  // Numbers have no gaps: nothing but the oldest is ever removed, and a failed insertion takes its number back.
  db.delete(configVersions)
    .where(lte(configVersions.sequence, sequence - KEPT))
    .run();
  return { id, created_at: createdAt };
}

/** SHA-256 of a configuration, the same for equal values whatever the order of their fields. */
export function bundleHash(bundle: JsonObject): string {
  return createHash("sha256").update(canonicalJson(bundle)).digest("hex");
}

type Row = typeof configVersions.$inferSelect;

function recordOf({ id, createdAt, origin, bundle, sha256 }: Row): ConfigVersionRecord {
  return { id, created_at: createdAt, origin, size_bytes: Buffer.byteLength(bundle), sha256 };
}

function versionOf(row: Row): ConfigVersion {
  return { ...recordOf(row), bundle: JSON.parse(row.bundle) as JsonObject };
}

/** Writes JSON so that equal values give equal texts, whatever the order of their fields. */
function canonicalJson(value: JsonObject): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    isJsonObject(field) ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1))) : field,
  );
}
