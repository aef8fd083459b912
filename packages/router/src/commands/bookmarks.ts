import { bookmarkInput, bookmarksInput } from "@sm/core/input";
import { MEBIBYTE } from "../answer-budget.ts";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { SESSION } from "./example-values.ts";

const command = commandUsing<"sessions">();

export const bookmarkCommands = {
  set_bookmark: command({
    summary: "Sets a bookmark on an entry of a session or removes it; only a label is written into the session's file.",
    access: "write",
    input: bookmarkInput,
    example: { path: SESSION, entry_id: "1f2e3d4c", bookmarked: true },
    output: v.strictObject({ path: v.string(), entry_id: v.string(), bookmarked: v.boolean() }),
    run: ({ path, entry_id, bookmarked, label }, { sessions }) =>
      sessions.setBookmark(path, entry_id, bookmarked, label),
  }),

  list_bookmarks: command({
    summary:
      "Lists the bookmarks of a session, with the labels of its agent, or the newest 5,000 of all, newest first.",
    access: "read",
    input: bookmarksInput,
    example: { path: SESSION },
    output: v.array(
      v.strictObject({
        path: v.string(),
        entry_id: v.string(),
        label: v.pipe(v.nullable(v.string()), v.description("The label that the agent has stored for the entry.")),
        created_at: v.pipe(v.nullable(v.string()), v.description("null if it is only labelled by the agent.")),
      }),
    ),
    answerBytes: MEBIBYTE,
    run: ({ path }, { sessions }) => sessions.bookmarks(path ?? null),
  }),
};
