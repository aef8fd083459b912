/** Reasons for which a message ended (`stop_reason`) that are no failure, although not all was said. */
export const QUIET_ENDINGS: ReadonlySet<string> = new Set(["aborted", "deferred", "pending"]);
