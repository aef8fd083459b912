/**
 * Rows below the sessions of others are looked for among those of their owners only. Without, a question for all rows that
 * a user may see read those of everybody: with 60 users of 300 sessions, 4 ms for the activity of one of them, now 0.7.
 */
export const VISIBLE_OWNERS = `
CREATE FUNCTION visible_owners() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ARRAY(SELECT DISTINCT user_id FROM shared_projects WHERE id = ANY (visible_shared_projects()))
$$;
DO $$
DECLARE policy record;
BEGIN
  FOR policy IN
    SELECT tablename, qual FROM pg_policies
    WHERE schemaname = current_schema() AND policyname = 'for_readers' AND qual LIKE '%EXISTS%'
  LOOP
    EXECUTE format('ALTER POLICY for_readers ON %I USING (user_id = ANY ((SELECT visible_owners())::uuid[]) AND %s)',
      policy.tablename, regexp_replace(policy.qual, '^.*?sees_others\\(\\) AS sees_others\\) AND ', '('));
  END LOOP;
END $$;
`;
