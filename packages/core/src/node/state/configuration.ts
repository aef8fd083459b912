import { eq } from "drizzle-orm";
import type { JsonObject } from "../../json.ts";
import { bundleHash, insertVersion } from "./config-versions.ts";
import type { StateConnection } from "./connection.ts";
import { configValues } from "./schema.ts";
import { replaceTags, type StoredTag } from "./tags.ts";

/** A configuration that is to be in force, as far as `state.db` holds it. */
export interface ConfigurationChange {
  /** The id that its version will have. */
  versionId: string;
  origin: string;
  /** All of it, for the version. */
  bundle: JsonObject;
  tags: readonly StoredTag[];
  values: JsonObject;
}

/** What of the configuration has no file. Methods reject as those of `StateStore` do. */
export interface ConfigurationState {
  values(): Promise<JsonObject>;
  /**
   * Puts a configuration in force: tags, values and a new version, all or nothing. Files are replaced by `putFiles`,
   * within the same transaction: where it throws, nothing is changed here either. A change is complete as soon as its
   * version can be found. Gives the paths of the sessions that have lost a tag.
   */
  change(change: ConfigurationChange, putFiles: () => void): Promise<string[]>;
}

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
