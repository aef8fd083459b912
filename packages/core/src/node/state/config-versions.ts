import { createHash, randomUUID } from "node:crypto";
import { desc, lte } from "drizzle-orm";
import { isJsonObject, type JsonObject } from "../../json.ts";
import type { StateConnection } from "./connection.ts";
import { configVersions } from "./schema.ts";

/** A configuration as it was from `created_at` on. */
export interface ConfigVersion {
  id: string;
  created_at: string;
  /** What made it, such as the name of a command. */
  origin: string;
  bundle: JsonObject;
}

/** The configurations that the service has had. Methods reject as those of `StateStore` do. */
export interface ConfigVersionStore {
  /** Keeps a configuration, unless it equals the newest one: then that one is given. The newest 200 are kept. */
  add(version: { bundle: JsonObject; origin: string }): Promise<{ id: string; created_at: string }>;
  /** Gives the newest one; `null` where there is none yet. */
  latest(): Promise<ConfigVersion | null>;
}

const KEPT = 200;

/** The versions in `state.db`. */
export class SqliteConfigVersionStore implements ConfigVersionStore {
  readonly #connection: StateConnection;

  constructor(connection: StateConnection) {
    this.#connection = connection;
  }

  async add({ bundle, origin }: { bundle: JsonObject; origin: string }): Promise<{ id: string; created_at: string }> {
    const sha256 = createHash("sha256").update(canonicalJson(bundle)).digest("hex");
    return this.#connection.write((db) => {
      const { id, createdAt, sha256: hash } = configVersions;
      const newest = db
        .select({ id, createdAt, hash })
        .from(configVersions)
        .orderBy(desc(configVersions.sequence))
        .get();
      if (newest?.hash === sha256) return { id: newest.id, created_at: newest.createdAt };
      const version = { id: randomUUID(), createdAt: new Date().toISOString() };
      const { sequence } = db
        .insert(configVersions)
        .values({ ...version, origin, sha256, bundle: JSON.stringify(bundle) })
        .returning({ sequence: configVersions.sequence })
        .get();
      // Numbers have no gaps: nothing but the oldest is ever removed, and a failed insertion takes its number back.
      db.delete(configVersions)
        .where(lte(configVersions.sequence, sequence - KEPT))
        .run();
      return { id: version.id, created_at: version.createdAt };
    });
  }

  async latest(): Promise<ConfigVersion | null> {
    const row = this.#connection.read((db) =>
      db.select().from(configVersions).orderBy(desc(configVersions.sequence)).get(),
    );
    if (row === undefined) return null;
    return { id: row.id, created_at: row.createdAt, origin: row.origin, bundle: JSON.parse(row.bundle) as JsonObject };
  }
}

/** Writes JSON so that equal values give equal texts, whatever the order of their fields. */
function canonicalJson(value: JsonObject): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    isJsonObject(field) ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1))) : field,
  );
}
