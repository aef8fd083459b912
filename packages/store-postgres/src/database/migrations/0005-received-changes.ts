/**
 * What machines say of sessions, and when each thing was said last, whether by a machine or on the hub: the later one
 * stays, whichever comes first.
 */
export const RECEIVED_CHANGES = `
-- Tells a hub from one that was set up anew.
CREATE TABLE hub (id uuid NOT NULL DEFAULT gen_random_uuid());
INSERT INTO hub DEFAULT VALUES;
ALTER TABLE hub ENABLE ROW LEVEL SECURITY;
ALTER TABLE hub FORCE ROW LEVEL SECURITY;
CREATE POLICY everybody ON hub FOR SELECT USING (true);

-- Deleted by the user on its machine: hidden here.
ALTER TABLE session_files ADD COLUMN deleted_at timestamptz;

CREATE TABLE said_of_sessions (
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  path text COLLATE "C" NOT NULL CHECK (octet_length(path) <= 2000),
  kind text NOT NULL,
  key text NOT NULL,
  at text COLLATE "C" NOT NULL,
  -- Which machine has said so; empty: somebody on the hub.
  machine text COLLATE "C" NOT NULL,
  -- Keys are too long for an index.
  name uuid NOT NULL GENERATED ALWAYS AS (md5(path || chr(1) || kind || chr(1) || key)::uuid) STORED,
  PRIMARY KEY (user_id, name)
);
CREATE INDEX said_of_sessions_by_path ON said_of_sessions (user_id, path);
ALTER TABLE said_of_sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE said_of_sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON said_of_sessions USING (user_id = own_user_id());

CREATE FUNCTION tag_key(wanted text) RETURNS text LANGUAGE sql STABLE AS $$
  WITH RECURSIVE up AS (
    SELECT name, parent_id, 1 AS depth FROM tags WHERE id = wanted
    UNION ALL
    SELECT tags.name, tags.parent_id, depth + 1 FROM up JOIN tags ON tags.id = up.parent_id WHERE depth < 100
  )
  SELECT array_to_json(array_agg(name ORDER BY depth DESC))::text FROM up
$$;

-- What is said on the hub has the time of the hub; what a machine says has been noted by whoever applies it.
CREATE FUNCTION note_said() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed jsonb := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END);
  said_path text;
  said_key text := '';
BEGIN
  IF coalesce(current_setting('session_manager.said_by_machine', true), '') = 'on' THEN RETURN NULL; END IF;
  SELECT path INTO said_path FROM marked_sessions WHERE key = (changed ->> 'session_key')::bigint;
  -- All marks of a session go with it.
  IF said_path IS NULL THEN RETURN NULL; END IF;
  IF TG_ARGV[0] = 'tag' THEN said_key := tag_key(changed ->> 'tag_id');
  ELSIF changed ? 'entry_id' THEN said_key := coalesce(changed ->> 'entry_id', '');
  END IF;
  IF said_key IS NULL THEN RETURN NULL; END IF;
  INSERT INTO said_of_sessions (path, kind, key, at, machine)
  VALUES (said_path, TG_ARGV[0], said_key, to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '')
  ON CONFLICT (user_id, name) DO UPDATE SET at = excluded.at, machine = '' WHERE said_of_sessions.at <= excluded.at;
  RETURN NULL;
END $$;
CREATE TRIGGER note_said AFTER INSERT OR UPDATE OR DELETE ON session_names FOR EACH ROW EXECUTE FUNCTION note_said('name');
CREATE TRIGGER note_said AFTER INSERT OR DELETE ON favorites FOR EACH ROW EXECUTE FUNCTION note_said('favorite');
CREATE TRIGGER note_said AFTER INSERT OR DELETE ON archived_sessions FOR EACH ROW EXECUTE FUNCTION note_said('archived');
CREATE TRIGGER note_said AFTER INSERT OR DELETE ON session_tags FOR EACH ROW EXECUTE FUNCTION note_said('tag');
CREATE TRIGGER note_said AFTER INSERT OR UPDATE OR DELETE ON notes FOR EACH ROW EXECUTE FUNCTION note_said('note');
CREATE TRIGGER note_said AFTER INSERT OR DELETE ON bookmarks FOR EACH ROW EXECUTE FUNCTION note_said('bookmark');
`;
