/** Each search counts the sessions that the user may see: with the project, this index alone tells of own ones. */
export const PRESENT_SESSIONS = `
DROP INDEX sessions_present;
CREATE INDEX sessions_present ON sessions (user_id, key) INCLUDE (shared_project_id) WHERE removed_at IS NULL;
`;
