import type { JsonObject } from "@sm/core";
import type { BackedUpMarks, ConfigurationChange, ConfigurationState } from "@sm/core/state";
import { insertMarks, readMarks } from "./backed-up-marks.ts";
import { insertVersion } from "./config-versions.ts";
import { configValues } from "./schema.ts";
import { replaceTags } from "./tags.ts";
import type { UserConnection } from "./user-connection.ts";

/** The configuration of one user. */
export class PostgresConfiguration implements ConfigurationState {
  readonly #connection: UserConnection;

  constructor(connection: UserConnection) {
    this.#connection = connection;
  }

  async values(): Promise<JsonObject> {
    const [row] = await this.#connection.read((db) => db.select().from(configValues));
    return row === undefined ? {} : (JSON.parse(row.value) as JsonObject);
  }

  change(
    { versionId, origin, bundle, tags, values, marks = null }: ConfigurationChange,
    putFiles: () => void,
  ): Promise<string[]> {
    return this.#connection.write(async (db) => {
      const untagged = await replaceTags(db, tags);
      await db.delete(configValues);
      await db.insert(configValues).values({ value: JSON.stringify(values) });
      const marked = marks === null ? [] : await insertMarks(db, marks);
      await insertVersion(db, { id: versionId, bundle, origin });
      // The last thing that may fail but the end of the transaction.
      putFiles();
      return [...new Set([...untagged, ...marked])];
    });
  }

  marks(): Promise<BackedUpMarks> {
    return this.#connection.read(readMarks);
  }

  addMarks(marks: BackedUpMarks): Promise<string[]> {
    return this.#connection.write((db) => insertMarks(db, marks));
  }
}
