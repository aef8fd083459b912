import { path } from "@sm/core/input";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { SESSION } from "./example-values.ts";

const command = commandUsing<"sessions">();

export const favoriteCommands = {
  list_favorites: command({
    summary: "Lists the paths of favorite sessions, most recently added first.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(v.string()),
    run: (_input, { sessions }) => sessions.favorites(),
  }),

  toggle_favorite: command({
    summary: "Adds a session to the favorites or removes it.",
    access: "write",
    input: v.strictObject({ path }),
    example: { path: SESSION },
    output: v.strictObject({ path: v.string(), is_favorite: v.boolean() }),
    run: (input, { sessions }) => sessions.toggleFavorite(input.path),
  }),
};
