/** What machines have sent of session files: their bytes, as they are on the disks of these machines. */
export const SESSION_FILES = `
CREATE TABLE machines (
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, id)
);

CREATE TABLE session_files (
  key bigint GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  machine_id uuid NOT NULL,
  path text COLLATE "C" NOT NULL CHECK (octet_length(path) <= 2000),
  -- The session that a companion belongs to; NULL for sessions.
  owner_path text COLLATE "C",
  format text,
  session_id text,
  mode integer NOT NULL,
  PRIMARY KEY (user_id, key),
  UNIQUE (user_id, machine_id, path),
  FOREIGN KEY (user_id, machine_id) REFERENCES machines ON DELETE CASCADE
);

-- One state of a file that only grew. "state": 0 while its first bytes arrive, 1 when it can be read.
CREATE TABLE generations (
  key bigint GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL DEFAULT own_user_id(),
  file_key bigint NOT NULL,
  id uuid NOT NULL,
  state smallint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  -- How many of them are in chunks; the rest is in tails.
  chunked bigint NOT NULL DEFAULT 0,
  started_at timestamptz NOT NULL DEFAULT now(),
  kept_at timestamptz NOT NULL DEFAULT now(),
  replaced_at timestamptz,
  PRIMARY KEY (user_id, key),
  UNIQUE (user_id, id),
  FOREIGN KEY (user_id, file_key) REFERENCES session_files ON DELETE CASCADE
);
CREATE UNIQUE INDEX current_generations ON generations (user_id, file_key) WHERE state = 1 AND replaced_at IS NULL;
CREATE INDEX generations_of_file ON generations (user_id, file_key);

-- Found by the SHA-256 of what is in them: equal parts of files of a user are kept once, whichever machine has them.
CREATE TABLE chunks (
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  hash bytea NOT NULL,
  size integer NOT NULL,
  -- Of brotli; 0: as it is.
  quality smallint NOT NULL,
  packed bytea NOT NULL,
  PRIMARY KEY (user_id, hash)
);
-- It is packed already.
ALTER TABLE chunks ALTER COLUMN packed SET STORAGE EXTERNAL;

CREATE TABLE pieces (
  user_id uuid NOT NULL DEFAULT own_user_id(),
  generation_key bigint NOT NULL,
  start bigint NOT NULL,
  size integer NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (user_id, generation_key, start),
  FOREIGN KEY (user_id, generation_key) REFERENCES generations ON DELETE CASCADE,
  FOREIGN KEY (user_id, hash) REFERENCES chunks
);
CREATE INDEX pieces_by_chunk ON pieces (user_id, hash);

-- What was appended since the last chunk.
CREATE TABLE tails (
  user_id uuid NOT NULL DEFAULT own_user_id(),
  generation_key bigint NOT NULL,
  start bigint NOT NULL,
  size integer NOT NULL,
  quality smallint NOT NULL,
  packed bytea NOT NULL,
  PRIMARY KEY (user_id, generation_key, start),
  FOREIGN KEY (user_id, generation_key) REFERENCES generations ON DELETE CASCADE
);
ALTER TABLE tails ALTER COLUMN packed SET STORAGE EXTERNAL;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['machines', 'session_files', 'generations', 'chunks', 'pieces', 'tails'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_rows ON %I USING (user_id = own_user_id())', name);
  END LOOP;
END $$;
`;
