import { sql } from "drizzle-orm";
import { bigint, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytea } from "../database/bytea.ts";

// The columns that queries name. Keys, policies and what else holds between the rows is in the steps of the schema
// (`database/migrations`); that both have the same columns is tested. `user_id` is filled in and compared by
// PostgreSQL; a query names it only where an index would not be used otherwise.

/** Grows with each row and so gives their order, whatever the clock says. */
const sequence = () => bigint({ mode: "number" }).generatedAlwaysAsIdentity();
const sessionKey = () => bigint("session_key", { mode: "number" }).notNull();

export const users = pgTable("users", {
  id: uuid().notNull().defaultRandom(),
  name: text().notNull(),
  role: text({ enum: ["owner", "member", "reader"] }).notNull(),
  stateVersion: bigint("state_version", { mode: "number" }).notNull().default(0),
});

export const tags = pgTable("tags", {
  id: text().notNull(),
  name: text().notNull(),
  color: text().notNull(),
  parentId: text("parent_id"),
});

export const markedSessions = pgTable("marked_sessions", {
  key: bigint({ mode: "number" }).generatedAlwaysAsIdentity(),
  path: text().notNull(),
  sessionId: text("session_id").notNull(),
});

export const sessionTags = pgTable("session_tags", {
  sequence: sequence(),
  sessionKey: sessionKey(),
  tagId: text("tag_id").notNull(),
});

export const favorites = pgTable("favorites", { sequence: sequence(), sessionKey: sessionKey() });

export const sessionNames = pgTable("session_names", {
  sequence: sequence(),
  sessionKey: sessionKey(),
  name: text().notNull(),
});

export const archivedSessions = pgTable("archived_sessions", {
  sequence: sequence(),
  sessionKey: sessionKey(),
  archivedAt: text("archived_at").notNull(),
});

export const notes = pgTable("notes", {
  sequence: sequence(),
  sessionKey: sessionKey(),
  /** `null` for the note on the session. */
  entryId: text("entry_id"),
  text: text().notNull(),
  updatedAt: text("updated_at").notNull(),
});

export const bookmarks = pgTable("bookmarks", {
  sequence: sequence(),
  sessionKey: sessionKey(),
  entryId: text("entry_id").notNull(),
  createdAt: text("created_at").notNull(),
});

export const configVersions = pgTable("config_versions", {
  sequence: sequence(),
  id: uuid().notNull(),
  createdAt: text("created_at").notNull(),
  origin: text().notNull(),
  sha256: text().notNull(),
  bundle: text().notNull(),
});

export const configValues = pgTable("config_values", { value: text().notNull() });

export const tokens = pgTable("tokens", {
  sequence: sequence(),
  userId: uuid("user_id").notNull().default(sql`own_user_id()`),
  id: uuid().notNull().defaultRandom(),
  name: text().notNull(),
  scope: text({ enum: ["full", "read"] }).notNull(),
  hash: bytea().notNull(),
  hint: text().notNull(),
  createdAt: text("created_at").notNull(),
  lastUsedAt: text("last_used_at"),
  expiresAt: text("expires_at"),
});

const moment = (name: string) => timestamp(name, { withTimezone: true }).notNull().defaultNow();

export const userIdentities = pgTable("user_identities", {
  issuer: text().notNull(),
  subject: text().notNull(),
  userId: uuid("user_id").notNull(),
  lastSignInAt: moment("last_sign_in_at"),
});

export const signIns = pgTable("sign_ins", {
  tokenId: uuid("token_id").notNull(),
  userId: uuid("user_id").notNull(),
  idToken: text("id_token"),
});

export const takenSignIns = pgTable("taken_sign_ins", {
  stateHash: bytea("state_hash").notNull(),
  takenAt: moment("taken_at"),
});

export const hubSecrets = pgTable("hub_secrets", { name: text().notNull(), secret: bytea().notNull() });
