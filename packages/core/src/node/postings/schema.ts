import { checksumColumn, verifyingTrigger } from "../storage/checksum.ts";
import { AREAS } from "./areas.ts";

const AREA_COLUMNS = AREAS.map((area) => `${area}_bytes`);
/** What the checksum of a segment is of. */
export const SEGMENT_COLUMNS = ["id", "state", "documents", ...AREA_COLUMNS].join(", ");

/** The segments of a text database, and their bytes; `checksum` is a function of `addChecksums`. */
export const POSTINGS_SQL = `
CREATE TABLE segments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  state INTEGER NOT NULL,
  documents INTEGER NOT NULL,
  ${AREA_COLUMNS.map((column) => `${column} INTEGER NOT NULL`).join(",\n  ")},
  ${checksumColumn(SEGMENT_COLUMNS)}
);
${verifyingTrigger("segments", SEGMENT_COLUMNS)}
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY,
  ${checksumColumn("id, bytes")},
  bytes BLOB NOT NULL
);
`;
