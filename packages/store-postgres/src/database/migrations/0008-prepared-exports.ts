/** Exports that wait for their download, by any server. */
export const PREPARED_EXPORTS = `
CREATE TABLE prepared_exports (
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  -- Of the ticket, which a copy of the database does not show.
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  -- JSON. No jsonb, which has no NUL.
  options text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, hash)
);
ALTER TABLE prepared_exports ENABLE ROW LEVEL SECURITY;
ALTER TABLE prepared_exports FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON prepared_exports USING (user_id = own_user_id());
-- Whoever prepares one removes what nobody has fetched.
CREATE POLICY for_service ON prepared_exports USING (is_service() AND expires_at < now());
`;
