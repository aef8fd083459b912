import * as v from "valibot";
import { command } from "../command.ts";
import { path } from "../schema/fields.ts";

export const configurationCommands = {
  get_session_paths: command({
    summary: "Lists the directories of sessions that the user has added to the default ones.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(v.string()),
    run: (_input, { configuration }) => configuration.sessionPaths(),
  }),

  save_session_paths: command({
    summary: "Replaces the directories of sessions that the user has added to the default ones.",
    access: "write",
    input: v.strictObject({ paths: v.pipe(v.array(path), v.maxLength(100, "At most 100 paths.")) }),
    output: v.array(v.string()),
    run: (input, { configuration }) => configuration.saveSessionPaths(input.paths),
  }),
};
