/** The sender of work that may have to wait for its turn. */
export interface Requester {
  /**
   * Aborted when the result is no longer needed. Waiting work does not start, and reading stops soon; both reject with
   * the signal's reason. Changes that have started are completed.
   */
  readonly signal?: AbortSignal | undefined;
  /** Clients take turns. Work without a name counts as one client. */
  readonly client?: string | undefined;
  /** The connections of one client take turns among themselves. */
  readonly connection?: string | undefined;
}
