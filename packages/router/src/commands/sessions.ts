import { SESSION_FORMATS } from "@sm/core";
import { conversionInput, deleteInput, forkInput, listInput, path, renameInput, sessionInput } from "@sm/core/input";
import { MEBIBYTE } from "../answer-budget.ts";
import { commandUsing } from "../command.ts";
import { JsonText } from "../json-text.ts";
import { errorSchema } from "../schema/error.ts";
import * as v from "../schema/json.ts";
import { sessionRecord } from "../schema/session-record.ts";
import { SESSION } from "./example-values.ts";

const command = commandUsing<"sessions">();

const companions = v.pipe(
  v.number(),
  v.description("Files that belong to the session besides its own, those of its subagents among them."),
);

const deletedSession = v.strictObject({
  path: v.string(),
  method: v.picklist(["trash", "permanent", "vault"]),
  companions,
  left_behind: v.pipe(
    v.array(v.string()),
    v.description("Files and folders that belong to the session and could not be deleted."),
  ),
});

const failedDeletion = v.strictObject({ path: v.string(), error: errorSchema });

export const sessionCommands = {
  scan_sessions: command({
    summary: "Rescans the session directories and lists all sessions, newest first.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(sessionRecord),
    // Pages are made ahead.
    answerBytes: MEBIBYTE,
    run: async (_input, { sessions }, { requester }) => new JsonText(await sessions.scanJson(requester)),
  }),

  list_sessions: command({
    summary: "Lists the known sessions page by page, without waiting for a scan.",
    access: "read",
    input: listInput,
    example: { sort: "cost", limit: 10 },
    output: v.strictObject({
      sessions: v.array(sessionRecord),
      next_cursor: v.nullable(v.string()),
      total: v.number(),
      total_size_bytes: v.pipe(
        v.nullable(v.number()),
        v.description("Of the files of all pages; null without with_total_size."),
      ),
      pending: v.number(),
    }),
    answerBytes: 2 * MEBIBYTE,
    run: (input, { sessions }) => sessions.list(input),
  }),

  rename_session: command({
    summary: "Renames a session; an empty name removes the name.",
    access: "write",
    input: renameInput,
    example: { path: SESSION, name: "A better name" },
    output: sessionRecord,
    run: (input, { sessions }, { requester }) => sessions.rename(input.path, input.name, requester),
  }),

  preview_deletion: command({
    summary: "Tells what deleting a session takes along.",
    access: "read",
    input: sessionInput,
    example: { path: SESSION },
    output: v.strictObject({
      path: v.string(),
      companions,
      subagents: v.pipe(v.number(), v.description("How many of these files are sessions of its subagents.")),
      companion_bytes: v.pipe(v.number(), v.description("Size of these files.")),
    }),
    run: (input, { sessions }) => sessions.previewDeletion(input.path),
  }),

  delete_session: command({
    summary: "Moves a session and what belongs to it to the trash, or deletes both permanently if there is no trash.",
    access: "write",
    input: deleteInput,
    example: { path: SESSION },
    output: deletedSession,
    run: (input, { sessions }) => sessions.delete(input.path, { force: input.force }),
  }),

  delete_sessions: command({
    summary: "Deletes several sessions and reports which could not be deleted.",
    access: "write",
    input: v.strictObject({
      paths: v.pipe(v.array(path), v.nonEmpty("Must not be empty."), v.maxLength(1_000, "At most 1000 paths.")),
    }),
    example: { paths: [SESSION] },
    output: v.strictObject({
      deleted: v.array(deletedSession),
      failed: v.array(failedDeletion),
    }),
    async run(input, { sessions }, { describe }) {
      // Subagents go with their parents, whose paths are shorter.
      const places = input.paths.map((path, place) => ({ path, place })).sort((a, b) => b.path.length - a.path.length);
      const outcomes: (v.InferOutput<typeof deletedSession> | v.InferOutput<typeof failedDeletion>)[] = [];
      for (const { path, place } of places) {
        try {
          outcomes[place] = await sessions.delete(path, { force: false });
        } catch (error) {
          outcomes[place] = { path, error: describe(error) };
        }
      }
      const deleted = outcomes.flatMap((outcome) => ("error" in outcome ? [] : [outcome]));
      const failed = outcomes.flatMap((outcome) => ("error" in outcome ? [outcome] : []));
      return { deleted, failed };
    },
  }),

  fork_session: command({
    summary: "Copies one branch of a session into a new session.",
    access: "write",
    input: forkInput,
    example: { path: SESSION },
    output: sessionRecord,
    run: (input, { sessions }, { requester }) => sessions.fork(input.path, input.entry_id ?? null, requester),
  }),

  convert_session: command({
    summary: "Hands a branch of a session over: to pi as a new session, to another agent as a brief.",
    access: "write",
    input: conversionInput,
    example: { path: SESSION, to: "codex" },
    output: v.strictObject({
      to: v.picklist(SESSION_FORMATS),
      session: v.pipe(v.nullable(sessionRecord), v.description("The new session of pi; null for other agents.")),
      brief: v.pipe(v.nullable(v.string()), v.description("Markdown with secrets replaced; null for pi.")),
      brief_path: v.pipe(v.nullable(v.string()), v.description("A file of the service with the brief, for a week.")),
      command: v.pipe(
        v.nullable(v.string()),
        v.description("Goes on with the work, in a POSIX shell on the machine of the service."),
      ),
    }),
    run: (input, { sessions }, { requester }) => sessions.convert(input, requester),
  }),
};
