import { noteInput, notesInput } from "@sm/core/input";
import { MEBIBYTE } from "../answer-budget.ts";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { SESSION } from "./example-values.ts";

const command = commandUsing<"sessions">();

const note = v.strictObject({
  path: v.string(),
  entry_id: v.pipe(v.nullable(v.string()), v.description("null for the session itself.")),
  text: v.string(),
  updated_at: v.string(),
});

export const noteCommands = {
  set_note: command({
    summary: "Writes a note on a session or one of its entries, in place of the one before; an empty text removes it.",
    access: "write",
    input: noteInput,
    example: { path: SESSION, text: "Has the fix for the flaky test." },
    output: v.nullable(note),
    run: ({ path, entry_id, text }, { sessions }) => sessions.setNote(path, entry_id ?? null, text),
  }),

  list_notes: command({
    summary: "Lists the notes of a session or of all sessions, newest first.",
    access: "read",
    input: notesInput,
    example: { path: SESSION },
    output: v.array(note),
    answerBytes: MEBIBYTE,
    run: ({ path }, { sessions }) => sessions.notes(path ?? null),
  }),
};
