import type { SessionFormatName, SessionOutcome, SessionRelation } from "@sm/core";
import { sql } from "drizzle-orm";
import { bigint, boolean, doublePrecision, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytea } from "../database/bytea.ts";

// See the note in `state/schema.ts`.

const whole = (name: string) => bigint(name, { mode: "number" }).notNull();
const sessionKey = () => whole("session_key");

export const sessions = pgTable("sessions", {
  key: bigint({ mode: "number" }).generatedAlwaysAsIdentity(),
  fileKey: whole("file_key"),
  generationKey: whole("generation_key"),
  machineId: uuid("machine_id").notNull(),
  path: text().notNull(),
  sessionId: text("session_id").notNull(),
  format: text().$type<SessionFormatName>().notNull(),
  project: text(),
  /** Times of the record, in milliseconds since 1970. */
  modifiedAt: whole("modified_at"),
  createdAt: whole("created_at"),
  size: whole("size"),
  /** Of the file, in milliseconds since 1970. */
  fileModifiedAt: doublePrecision("file_modified_at").notNull(),
  messageCount: integer("message_count").notNull(),
  /** US dollars, recorded and estimated, as the session is counted. */
  cost: doublePrecision(),
  title: text().notNull(),
  firstMessage: text("first_message"),
  outcome: text().$type<SessionOutcome>(),
  /** See `Descent` in core. */
  relation: text().$type<SessionRelation>(),
  parentReference: text("parent_reference"),
  origin: text(),
  parentKey: bigint("parent_key", { mode: "number" }),
  folded: boolean().notNull().default(false),
  summary: text().notNull(),
  readBytes: whole("read_bytes"),
  endsInLf: boolean("ends_in_lf").notNull(),
  fingerprint: text().notNull(),
  entryCount: integer("entry_count").notNull(),
  indexedCount: integer("indexed_count").notNull().default(0),
  removedAt: timestamp("removed_at", { withTimezone: true }),
  /** `null`: private. */
  sharedProjectId: uuid("shared_project_id"),
});

export const outlineChunks = pgTable("outline_chunks", {
  sessionKey: sessionKey(),
  place: integer().notNull(),
  entries: bytea().notNull(),
});

export const activityChunks = pgTable("activity_chunks", {
  sessionKey: sessionKey(),
  place: integer().notNull(),
  entries: integer().notNull(),
  rollup: bytea().notNull(),
  details: bytea().notNull(),
});

export const changes = pgTable("changes", {
  sequence: whole("sequence"),
  kind: text({ enum: ["added", "changed", "removed"] }).notNull(),
  sessionKey: sessionKey(),
  path: text().notNull(),
  at: timestamp({ withTimezone: true }).notNull().default(sql`now()`),
});
