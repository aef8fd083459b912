/** For how long users have sessions kept. */
export const RETENTION = `
CREATE TABLE retention_rules (
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  -- A working directory, with those below it; NULL: all others.
  project text COLLATE "C" CHECK (octet_length(project) <= 2000),
  -- NULL: for ever.
  days integer CHECK (days BETWEEN 1 AND 36500),
  -- Whether favorites, and sessions with notes or bookmarks, go too.
  includes_marked boolean NOT NULL DEFAULT false,
  UNIQUE NULLS NOT DISTINCT (user_id, project)
);
ALTER TABLE retention_rules ENABLE ROW LEVEL SECURITY;
ALTER TABLE retention_rules FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON retention_rules USING (user_id = (SELECT own_user_id()));

-- Of users without a rule for all; NULL: for ever.
ALTER TABLE hub ADD COLUMN retention_days integer CHECK (retention_days BETWEEN 1 AND 36500);

-- A file whose time is over is hidden first, and leaves the catalog; then its bytes go. "expired_with" is the file of the
-- session that it went with, which stays known: who goes on with one gets the others again.
ALTER TABLE session_files ADD COLUMN expired_at timestamptz, ADD COLUMN expired_with bigint;
CREATE INDEX expired_files ON session_files (user_id, key) WHERE expired_at IS NOT NULL;
CREATE INDEX files_expired_together ON session_files (user_id, expired_with) WHERE expired_with IS NOT NULL;

-- Its bytes are gone; how many there were stays known, so that its machine does not send them again.
ALTER TABLE generations ADD COLUMN emptied_at timestamptz;
`;
