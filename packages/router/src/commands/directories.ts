import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";

const command = commandUsing<"sessions">();

export const directoryCommands = {
  get_all_session_dirs: command({
    summary: "Lists the directories that are scanned for sessions.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(v.string()),
    run: (_input, { sessions }) => sessions.directories(),
  }),
};
