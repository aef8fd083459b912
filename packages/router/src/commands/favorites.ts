import * as v from "valibot";
import { command } from "../command.ts";
import { path } from "../schema/fields.ts";

export const favoriteCommands = {
  list_favorites: command({
    summary: "Lists the paths of favorite sessions, the newest favorite first.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(v.string()),
    run: (_input, { sessions }) => sessions.favorites(),
  }),

  toggle_favorite: command({
    summary: "Makes a session a favorite, or no longer one.",
    access: "write",
    input: v.strictObject({ path }),
    output: v.strictObject({ path: v.string(), is_favorite: v.boolean() }),
    run: (input, { sessions }) => sessions.toggleFavorite(input.path),
  }),
};
