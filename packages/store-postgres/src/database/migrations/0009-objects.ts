/** Bytes of chunks that are in an object store, and objects that no chunk names. */
export const OBJECTS = `
-- The packed bytes are in the row, or in the object of this name: so both kinds are there beside each other.
ALTER TABLE chunks
  ALTER COLUMN packed DROP NOT NULL,
  ADD COLUMN object uuid,
  -- Of an object.
  ADD COLUMN packed_bytes integer,
  -- Rows from before have all that it asks for.
  ADD CONSTRAINT chunks_are_somewhere
    CHECK ((packed IS NULL) = (object IS NOT NULL) AND (object IS NULL) = (packed_bytes IS NULL)) NOT VALID;

-- With a user go chunks and what names them, in any order.
ALTER TABLE pieces ALTER CONSTRAINT pieces_user_id_hash_fkey DEFERRABLE INITIALLY DEFERRED;

-- Objects that no chunk names: not yet, as the transaction that will name them has not come to its end, or no more. A row
-- is committed before its object is written, and is removed by the transaction that names the object. So an object is
-- always in one of both tables, and whoever has locked a row here may delete its object. They stay when a user goes.
CREATE TABLE unnamed_objects (
  object uuid PRIMARY KEY,
  user_id uuid NOT NULL DEFAULT own_user_id(),
  hash bytea NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  -- A copy of the database that is brought back may name it.
  was_named boolean NOT NULL DEFAULT false
);
CREATE INDEX unnamed_objects_by_time ON unnamed_objects (since);
ALTER TABLE unnamed_objects ENABLE ROW LEVEL SECURITY;
ALTER TABLE unnamed_objects FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON unnamed_objects USING (user_id = own_user_id());
CREATE POLICY for_service ON unnamed_objects USING (is_service());

CREATE FUNCTION unname_object() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.object IS NOT DISTINCT FROM OLD.object THEN RETURN NULL; END IF;
  INSERT INTO unnamed_objects (object, user_id, hash, was_named) VALUES (OLD.object, OLD.user_id, OLD.hash, true);
  RETURN NULL;
END $$;
CREATE TRIGGER unname_object AFTER DELETE OR UPDATE OF object ON chunks
  FOR EACH ROW WHEN (OLD.object IS NOT NULL) EXECUTE FUNCTION unname_object();

-- Whether its ID is in the object store: one without it is another, such as an empty folder where no disk is mounted.
ALTER TABLE hub ADD COLUMN uses_objects boolean NOT NULL DEFAULT false;
CREATE POLICY for_service ON hub FOR UPDATE USING (is_service());
`;
