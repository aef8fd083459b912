CREATE TABLE tokens (
  key INTEGER PRIMARY KEY NOT NULL,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  scope TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  expires_at TEXT
);
CREATE INDEX tokens_by_hint ON tokens (hint);
CREATE TABLE config_versions (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  id TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  origin TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  bundle TEXT NOT NULL
);
