-- A database as version 3 left it.
CREATE TABLE tags (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  color TEXT NOT NULL,
  parent_id TEXT REFERENCES tags (id)
);
CREATE UNIQUE INDEX tags_by_parent ON tags (parent_id, name);
CREATE UNIQUE INDEX tags_at_top ON tags (name) WHERE parent_id IS NULL;
CREATE TABLE marked_sessions (
  key INTEGER PRIMARY KEY NOT NULL,
  path TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL
);
CREATE INDEX marked_sessions_by_id ON marked_sessions (session_id);
CREATE TABLE session_tags (
  session_key INTEGER NOT NULL REFERENCES marked_sessions (key) ON DELETE CASCADE,
  tag_id TEXT NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  PRIMARY KEY (session_key, tag_id)
);
CREATE INDEX session_tags_by_tag ON session_tags (tag_id);
CREATE TABLE favorites (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  session_key INTEGER NOT NULL UNIQUE REFERENCES marked_sessions (key) ON DELETE CASCADE
);
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
CREATE TABLE config_values (id INTEGER PRIMARY KEY NOT NULL, value TEXT NOT NULL);
INSERT INTO tags VALUES ('t1', 'work', '#ff0000', NULL), ('t2', 'urgent', '#00ff00', 't1'), ('t3', 'home', '#0000ff', NULL);
INSERT INTO marked_sessions VALUES (1, '/s/a.jsonl', 'a'), (2, '/s/b.jsonl', 'b'), (4, '/s/copy.jsonl', 'a');
INSERT INTO session_tags VALUES (1, 't2'), (1, 't3'), (2, 't1');
INSERT INTO favorites VALUES (2, 4), (5, 1);
INSERT INTO tokens VALUES (3, 'token', 'phone', 'read', x'b8392e01d16ef7b7a844a5ffcb0d9ebb146810da1258f915b09927c9f07e94fd', 'aaaaaa', '2026-01-02T03:04:05.000Z', NULL, NULL);
INSERT INTO config_versions VALUES (7, 'version', '2026-01-02T03:04:05.000Z', 'start', '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', '{}');
INSERT INTO config_values VALUES (1, '{"theme":"dark"}');
PRAGMA user_version = 3;
