import * as v from "valibot";
import { command } from "../command.ts";

export const directoryCommands = {
  get_all_session_dirs: command({
    summary: "Lists the directories that are scanned for sessions.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(v.string()),
    run: (_input, { sessions }) => sessions.directories(),
  }),
};
