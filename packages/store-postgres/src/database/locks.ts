import { sql } from "drizzle-orm";

/**
 * Numbers of PostgreSQL's advisory locks: any that no other program locks, and each of them another one. Servers of
 * several versions share them.
 */
export const LOCKS = {
  /** Alone: steps of the schema. The others have a second number. */
  steps: 5_213_100_001,
  /** By user: merging of texts. */
  merging: 5_213_100,
  /** By file: what is brought into the catalog. */
  files: 521_310_002,
  /** By user: what is shared, and what is indexed meanwhile. */
  sharing: 521_310_003,
  /** By user: what is kept no longer. */
  retention: 521_310_004,
} as const;

/** The second number of a lock of the transaction's user. */
export const OF_USER = sql`hashtext(own_user_id()::text)`;
