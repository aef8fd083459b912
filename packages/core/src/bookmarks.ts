/** An entry of a session to come back to. */
export interface Bookmark {
  /** Of the session. */
  path: string;
  entry_id: string;
  /** The label that the agent has stored for the entry; `null` if there is none. */
  label: string | null;
  /** `null` if it is only labelled by the agent. */
  created_at: string | null;
}
