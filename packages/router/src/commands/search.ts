import { namedFilesInput, searchInput } from "@sm/core/input";
import { MEBIBYTE } from "../answer-budget.ts";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { searchPage } from "../schema/search-page.ts";

const command = commandUsing<"sessions">();

export const searchCommands = {
  search: command({
    summary: "Searches the text of all sessions.",
    access: "read",
    input: searchInput,
    example: { query: '"event stream" watchdog', role: "user" },
    output: searchPage,
    answerBytes: MEBIBYTE,
    run: (input, { sessions }, { requester }) => sessions.search(input, requester),
  }),

  list_file_names: command({
    summary: "Lists names of files in tool calls that begin like a text, those of the most sessions first.",
    access: "read",
    input: namedFilesInput,
    example: { prefix: "src/ap" },
    output: v.array(
      v.strictObject({
        name: v.pipe(v.string(), v.description("For `file:` in a query; in lower case.")),
        session_count: v.pipe(
          v.nullable(v.number()),
          v.description(
            "Without archived sessions; null if so many names begin like this that not all were looked at.",
          ),
        ),
      }),
    ),
    run: (input, { sessions }, { requester }) => sessions.namedFiles(input, requester),
  }),
};
