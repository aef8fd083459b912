import * as v from "valibot";
import { command } from "../command.ts";
import { errorSchema } from "../schema/error.ts";
import { cursor, identifier, optional, path, sessionName, tagIds, time, wholeNumber } from "../schema/fields.ts";
import { sessionFormat, sessionRecord } from "../schema/session-record.ts";

const deletedSession = v.strictObject({ path: v.string(), method: v.picklist(["trash", "permanent"]) });

export const sessionCommands = {
  scan_sessions: command({
    summary: "Compares the session directories with what is known and lists all sessions, newest first.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(sessionRecord),
    run: (_input, { sessions }) => sessions.scan(),
  }),

  list_sessions: command({
    summary: "Lists the sessions that are known, in pages, without waiting.",
    access: "read",
    input: v.strictObject({
      query: optional(v.pipe(v.string(), v.maxLength(1_000, "At most 1000 characters."))),
      project: optional(path),
      tag_ids: optional(tagIds),
      favorites_only: optional(v.boolean()),
      format: optional(sessionFormat),
      since: optional(time),
      until: optional(time),
      sort: v.nullish(v.picklist(["modified", "created", "size", "messages", "cost", "title"]), "modified"),
      order: v.nullish(v.picklist(["asc", "desc"]), "desc"),
      limit: v.nullish(wholeNumber(1, 500), 50),
      cursor: optional(cursor),
    }),
    output: v.strictObject({
      sessions: v.array(sessionRecord),
      next_cursor: v.nullable(v.string()),
      total: v.number(),
      pending: v.number(),
    }),
    run: (input, { sessions }) => sessions.list(input),
  }),

  rename_session: command({
    summary: "Names a session; an empty name clears it.",
    access: "write",
    input: v.strictObject({ path, name: sessionName }),
    output: sessionRecord,
    run: (input, { sessions }) => sessions.rename(input.path, input.name),
  }),

  delete_session: command({
    summary: "Moves a session to the trash, or deletes it for good where there is none.",
    access: "write",
    input: v.strictObject({ path, force: v.nullish(v.boolean(), false) }),
    output: deletedSession,
    run: (input, { sessions }) => sessions.delete(input.path, { force: input.force }),
  }),

  delete_sessions: command({
    summary: "Deletes several sessions and tells which could not be deleted.",
    access: "write",
    input: v.strictObject({
      paths: v.pipe(v.array(path), v.nonEmpty("Must not be empty."), v.maxLength(1_000, "At most 1000 paths.")),
    }),
    output: v.strictObject({
      deleted: v.array(deletedSession),
      failed: v.array(v.strictObject({ path: v.string(), error: errorSchema })),
    }),
    async run(input, { sessions }, describe) {
      const deleted = [];
      const failed = [];
      for (const path of input.paths) {
        try {
          deleted.push(await sessions.delete(path, { force: false }));
        } catch (error) {
          failed.push({ path, error: describe(error) });
        }
      }
      return { deleted, failed };
    },
  }),

  fork_session: command({
    summary: "Copies one branch of a session into a new session.",
    access: "write",
    input: v.strictObject({ path, entry_id: optional(identifier) }),
    output: sessionRecord,
    run: (input, { sessions }) => sessions.fork(input.path, input.entry_id ?? null),
  }),
};
