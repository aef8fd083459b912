import zlib from "node:zlib";
import { IndexError } from "./index-error.ts";

/** What a column can hold. */
type StoredValue = string | number | Uint8Array | null;

/** The part of an SQLite connection that registers functions. */
interface FunctionTaker {
  function(
    name: string,
    options: { varargs: boolean; deterministic: boolean },
    run: (...values: never[]) => number,
  ): unknown;
}

type Crc32 = (data: string | Uint8Array, before?: number) => number;

/** For releases of Node 20 without `crc32`: an index may be written by one release and read by another. */
export const plainCrc32: Crc32 = (data, before = 0) => {
  let sum = ~before;
  for (const byte of typeof data === "string" ? Buffer.from(data) : data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 1) === 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return ~sum >>> 0;
};

/** Node's function starts over at an empty buffer. */
const crc32: Crc32 =
  zlib.crc32 === undefined ? plainCrc32 : (data, before = 0) => (data.length === 0 ? before : zlib.crc32(data, before));

/** CRC-32 of a row's values, as a signed number, which SQLite stores in four bytes. */
export function checksum(...values: StoredValue[]): number {
  let sum = 0;
  for (const value of values) {
    const data = value instanceof Uint8Array || typeof value === "string" ? value : String(value);
    // Adds the length as a separator; appending a mark to a long text takes as long as its checksum.
    sum = crc32(data, (sum + data.length + 1) >>> 0);
  }
  return sum | 0;
}

/**
 * Verifies a row with its checksum: SQLite has none, and returns damaged values unchanged.
 *
 * @throws IndexError
 */
export function verify(kept: number, ...values: StoredValue[]): void {
  if (checksum(...values) === kept) return;
  throw new IndexError("damaged", "A row of the index has a wrong checksum.");
}

/** Column with the checksum of a row, computed by SQLite when the row is written. */
export function checksumColumn(values: string, name = "checksum"): string {
  return `${name} INTEGER NOT NULL AS (checksum(${values})) STORED`;
}

/** Trigger that verifies a row before an update, so that damaged values do not get a valid checksum. */
export function verifyingTrigger(table: string, values: string): string {
  return `CREATE TRIGGER ${table}_verified BEFORE UPDATE ON ${table} BEGIN
  SELECT verified(old.checksum, ${values.replace(/\w+/g, "old.$&")});
END;`;
}

/**
 * Registers the SQL functions of the index: `checksum(values…)`, and `verified(checksum, values…)`, which is true or
 * throws an `IndexError`.
 */
export function addChecksums(database: FunctionTaker): void {
  const options = { varargs: true, deterministic: true };
  database.function("checksum", options, checksum);
  database.function("verified", options, (kept: number, ...values: StoredValue[]) => {
    verify(kept, ...values);
    return 1;
  });
}
