const USAGE = `
  input double precision NOT NULL,
  output double precision NOT NULL,
  cache_read double precision NOT NULL,
  cache_write double precision NOT NULL,
  cache_write_1h double precision NOT NULL,
  cost double precision`;

/** Copies of sessions have the same answers: each counts once. */
export const ANSWERS = `
-- What entries add to the usage of answers that several sessions may have, by the hash of the answer's ID.
CREATE TABLE answers (
  user_id uuid NOT NULL DEFAULT own_user_id(),
  session_key bigint NOT NULL,
  ordinal integer NOT NULL,
  answer bigint NOT NULL,
  request bigint,
  is_aside smallint NOT NULL,
  model integer NOT NULL,
  tier integer NOT NULL,${USAGE},
  PRIMARY KEY (user_id, session_key, ordinal),
  FOREIGN KEY (user_id, session_key) REFERENCES sessions ON DELETE CASCADE
);
CREATE INDEX answers_by_answer ON answers (user_id, answer);

-- By how much an entry counts more than its file says.
CREATE TABLE corrections (
  user_id uuid NOT NULL DEFAULT own_user_id(),
  session_key bigint NOT NULL,
  ordinal integer NOT NULL,
  answer bigint NOT NULL,
  model integer NOT NULL,
  tier integer NOT NULL,${USAGE},
  PRIMARY KEY (user_id, session_key, ordinal),
  FOREIGN KEY (user_id, session_key) REFERENCES sessions ON DELETE CASCADE
);
CREATE INDEX corrections_by_answer ON corrections (user_id, answer);

-- What could not be indexed is tried again: by then, another program may run.
ALTER TABLE index_requests ADD COLUMN retry_at timestamptz;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['answers', 'corrections'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_rows ON %I USING (user_id = own_user_id())', name);
  END LOOP;
END $$;
`;
