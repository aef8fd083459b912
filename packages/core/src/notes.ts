/** What the user has written about a session or one of its entries. Never part of the session's file. */
export interface Note {
  /** Of the session. */
  path: string;
  /** `null` for the session itself. */
  entry_id: string | null;
  text: string;
  updated_at: string;
}
