/** How agents call their sessions, as machines say where it is not in the files of the sessions. */
export const AGENT_TITLES = `
CREATE TABLE agent_titles (
  user_id uuid NOT NULL DEFAULT own_user_id(),
  file_key bigint NOT NULL,
  title text NOT NULL,
  PRIMARY KEY (user_id, file_key),
  FOREIGN KEY (user_id, file_key) REFERENCES session_files ON DELETE CASCADE
);
ALTER TABLE agent_titles ENABLE ROW LEVEL SECURITY;
ALTER TABLE agent_titles FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON agent_titles USING (user_id = own_user_id());
`;
