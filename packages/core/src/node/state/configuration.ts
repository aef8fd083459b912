import { eq } from "drizzle-orm";
import type { JsonObject } from "../../json.ts";
import { insertMarks, readMarks } from "./backed-up-marks.ts";
import { bundleHash } from "./bundle-hash.ts";
import { insertVersion } from "./config-versions.ts";
import type { StateConnection } from "./connection.ts";
import type { BackedUpMarks, ConfigurationChange, ConfigurationState } from "./ports.ts";
import { configValues } from "./schema.ts";
import { replaceTags } from "./tags.ts";

const ONLY_ROW = 1;

/** The configuration in `state.db`. */
export class SqliteConfigurationState implements ConfigurationState {
  readonly #connection: StateConnection;
  readonly #onArchived: (paths: readonly string[]) => void;

  /** @param onArchived called with the paths of sessions that were archived by a backup. */
  constructor(connection: StateConnection, onArchived: (paths: readonly string[]) => void) {
    this.#connection = connection;
    this.#onArchived = onArchived;
  }

  async values(): Promise<JsonObject> {
    const row = this.#connection.read((db) =>
      db.select().from(configValues).where(eq(configValues.id, ONLY_ROW)).get(),
    );
    return row === undefined ? {} : (JSON.parse(row.value) as JsonObject);
  }

  async change(
    { versionId, origin, bundle, tags, values, marks = null }: ConfigurationChange,
    putFiles: () => void,
  ): Promise<string[]> {
    const sha256 = bundleHash(bundle);
    const touched = this.#connection.write((db) => {
      const untagged = replaceTags(db, tags);
      const value = JSON.stringify(values);
      db.insert(configValues)
        .values({ id: ONLY_ROW, value })
        .onConflictDoUpdate({ target: configValues.id, set: { value } })
        .run();
      const marked = marks === null ? [] : insertMarks(db, marks);
      insertVersion(db, { id: versionId, bundle, origin, sha256 });
      // The last thing that may fail.
      putFiles();
      return [...new Set([...untagged, ...marked])];
    });
    if (marks !== null) this.#tellArchived(marks);
    return touched;
  }

  async marks(): Promise<BackedUpMarks> {
    return readMarks(this.#connection);
  }

  async addMarks(marks: BackedUpMarks): Promise<string[]> {
    const touched = this.#connection.write((db) => insertMarks(db, marks));
    this.#tellArchived(marks);
    return touched;
  }

  #tellArchived({ archived }: BackedUpMarks): void {
    this.#onArchived(archived.map(({ path }) => path));
  }
}
