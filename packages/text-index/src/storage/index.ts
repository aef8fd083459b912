export { addChecksums, checksum, checksumColumn, verify, verifyingTrigger } from "./checksum.ts";
export { PAGE_BYTES } from "./components.ts";
export { decodeStored, IndexError } from "./index-error.ts";
export { SEGMENT_COLUMNS, SEGMENTS_SQL } from "./schema.ts";
export type { SqliteDatabase, SqliteStatement } from "./sqlite.ts";
