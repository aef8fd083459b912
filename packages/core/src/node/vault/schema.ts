/** Grows with each change of the tables: then a step from the version before is needed too, the vault is never made anew. */
export const SCHEMA_VERSION = 1;

/**
 * A generation is one state of a file that only grew. Its first `chunked` bytes are in chunks, the rest, up to `bytes`,
 * in tails. The last chunk may be followed by more lines of its own: it begins at `cut` then.
 *
 * `state`: 0 while its bytes are being kept, which nobody sees; 1 when all are; 2 while its rows are being removed; 3 while
 * it is being taken from a copy.
 */
export const VAULT_SQL = `
CREATE TABLE vault (id TEXT NOT NULL, clock REAL NOT NULL, age REAL NOT NULL);
CREATE TABLE files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL UNIQUE,
  owner TEXT,
  format TEXT,
  session_id TEXT,
  vanished_at REAL
);
CREATE INDEX files_by_owner ON files (owner) WHERE owner IS NOT NULL;
CREATE INDEX files_by_session ON files (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX files_vanished ON files (vanished_at) WHERE vanished_at IS NOT NULL;
CREATE TABLE generations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  file INTEGER NOT NULL REFERENCES files (id),
  state INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  chunked INTEGER NOT NULL,
  cut INTEGER NOT NULL,
  tail_rows INTEGER NOT NULL,
  fingerprint BLOB NOT NULL,
  size INTEGER NOT NULL,
  mtime REAL NOT NULL,
  ctime REAL NOT NULL,
  inode INTEGER NOT NULL,
  mode INTEGER NOT NULL,
  started_at REAL NOT NULL,
  kept_at REAL NOT NULL,
  replaced_at REAL,
  replaced_age REAL,
  deleted_at REAL,
  deleted_age REAL
);
CREATE INDEX generations_of_file ON generations (file);
CREATE UNIQUE INDEX generations_newest ON generations (file, state) WHERE replaced_at IS NULL AND state < 2;
CREATE INDEX generations_replaced ON generations (replaced_at) WHERE replaced_at IS NOT NULL;
CREATE INDEX generations_deleted ON generations (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX generations_removed ON generations (id) WHERE state = 2;
CREATE INDEX generations_unsettled ON generations (id) WHERE tail_rows > 7 AND state = 1;
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hash BLOB NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  quality INTEGER NOT NULL,
  packed BLOB NOT NULL
);
CREATE INDEX chunks_unsettled ON chunks (id) WHERE quality = 1;
CREATE TABLE pieces (
  generation INTEGER NOT NULL REFERENCES generations (id),
  offset INTEGER NOT NULL,
  chunk INTEGER NOT NULL REFERENCES chunks (id),
  PRIMARY KEY (generation, offset)
) WITHOUT ROWID;
CREATE INDEX pieces_of_chunk ON pieces (chunk);
CREATE TABLE tails (
  id INTEGER PRIMARY KEY,
  offset INTEGER NOT NULL,
  size INTEGER NOT NULL,
  hash BLOB NOT NULL,
  quality INTEGER NOT NULL,
  packed BLOB NOT NULL
);
`;

/** Rows of tails are numbered within their generation, so that they lie together without an index of their own. */
const TAIL_NUMBERS = 2 ** 16;

/** The ids that the tails of a generation have: `first`, and all below `end`. */
export function tailIds(generation: number): { first: number; end: number } {
  const first = generation * TAIL_NUMBERS;
  return { first, end: first + TAIL_NUMBERS };
}

export function generationOfTail(id: number): number {
  return Math.floor(id / TAIL_NUMBERS);
}
