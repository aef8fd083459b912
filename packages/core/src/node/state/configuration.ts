import { eq } from "drizzle-orm";
import type { JsonObject } from "../../json.ts";
import { bundleHash } from "./bundle-hash.ts";
import { insertVersion } from "./config-versions.ts";
import type { StateConnection } from "./connection.ts";
import type { ConfigurationChange, ConfigurationState } from "./ports.ts";
import { configValues } from "./schema.ts";
import { replaceTags } from "./tags.ts";

const ONLY_ROW = 1;

/** The configuration in `state.db`. */
export class SqliteConfigurationState implements ConfigurationState {
  readonly #connection: StateConnection;

  constructor(connection: StateConnection) {
    this.#connection = connection;
  }

  async values(): Promise<JsonObject> {
    const row = this.#connection.read((db) =>
      db.select().from(configValues).where(eq(configValues.id, ONLY_ROW)).get(),
    );
    return row === undefined ? {} : (JSON.parse(row.value) as JsonObject);
  }

  async change(
    { versionId, origin, bundle, tags, values }: ConfigurationChange,
    putFiles: () => void,
  ): Promise<string[]> {
    const sha256 = bundleHash(bundle);
    return this.#connection.write((db) => {
      const untagged = replaceTags(db, tags);
      const value = JSON.stringify(values);
      db.insert(configValues)
        .values({ id: ONLY_ROW, value })
        .onConflictDoUpdate({ target: configValues.id, set: { value } })
        .run();
      insertVersion(db, { id: versionId, bundle, origin, sha256 });
      // The last thing that may fail.
      putFiles();
      return untagged;
    });
  }
}
