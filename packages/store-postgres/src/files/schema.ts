import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  doublePrecision,
  integer,
  pgTable,
  smallint,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import { bytea } from "../database/bytea.ts";

// See the note in `state/schema.ts`.

const key = () => bigint({ mode: "number" }).generatedAlwaysAsIdentity();
const bytes = () => bigint({ mode: "number" }).notNull();
const generationKey = () => bigint("generation_key", { mode: "number" }).notNull();
const time = (name: string) => timestamp(name, { withTimezone: true });

export const sessionFiles = pgTable("session_files", {
  key: key(),
  machineId: uuid("machine_id").notNull(),
  path: text().notNull(),
  mode: integer().notNull(),
  deletedAt: time("deleted_at"),
  /** Its time is over, and its bytes go next. */
  expiredAt: time("expired_at"),
});

export const generations = pgTable("generations", {
  key: key(),
  fileKey: bigint("file_key", { mode: "number" }).notNull(),
  id: uuid().notNull(),
  /** 0 while its first bytes arrive, 1 when it can be read. */
  state: smallint().notNull().default(0),
  bytes: bytes().default(0),
  chunked: bytes().default(0),
  keptAt: time("kept_at").notNull().default(sql`now()`),
  replacedAt: time("replaced_at"),
  /** Its bytes were removed, as nobody has them kept longer. */
  emptiedAt: time("emptied_at"),
  /** Of the file, in milliseconds since 1970, as its machine says. */
  modifiedAt: doublePrecision("modified_at"),
});

export const chunks = pgTable("chunks", {
  hash: bytea().notNull(),
  size: integer().notNull(),
  quality: smallint().notNull(),
  /** `null`: in the object. */
  packed: bytea(),
  object: uuid(),
  /** Of the object. */
  packedBytes: integer("packed_bytes"),
});

export const pieces = pgTable("pieces", {
  generationKey: generationKey(),
  start: bytes(),
  size: integer().notNull(),
  hash: bytea().notNull(),
});

export const tails = pgTable("tails", {
  generationKey: generationKey(),
  start: bytes(),
  size: integer().notNull(),
  quality: smallint().notNull(),
  packed: bytea().notNull(),
});

/** Files with bytes that are not in the catalog yet. */
export const indexRequests = pgTable("index_requests", {
  sequence: key(),
  userId: uuid("user_id").notNull(),
  fileKey: bigint("file_key", { mode: "number" }).notNull(),
  /** Whether the file could be read before. */
  isAppend: boolean("is_append").notNull(),
  /** When to try again what has failed. */
  retryAt: time("retry_at"),
});
