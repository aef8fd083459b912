import { restoreInput, sessionFormat, sessionInput, vaultLimitsInput } from "@sm/core/input";
import { MEBIBYTE } from "../answer-budget.ts";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { sessionRecord } from "../schema/session-record.ts";
import { RESTORED_SESSION, SESSION } from "./example-values.ts";

const command = commandUsing<"vault">();

const time = v.nullable(v.string());

export const vaultCommands = {
  get_vault_status: command({
    summary: "Tells what the vault keeps, and what keeps it from its work.",
    access: "read",
    input: v.strictObject({}),
    output: v.strictObject({
      enabled: v.boolean(),
      exclude_formats: v.pipe(v.array(sessionFormat), v.description("Formats that are not kept.")),
      exclude_projects: v.pipe(v.array(v.string()), v.description("Directories whose sessions are not kept.")),
      sessions: v.pipe(v.number(), v.description("Without deleted ones.")),
      only_here: v.pipe(v.number(), v.description("Those whose files are gone.")),
      pending: v.pipe(v.number(), v.description("Sessions that are still to be kept.")),
      bytes: v.pipe(v.number(), v.description("Size of the vault on disk.")),
      original_bytes: v.pipe(v.number(), v.description("Size of all that is kept, before compression.")),
      oldest_at: v.pipe(time, v.description("Since when the oldest of it is kept; null if the vault is empty.")),
      problems: v.array(v.string()),
    }),
    run: (_input, { vault }) => vault.status(),
  }),

  preview_vault_limits: command({
    summary: "Tells what limits of the vault would remove at once, and removes nothing.",
    access: "read",
    input: vaultLimitsInput,
    example: { max_bytes: 1_000_000_000 },
    output: v.strictObject({
      sessions: v.number(),
      generations: v.pipe(v.number(), v.description("Of sessions and of what belongs to them, earlier ones too.")),
      bytes: v.pipe(v.number(), v.description("By which the vault would become smaller.")),
    }),
    run: ({ max_bytes: maxBytes, deleted_days: deletedDays, replaced_days: replacedDays }, { vault }) =>
      vault.previewLimits({
        ...(maxBytes !== undefined && { maxBytes }),
        ...(deletedDays !== undefined && { deletedDays }),
        ...(replacedDays !== undefined && { replacedDays }),
      }),
  }),

  list_generations: command({
    summary: "Lists the states of a session's file that the vault keeps, newest first.",
    access: "read",
    input: sessionInput,
    example: { path: SESSION },
    output: v.array(
      v.strictObject({
        generation: v.pipe(v.number(), v.description("For restore_session.")),
        size_bytes: v.number(),
        started_at: v.pipe(v.string(), v.description("When it was first kept.")),
        kept_at: v.pipe(v.string(), v.description("When the last of it was kept.")),
        replaced_at: v.pipe(time, v.description("When other content took its place; null for the newest.")),
      }),
    ),
    answerBytes: MEBIBYTE,
    run: ({ path }, { vault }) => vault.generations(path),
  }),

  restore_session: command({
    summary: "Writes a session's file again from the vault, with what belongs to it, and never over another file.",
    access: "write",
    input: restoreInput,
    example: { path: SESSION, to: RESTORED_SESSION },
    output: sessionRecord,
    run: (input, { vault }) => vault.restore(input),
  }),

  forget_session: command({
    summary: "Removes a session from the vault at once and for good; its file, if there is one, stays as it is.",
    access: "write",
    input: sessionInput,
    example: { path: SESSION },
    output: v.strictObject({ path: v.string(), forgotten: v.literal(true) }),
    run: ({ path }, { vault }) => vault.forget(path),
  }),

  list_deleted_sessions: command({
    summary: "Lists deleted sessions that can be brought back from the vault or the trash, last deleted first.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(
      v.strictObject({
        path: v.string(),
        id: v.nullable(v.string()),
        format: v.nullable(sessionFormat),
        title: v.string(),
        size_bytes: v.number(),
        deleted_at: v.string(),
        expires_at: v.pipe(time, v.description("When it goes for good; null in the trash, which does not say.")),
        source: v.pipe(v.picklist(["vault", "trash"]), v.description("Where it is.")),
      }),
    ),
    answerBytes: MEBIBYTE,
    run: (_input, { vault }) => vault.deleted(),
  }),

  undelete_session: command({
    summary: "Brings a deleted session back to its place.",
    access: "write",
    input: sessionInput,
    example: { path: SESSION },
    output: sessionRecord,
    run: ({ path }, { vault }) => vault.undelete(path),
  }),

  verify_vault: command({
    summary:
      "Reads the whole vault, and takes what is damaged again from files that have it; vault-verification events tell the progress.",
    access: "write",
    timeLimit: "none",
    input: v.strictObject({}),
    output: v.strictObject({
      checked: v.pipe(v.number(), v.description("Parts that were read.")),
      damaged: v.array(
        v.strictObject({
          path: v.pipe(v.string(), v.description("Of the session, or of a file that belongs to one.")),
          is_repaired: v.boolean(),
        }),
      ),
    }),
    run: (_input, { vault }, { requester }) => vault.verify(undefined, requester.signal),
  }),
};
