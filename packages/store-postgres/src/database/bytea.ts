import { customType } from "drizzle-orm/pg-core";

/** A column of bytes: Drizzle has none of its own. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });
