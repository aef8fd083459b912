/** Who a user is at a provider of OpenID Connect, and which tokens were made by signing in. */
export const SIGN_IN = `
-- The provider and its name of somebody, which neither changes nor goes to another; names and addresses may.
CREATE TABLE user_identities (
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_sign_in_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject),
  CHECK (octet_length(issuer) + octet_length(subject) <= 2000)
);
CREATE INDEX user_identities_of_user ON user_identities (user_id);

CREATE TABLE sign_ins (
  token_id uuid PRIMARY KEY REFERENCES tokens (id) ON DELETE CASCADE,
  user_id uuid NOT NULL DEFAULT own_user_id() REFERENCES users ON DELETE CASCADE,
  -- Tells the provider whose session ends with it.
  id_token text
);
CREATE INDEX sign_ins_of_user ON sign_ins (user_id);

-- What has come back from the provider, so that it does so once, whichever server it comes to.
CREATE TABLE taken_sign_ins (
  state_hash bytea PRIMARY KEY,
  taken_at timestamptz NOT NULL DEFAULT now()
);

-- All servers read what one of them has given a browser to keep.
CREATE TABLE hub_secrets (
  name text PRIMARY KEY,
  secret bytea NOT NULL
);
INSERT INTO hub_secrets VALUES ('sign-in', sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['user_identities', 'sign_ins', 'taken_sign_ins', 'hub_secrets'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY for_service ON %I USING (is_service())', name);
  END LOOP;
END $$;
CREATE POLICY own_rows ON user_identities USING (user_id = own_user_id());
CREATE POLICY own_rows ON sign_ins USING (user_id = own_user_id());
`;
