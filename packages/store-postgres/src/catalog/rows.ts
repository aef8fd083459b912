import { sql } from "drizzle-orm";

/** The values of many rows in one column, as one parameter. */
export function column<Row>(rows: readonly Row[], name: keyof Row) {
  return sql.param(
    rows.map((row) => {
      const value = row[name];
      return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.length) : value;
    }),
  );
}
