/**
 * Users, and what each of them has said about sessions.
 *
 * Every table of a user's rows is owned by the role that the service connects with, and forces row-level security on it:
 * without a user in the transaction there are no rows, and new ones are refused.
 */
export const USER_STATE = `
CREATE FUNCTION own_user_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('session_manager.user_id', true), '')::uuid $$;
CREATE FUNCTION is_service() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT coalesce(current_setting('session_manager.is_service', true), '') = 'on' $$;

CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL UNIQUE,
  role text NOT NULL CHECK (role IN ('owner', 'member', 'reader')),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Locked by each change of the user's state, so that one follows the other; differs after it.
  state_version bigint NOT NULL DEFAULT 0
);

CREATE TABLE tags (
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  color text NOT NULL,
  parent_id text,
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, parent_id) REFERENCES tags (user_id, id) DEFERRABLE,
  UNIQUE NULLS NOT DISTINCT (user_id, parent_id, name) DEFERRABLE
);

-- The path tells which session is meant, since a copy of it has the same session id and marks of its own.
CREATE TABLE marked_sessions (
  key bigint GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  path text COLLATE "C" NOT NULL CHECK (octet_length(path) <= 2000),
  session_id text COLLATE "C" NOT NULL CHECK (octet_length(session_id) <= 2000),
  PRIMARY KEY (user_id, key),
  UNIQUE (user_id, path)
);
CREATE INDEX marked_sessions_by_id ON marked_sessions (user_id, session_id);

CREATE TABLE session_tags (
  user_id uuid NOT NULL DEFAULT own_user_id(),
  session_key bigint NOT NULL,
  tag_id text NOT NULL,
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (user_id, session_key, tag_id),
  FOREIGN KEY (user_id, session_key) REFERENCES marked_sessions ON DELETE CASCADE,
  FOREIGN KEY (user_id, tag_id) REFERENCES tags ON DELETE CASCADE
);
CREATE INDEX session_tags_by_tag ON session_tags (user_id, tag_id);

-- "sequence" grows with each favorite and so gives their order, whatever the clock says.
CREATE TABLE favorites (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL DEFAULT own_user_id(),
  session_key bigint NOT NULL,
  UNIQUE (user_id, session_key),
  FOREIGN KEY (user_id, session_key) REFERENCES marked_sessions ON DELETE CASCADE
);

CREATE TABLE session_names (
  user_id uuid NOT NULL DEFAULT own_user_id(),
  session_key bigint NOT NULL,
  name text NOT NULL,
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (user_id, session_key),
  FOREIGN KEY (user_id, session_key) REFERENCES marked_sessions ON DELETE CASCADE
);

CREATE TABLE archived_sessions (
  user_id uuid NOT NULL DEFAULT own_user_id(),
  session_key bigint NOT NULL,
  archived_at text NOT NULL,
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (user_id, session_key),
  FOREIGN KEY (user_id, session_key) REFERENCES marked_sessions ON DELETE CASCADE
);

CREATE TABLE notes (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL DEFAULT own_user_id(),
  session_key bigint NOT NULL,
  -- NULL for the note on the session.
  entry_id text,
  text text NOT NULL,
  updated_at text NOT NULL,
  UNIQUE NULLS NOT DISTINCT (user_id, session_key, entry_id),
  FOREIGN KEY (user_id, session_key) REFERENCES marked_sessions ON DELETE CASCADE
);

CREATE TABLE bookmarks (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL DEFAULT own_user_id(),
  session_key bigint NOT NULL,
  entry_id text NOT NULL,
  created_at text NOT NULL,
  UNIQUE (user_id, session_key, entry_id),
  FOREIGN KEY (user_id, session_key) REFERENCES marked_sessions ON DELETE CASCADE
);

CREATE TABLE config_versions (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  id uuid NOT NULL UNIQUE,
  created_at text NOT NULL,
  origin text NOT NULL,
  -- Of the canonical JSON, as hexadecimal digits.
  sha256 text NOT NULL,
  bundle text NOT NULL
);
CREATE INDEX config_versions_of_user ON config_versions (user_id, sequence);

CREATE TABLE config_values (
  user_id uuid PRIMARY KEY DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  value text NOT NULL
);

CREATE TABLE tokens (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  name text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('full', 'read')),
  -- SHA-256 of the token, which is not kept.
  hash bytea NOT NULL UNIQUE,
  hint text NOT NULL,
  created_at text NOT NULL,
  last_used_at text,
  expires_at text
);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['tags', 'marked_sessions', 'session_tags', 'favorites', 'session_names',
    'archived_sessions', 'notes', 'bookmarks', 'config_versions', 'config_values', 'tokens'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_rows ON %I USING (user_id = own_user_id())', name);
  END LOOP;
END $$;

-- The service finds a user by the token of a request.
CREATE POLICY for_service ON tokens USING (is_service());

-- Each user sees the own row; the service makes users, and looks them up.
ALTER TABLE users ENABLE ROW LEVEL SECURITY;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
CREATE POLICY own_row ON users USING (id = own_user_id()) WITH CHECK (id = own_user_id());
CREATE POLICY for_service ON users USING (is_service());
`;
