import * as v from "valibot";
import { command } from "../command.ts";
import { cursor, optional, path, tagIds, text, time, wholeNumber } from "../schema/fields.ts";
import { searchPage } from "../schema/search-page.ts";
import { sessionFormat } from "../schema/session-record.ts";

export const searchCommands = {
  search: command({
    summary: "Searches the text of all sessions.",
    access: "read",
    input: v.strictObject({
      query: text(1_000),
      role: v.nullish(v.picklist(["all", "user", "assistant", "tool"]), "all"),
      project: optional(path),
      since: optional(time),
      until: optional(time),
      tag_ids: optional(tagIds),
      format: optional(sessionFormat),
      path: optional(v.pipe(path, v.description("Only this session, of which all hits are given."))),
      sort: v.nullish(v.picklist(["relevance", "newest"]), "relevance"),
      limit: v.nullish(wholeNumber(1, 200), 20),
      cursor: optional(cursor),
      per_session: v.nullish(wholeNumber(1, 200), 3),
    }),
    output: searchPage,
    run: (input, { sessions }) => sessions.search(input),
  }),
};
