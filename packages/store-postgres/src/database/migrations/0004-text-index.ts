/**
 * The text index of each user: segments as `@sm/text-index` writes them. Made from the sessions, and can be made again.
 */
export const TEXT_INDEX = `
CREATE TABLE text_segments (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  documents integer NOT NULL,
  -- Bytes of each component, in the order of the program.
  sizes bigint[] NOT NULL,
  -- All components one after the other, if they are short; NULL: they are in chunks.
  content bytea,
  -- Names and labels that its texts have replaced: key of the session and number of the entry, in turns.
  superseded bigint[] NOT NULL,
  PRIMARY KEY (user_id, id)
);
-- They are packed already.
ALTER TABLE text_segments ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE text_chunks (
  user_id uuid NOT NULL DEFAULT own_user_id(),
  segment_id bigint NOT NULL,
  component smallint NOT NULL,
  chunk integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (user_id, segment_id, component, chunk),
  FOREIGN KEY (user_id, segment_id) REFERENCES text_segments ON DELETE CASCADE
);
ALTER TABLE text_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Merging writes new rows for old ones: what it leaves is soon needed again.
ALTER TABLE text_segments SET (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE text_chunks SET (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);

-- Each search looks whether sessions have come or gone.
CREATE INDEX sessions_present ON sessions (user_id, key) WHERE removed_at IS NULL;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['text_segments', 'text_chunks'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_rows ON %I USING (user_id = own_user_id())', name);
  END LOOP;
END $$;
`;
