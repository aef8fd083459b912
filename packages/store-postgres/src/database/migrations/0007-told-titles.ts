/** What sessions tell of the titles of others. */
export const TOLD_TITLES = `
-- By the folder of both, and an entry of the other one.
CREATE TABLE told_titles (
  user_id uuid NOT NULL DEFAULT own_user_id(),
  session_key bigint NOT NULL,
  folder text COLLATE "C" NOT NULL,
  entry text COLLATE "C" NOT NULL CHECK (octet_length(entry) <= 200),
  title text NOT NULL,
  PRIMARY KEY (user_id, session_key, entry),
  FOREIGN KEY (user_id, session_key) REFERENCES sessions ON DELETE CASCADE
);
CREATE INDEX told_titles_in_folder ON told_titles (user_id, folder);
ALTER TABLE told_titles ENABLE ROW LEVEL SECURITY;
ALTER TABLE told_titles FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON told_titles USING (user_id = own_user_id());
`;
