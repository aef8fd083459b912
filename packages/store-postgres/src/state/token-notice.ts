import { sql } from "drizzle-orm";

/** On which servers tell each other that tokens, or what their users may do, have changed. */
export const TOKEN_CHANNEL = "session_manager_tokens";

/** Tells all servers of it, with the transaction. */
export function tellOfTokens() {
  return sql`SELECT pg_notify(${TOKEN_CHANNEL}, '')`;
}
