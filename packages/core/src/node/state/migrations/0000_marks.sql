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
