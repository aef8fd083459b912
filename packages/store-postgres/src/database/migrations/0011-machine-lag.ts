/** Since when what a machine has sent waits to be indexed, for the metrics of the service. */
export const MACHINE_LAG = `
-- NULL: asked for by a server of the version before.
ALTER TABLE index_requests ADD COLUMN machine_id uuid;
ALTER TABLE index_requests ADD COLUMN requested_at timestamptz NOT NULL DEFAULT now();
CREATE POLICY for_service ON machines FOR SELECT USING (is_service());
`;
