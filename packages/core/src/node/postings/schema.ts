import { AREAS } from "./areas.ts";

/** The segments of a text database, and their bytes. */
export const POSTINGS_SQL = `
CREATE TABLE segments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  state INTEGER NOT NULL,
  documents INTEGER NOT NULL,
  ${AREAS.map((area) => `${area}_bytes INTEGER NOT NULL`).join(",\n  ")}
);
CREATE TABLE chunks (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
`;
