import zlib from "node:zlib";
import { IndexError } from "./index-error.ts";

/** What a column can hold. */
type StoredValue = string | number | Uint8Array | null;

/** A connection of SQLite, as far as it takes functions. */
interface FunctionTaker {
  function(
    name: string,
    options: { varargs: boolean; deterministic: boolean },
    run: (...values: never[]) => number,
  ): unknown;
}

type Crc32 = (data: string | Uint8Array, before?: number) => number;

/** For releases of Node 20 that have none: an index may be written by one and read by another. */
export const plainCrc32: Crc32 = (data, before = 0) => {
  let sum = ~before;
  for (const byte of typeof data === "string" ? Buffer.from(data) : data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 1) === 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return ~sum >>> 0;
};

/** That of Node begins anew at an empty buffer. */
const crc32: Crc32 =
  zlib.crc32 === undefined ? plainCrc32 : (data, before = 0) => (data.length === 0 ? before : zlib.crc32(data, before));

/** CRC-32 of the values of a row, as a signed number, which SQLite keeps in four bytes. */
export function checksum(...values: StoredValue[]): number {
  let sum = 0;
  for (const value of values) {
    const data = value instanceof Uint8Array || typeof value === "string" ? value : String(value);
    // Its length keeps it apart from the next one; to append a mark to a long text takes as long as its checksum.
    sum = crc32(data, (sum + data.length + 1) >>> 0);
  }
  return sum | 0;
}

/**
 * Compares what was read from a row with the checksum in it: SQLite has none, and gives out whatever a damaged disk
 * has made of a value.
 *
 * @throws IndexError
 */
export function verify(kept: number, ...values: StoredValue[]): void {
  if (checksum(...values) === kept) return;
  throw new IndexError("damaged", "A row of the index has a wrong checksum.");
}

/** The column that keeps the checksum of a row, computed by SQLite when the row is written. */
export function checksumColumn(values: string, name = "checksum"): string {
  return `${name} INTEGER NOT NULL AS (checksum(${values})) STORED`;
}

/**
 * The trigger which sees to it that no row of which a part is changed gets a checksum of the rest as a damaged disk has
 * left it.
 */
export function verifyingTrigger(table: string, values: string): string {
  return `CREATE TRIGGER ${table}_verified BEFORE UPDATE ON ${table} BEGIN
  SELECT verified(old.checksum, ${values.replace(/\w+/g, "old.$&")});
END;`;
}

/**
 * Gives a connection the functions that the tables of the index name: `checksum(values…)`, and `verified(checksum,
 * values…)`, which is true or throws an `IndexError`.
 */
export function addChecksums(database: FunctionTaker): void {
  const options = { varargs: true, deterministic: true };
  database.function("checksum", options, checksum);
  database.function("verified", options, (kept: number, ...values: StoredValue[]) => {
    verify(kept, ...values);
    return 1;
  });
}
