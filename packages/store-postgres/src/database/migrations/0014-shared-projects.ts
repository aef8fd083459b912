const ROW_SECURITY = (...tables: string[]) =>
  tables
    .map((name) => `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY; ALTER TABLE ${name} FORCE ROW LEVEL SECURITY;`)
    .join("\n");

/** Projects that users share, and who has read what of others. See `docs/adr/0036-shared-projects.md`. */
export const SHARED_PROJECTS = `
-- Only whoever reads what a user may see of others says so; all else sees own rows alone.
CREATE FUNCTION sees_others() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT coalesce(current_setting('session_manager.sees_others', true), '') = 'on' AND own_user_id() IS NOT NULL $$;

-- A working directory and those below it. The row stays when it is shared no more.
CREATE TABLE shared_projects (
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  project text COLLATE "C" NOT NULL CHECK (octet_length(project) <= 2000),
  shared_at timestamptz NOT NULL DEFAULT now(),
  -- Number of the last change of its sessions.
  version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, id),
  UNIQUE (user_id, project)
);
CREATE INDEX shared_projects_by_id ON shared_projects (id);

-- As the owner has said it. "reader_id" NULL: everybody.
CREATE TABLE project_grants (
  user_id uuid NOT NULL DEFAULT own_user_id(),
  shared_project_id uuid NOT NULL,
  reader_id uuid REFERENCES users ON DELETE CASCADE,
  UNIQUE NULLS NOT DISTINCT (user_id, shared_project_id, reader_id),
  FOREIGN KEY (user_id, shared_project_id) REFERENCES shared_projects ON DELETE CASCADE
);
CREATE INDEX project_grants_of_reader ON project_grants (reader_id);

-- What follows from it: who may read a project may read those below it, too.
CREATE TABLE project_readers (
  user_id uuid NOT NULL DEFAULT own_user_id(),
  shared_project_id uuid NOT NULL,
  reader_id uuid REFERENCES users ON DELETE CASCADE,
  UNIQUE NULLS NOT DISTINCT (user_id, shared_project_id, reader_id),
  FOREIGN KEY (user_id, shared_project_id) REFERENCES shared_projects ON DELETE CASCADE
);
CREATE INDEX project_readers_of_reader ON project_readers (reader_id);

-- What has happened to the sessions of a project, for those who may read it: they note it among their own changes.
CREATE TABLE project_changes (
  user_id uuid NOT NULL DEFAULT own_user_id(),
  shared_project_id uuid NOT NULL,
  version bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('added', 'changed', 'removed')),
  session_key bigint NOT NULL,
  path text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, shared_project_id, version),
  FOREIGN KEY (user_id, shared_project_id) REFERENCES shared_projects ON DELETE CASCADE
);
CREATE INDEX project_changes_in_order ON project_changes (shared_project_id, version);
CREATE INDEX project_changes_by_time ON project_changes (user_id, at);

-- Up to which change of others' projects a user has noted them.
CREATE TABLE noted_projects (
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  shared_project_id uuid NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (user_id, shared_project_id)
);

-- Paths on the hub begin with the machine. Whose machine has said an id first, shares sessions with it; a second one, of
-- somebody who has copied it, does not, so that no path means sessions of two.
CREATE TABLE machine_owners (
  machine_id uuid PRIMARY KEY,
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE
);
CREATE INDEX machine_owners_of_user ON machine_owners (user_id);
-- Here, it is of all users.
ALTER TABLE machines NO FORCE ROW LEVEL SECURITY;
INSERT INTO machine_owners (machine_id, user_id) SELECT id, user_id FROM machines ORDER BY created_at, user_id
  ON CONFLICT DO NOTHING;
ALTER TABLE machines FORCE ROW LEVEL SECURITY;
CREATE FUNCTION own_machine() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO machine_owners (machine_id, user_id) VALUES (NEW.id, NEW.user_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER own_machine AFTER INSERT ON machines FOR EACH ROW EXECUTE FUNCTION own_machine();

-- Who has read what of others. Nobody changes it, nor the reader whose row it is.
CREATE TABLE reads (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL DEFAULT own_user_id(),
  owner_id uuid NOT NULL,
  session_path text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  action text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  -- Ten minutes have one row.
  slot bigint NOT NULL DEFAULT floor(extract(epoch FROM now()) / 600)
);
CREATE UNIQUE INDEX reads_once ON reads (user_id, owner_id, md5(session_path), action, slot);
CREATE INDEX reads_of_owner ON reads (owner_id, id);
CREATE FUNCTION is_hub_owner() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT EXISTS (SELECT FROM users WHERE id = own_user_id() AND role = 'owner') $$;

-- NULL: private.
ALTER TABLE sessions ADD COLUMN shared_project_id uuid;
ALTER TABLE text_segments ADD COLUMN shared_project_id uuid;

${ROW_SECURITY("shared_projects", "project_grants", "project_readers", "project_changes", "noted_projects", "machine_owners", "reads")}
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['shared_projects', 'project_grants', 'project_readers', 'project_changes',
    'noted_projects', 'machine_owners'] LOOP
    EXECUTE format('CREATE POLICY own_rows ON %I USING (user_id = (SELECT own_user_id()))', name);
  END LOOP;
END $$;
CREATE POLICY of_reader ON reads FOR INSERT WITH CHECK (user_id = (SELECT own_user_id()));
CREATE POLICY of_owners ON reads FOR SELECT USING (owner_id = (SELECT own_user_id()) OR (SELECT is_hub_owner()));

CREATE POLICY for_readers ON project_readers FOR SELECT
  USING ((SELECT sees_others()) AND (reader_id = (SELECT own_user_id()) OR reader_id IS NULL));

-- The projects of others that the user may read. Its question is under the policy above.
CREATE FUNCTION visible_shared_projects() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN sees_others() THEN ARRAY(SELECT DISTINCT shared_project_id FROM project_readers
    WHERE (reader_id = own_user_id() OR reader_id IS NULL) AND user_id <> own_user_id()) ELSE '{}' END
$$;

-- What can be read of others; policies to write stay those of own rows.
CREATE POLICY for_users ON users FOR SELECT USING ((SELECT sees_others()));
CREATE POLICY for_readers ON shared_projects FOR SELECT
  USING (id = ANY ((SELECT visible_shared_projects())::uuid[]));
CREATE POLICY for_readers ON project_changes FOR SELECT
  USING (shared_project_id = ANY ((SELECT visible_shared_projects())::uuid[]));
CREATE POLICY for_readers ON sessions FOR SELECT
  USING (shared_project_id = ANY ((SELECT visible_shared_projects())::uuid[]));
CREATE POLICY for_readers ON text_segments FOR SELECT
  USING (shared_project_id = ANY ((SELECT visible_shared_projects())::uuid[]));
CREATE POLICY for_readers ON text_chunks FOR SELECT USING ((SELECT sees_others()) AND EXISTS (
  SELECT FROM text_segments s WHERE s.user_id = text_chunks.user_id AND s.id = segment_id));
CREATE POLICY for_readers ON machines FOR SELECT USING ((SELECT sees_others()) AND EXISTS (
  SELECT FROM sessions s WHERE s.user_id = machines.user_id AND s.machine_id = machines.id));
CREATE POLICY for_readers ON session_files FOR SELECT USING ((SELECT sees_others()) AND EXISTS (
  SELECT FROM sessions s WHERE s.user_id = session_files.user_id AND s.file_key = session_files.key));
-- Of a file only the state that is in the catalog: an earlier one may have said more.
CREATE POLICY for_readers ON generations FOR SELECT USING ((SELECT sees_others()) AND EXISTS (
  SELECT FROM sessions s WHERE s.user_id = generations.user_id AND s.file_key = generations.file_key
    AND s.generation_key = generations.key));
CREATE POLICY for_readers ON pieces FOR SELECT USING ((SELECT sees_others()) AND EXISTS (
  SELECT FROM generations g WHERE g.user_id = pieces.user_id AND g.key = generation_key));
CREATE POLICY for_readers ON tails FOR SELECT USING ((SELECT sees_others()) AND EXISTS (
  SELECT FROM generations g WHERE g.user_id = tails.user_id AND g.key = generation_key));
CREATE POLICY for_readers ON chunks FOR SELECT USING ((SELECT sees_others()) AND EXISTS (
  SELECT FROM pieces p WHERE p.user_id = chunks.user_id AND p.hash = chunks.hash));
CREATE POLICY for_readers ON marked_sessions FOR SELECT USING ((SELECT sees_others()) AND EXISTS (
  SELECT FROM sessions s WHERE s.user_id = marked_sessions.user_id AND s.path = marked_sessions.path));
CREATE POLICY for_readers ON session_names FOR SELECT USING ((SELECT sees_others()) AND EXISTS (
  SELECT FROM marked_sessions m WHERE m.user_id = session_names.user_id AND m.key = session_key));
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['outline_chunks', 'activity_chunks', 'answers', 'corrections'] LOOP
    EXECUTE format('CREATE POLICY for_readers ON %1$I FOR SELECT USING ((SELECT sees_others()) AND EXISTS (
      SELECT FROM sessions s WHERE s.user_id = %1$I.user_id AND s.key = session_key))', name);
  END LOOP;
END $$;

-- With two policies, an index that begins with the user is of no use to whoever asks for a key alone.
CREATE INDEX sessions_by_key ON sessions (key);
CREATE INDEX sessions_shared ON sessions (shared_project_id, path);
CREATE INDEX sessions_of_machine ON sessions (user_id, machine_id);
CREATE INDEX session_files_by_key ON session_files (key);
CREATE INDEX session_files_by_path ON session_files (machine_id, path);
CREATE INDEX generations_by_key ON generations (key);
CREATE INDEX generations_by_file ON generations (file_key);
CREATE INDEX generations_by_id ON generations (id);
CREATE INDEX pieces_by_place ON pieces (generation_key, start);
CREATE INDEX tails_by_place ON tails (generation_key, start);
CREATE INDEX chunks_by_hash ON chunks (hash);
CREATE INDEX outline_chunks_by_place ON outline_chunks (session_key, place);
CREATE INDEX activity_chunks_by_place ON activity_chunks (session_key, place);
CREATE INDEX corrections_by_place ON corrections (session_key, ordinal);
CREATE INDEX session_names_by_key ON session_names (session_key);
CREATE INDEX marked_sessions_by_key ON marked_sessions (key);
CREATE INDEX marked_sessions_by_path ON marked_sessions (path);
CREATE INDEX text_segments_by_id ON text_segments (id);
CREATE INDEX text_segments_shared ON text_segments (shared_project_id, id);
CREATE INDEX text_chunks_by_place ON text_chunks (segment_id, component, chunk);
`;
