/** Values of `stop_reason` for incomplete messages that are not failures. */
export const QUIET_ENDINGS: ReadonlySet<string> = new Set(["aborted", "deferred", "pending"]);
