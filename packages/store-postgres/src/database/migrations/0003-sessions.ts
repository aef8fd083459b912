/**
 * The catalog of sessions: what is known of the content of each session file, so that lists, pages and trees read no file
 * as a whole. Made from the bytes, and can be made again.
 */
export const SESSIONS = `
-- "key" names one content of a file: a rewritten file gets a new one, and with the old one goes all that hangs on it.
CREATE TABLE sessions (
  key bigint GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  file_key bigint NOT NULL,
  generation_key bigint NOT NULL,
  machine_id uuid NOT NULL,
  -- "/machines/<machine>/<path there>".
  path text COLLATE "C" NOT NULL CHECK (octet_length(path) <= 2100),
  session_id text COLLATE "C" NOT NULL CHECK (octet_length(session_id) <= 2000),
  format text NOT NULL,
  project text COLLATE "C" CHECK (octet_length(project) <= 2000),
  -- Times of the record, in milliseconds since 1970.
  modified_at bigint NOT NULL,
  created_at bigint NOT NULL,
  size bigint NOT NULL,
  -- Of the file, in milliseconds since 1970: records of sessions without times have it.
  file_modified_at double precision NOT NULL,
  message_count integer NOT NULL,
  -- US dollars, as far as they are recorded.
  cost double precision,
  title text NOT NULL,
  outcome text,
  -- As the file or its place tells; see "Descent" in core.
  relation text,
  parent_reference text COLLATE "C" CHECK (octet_length(parent_reference) <= 2100),
  origin text COLLATE "C" CHECK (octet_length(origin) <= 2000),
  -- The session that it came from, and whether lists show it there.
  parent_key bigint,
  folded boolean NOT NULL DEFAULT false,
  -- What else its record and its fold consist of, as core encodes it.
  summary text NOT NULL,
  read_bytes bigint NOT NULL,
  ends_in_lf boolean NOT NULL,
  fingerprint text NOT NULL,
  entry_count integer NOT NULL,
  -- How many of the entries are searchable.
  indexed_count integer NOT NULL DEFAULT 0,
  removed_at timestamptz,
  PRIMARY KEY (user_id, key),
  UNIQUE (user_id, path),
  UNIQUE (user_id, file_key),
  FOREIGN KEY (user_id, file_key) REFERENCES session_files ON DELETE CASCADE
);
CREATE INDEX sessions_by_time ON sessions (user_id, modified_at, key);
CREATE INDEX sessions_by_project ON sessions (user_id, project, modified_at);
CREATE INDEX sessions_by_id ON sessions (user_id, session_id);
CREATE INDEX sessions_by_parent ON sessions (user_id, parent_key) WHERE parent_key IS NOT NULL;
CREATE INDEX sessions_by_reference ON sessions (user_id, parent_reference) WHERE parent_reference IS NOT NULL;
CREATE INDEX sessions_by_origin ON sessions (user_id, origin) WHERE origin IS NOT NULL;

-- The outline of a session in chunks: an append writes the last one only.
CREATE TABLE outline_chunks (
  user_id uuid NOT NULL DEFAULT own_user_id(),
  session_key bigint NOT NULL,
  place integer NOT NULL,
  entries bytea NOT NULL,
  PRIMARY KEY (user_id, session_key, place),
  FOREIGN KEY (user_id, session_key) REFERENCES sessions ON DELETE CASCADE
);

-- What the messages of a session add to statistics. "entries" grows with whatever is added to the chunk.
CREATE TABLE activity_chunks (
  user_id uuid NOT NULL DEFAULT own_user_id(),
  session_key bigint NOT NULL,
  place integer NOT NULL,
  entries integer NOT NULL,
  rollup bytea NOT NULL,
  details bytea NOT NULL,
  PRIMARY KEY (user_id, session_key, place),
  FOREIGN KEY (user_id, session_key) REFERENCES sessions ON DELETE CASCADE
);

-- As the machine says; NULL: when its bytes came.
ALTER TABLE generations ADD COLUMN modified_at double precision;

-- Bytes that can be read and are not in the catalog yet: a row for each append, which so waits for nobody who works on
-- the rows before it.
CREATE TABLE index_requests (
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL DEFAULT own_user_id(),
  file_key bigint NOT NULL,
  -- Whether the file could be read before: somebody may be looking at it.
  is_append boolean NOT NULL,
  PRIMARY KEY (user_id, sequence),
  FOREIGN KEY (user_id, file_key) REFERENCES session_files ON DELETE CASCADE
);
CREATE INDEX index_requests_in_order ON index_requests (is_append DESC, sequence);
CREATE INDEX index_requests_oldest ON index_requests (sequence);
CREATE INDEX index_requests_of_file ON index_requests (user_id, file_key);

-- What has happened to the sessions of a user, in the order of the numbers: a number is given while the user's row in
-- change_counters is locked until the end of the transaction, so none appears before a lower one.
CREATE TABLE change_counters (
  user_id uuid PRIMARY KEY DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  last bigint NOT NULL
);
CREATE TABLE changes (
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  sequence bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('added', 'changed', 'removed')),
  session_key bigint NOT NULL,
  path text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, sequence)
);
CREATE INDEX changes_by_time ON changes (user_id, at);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['sessions', 'outline_chunks', 'activity_chunks', 'index_requests', 'change_counters',
    'changes'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_rows ON %I USING (user_id = own_user_id())', name);
  END LOOP;
END $$;

-- Whichever server is free takes the work of all users.
CREATE POLICY for_service ON index_requests USING (is_service());
`;
