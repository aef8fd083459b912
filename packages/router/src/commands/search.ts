import { searchInput } from "@sm/core/input";
import { MEBIBYTE } from "../answer-budget.ts";
import { commandUsing } from "../command.ts";
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
};
