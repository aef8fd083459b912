/**
 * What is said on the hub is noted by the user and the key of a session: with the policies of shared projects, the key alone
 * is looked for in all rows where many come at once.
 */
export const SAID_BY_KEY = `
CREATE OR REPLACE FUNCTION note_said() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed jsonb := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END);
  said_path text;
  said_key text := '';
BEGIN
  IF coalesce(current_setting('session_manager.said_by_machine', true), '') = 'on' THEN RETURN NULL; END IF;
  SELECT path INTO said_path FROM marked_sessions
    WHERE user_id = (changed ->> 'user_id')::uuid AND key = (changed ->> 'session_key')::bigint;
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
`;
