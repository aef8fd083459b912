import { checksumColumn, verifyingTrigger } from "./checksum.ts";
import { COMPONENTS } from "./components.ts";

const COMPONENT_COLUMNS = COMPONENTS.map((component) => `${component}_bytes`);
/** Columns covered by a segment's checksum. */
export const SEGMENT_COLUMNS = ["id", "state", "documents", ...COMPONENT_COLUMNS].join(", ");

/** Tables of segments and their chunks; `checksum` is a function of `addChecksums`. */
export const SEGMENTS_SQL = `
CREATE TABLE segments (
  id INTEGER PRIMARY KEY,
  state INTEGER NOT NULL,
  documents INTEGER NOT NULL,
  ${COMPONENT_COLUMNS.map((column) => `${column} INTEGER NOT NULL`).join(",\n  ")},
  ${checksumColumn(SEGMENT_COLUMNS)}
);
${verifyingTrigger("segments", SEGMENT_COLUMNS)}
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY,
  ${checksumColumn("id, bytes")},
  bytes BLOB NOT NULL
);
`;
