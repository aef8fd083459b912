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
  checksum INTEGER NOT NULL AS (checksum(${SEGMENT_COLUMNS})) STORED
);
CREATE TRIGGER segments_verified BEFORE UPDATE ON segments BEGIN
  SELECT verified(old.checksum, ${SEGMENT_COLUMNS.replace(/\w+/g, "old.$&")});
END;
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY,
  checksum INTEGER NOT NULL AS (checksum(id, bytes)) STORED,
  bytes BLOB NOT NULL
);
`;
