/** Who asks for work that may have to wait for its turn. */
export interface Requester {
  /**
   * Aborted when nobody waits for the answer any more. What has not begun then does not begin, and reading ends soon;
   * both reject with the signal's reason. A change that has begun is made.
   */
  readonly signal?: AbortSignal | undefined;
  /** Clients take turns. All who name none are one client. */
  readonly client?: string | undefined;
  /** The connections of one client take turns among themselves. */
  readonly connection?: string | undefined;
}
