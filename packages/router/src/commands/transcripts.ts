import { LONGEST_FIND } from "@sm/core";
import * as v from "valibot";
import { command } from "../command.ts";
import { cursor, identifier, optional, path, text, wholeNumber } from "../schema/fields.ts";

/** An entry or header of a session, as stored. */
const storedObject = v.record(v.string(), v.unknown());

export const transcriptCommands = {
  read_session_file: command({
    summary: "Reads the JSONL text of a session.",
    access: "read",
    input: v.strictObject({ path }),
    output: v.string(),
    run: (input, { sessions }) => sessions.readText(input.path),
  }),

  read_session_entries: command({
    summary: "Reads one branch of a session, root to leaf, in pages.",
    access: "read",
    input: v.strictObject({
      path,
      leaf_id: optional(identifier),
      before: optional(identifier),
      after: optional(identifier),
      limit: v.nullish(wholeNumber(1, 1_000), 200),
    }),
    output: v.strictObject({
      header: v.nullable(storedObject),
      entries: v.array(storedObject),
      leaf_id: v.nullable(v.string()),
      leaves: v.array(v.string()),
      labels: v.record(v.string(), v.string()),
      total: v.number(),
      has_more_before: v.boolean(),
      has_more_after: v.boolean(),
    }),
    run: (input, { sessions }) => sessions.readEntries(input),
  }),

  find_in_session: command({
    summary: "Finds text in one branch of a session, the newest entries first, in pages.",
    access: "read",
    input: v.strictObject({
      path,
      query: text(LONGEST_FIND),
      leaf_id: optional(identifier),
      role: v.nullish(v.picklist(["all", "user", "assistant", "tool"]), "all"),
      limit: v.nullish(wholeNumber(1, 1_000), 200),
      cursor: optional(cursor),
    }),
    output: v.strictObject({
      entries: v.array(v.strictObject({ entry_id: v.string(), place: v.number(), count: v.number() })),
      leaf_id: v.nullable(v.string()),
      total: v.number(),
      scanned: v.number(),
      next_cursor: v.nullable(v.string()),
    }),
    run: (input, { sessions }) => sessions.find(input),
  }),

  read_session_tree: command({
    summary: "Lists every entry of a session with its parent and a preview.",
    access: "read",
    input: v.strictObject({ path }),
    output: v.array(
      v.strictObject({
        id: v.string(),
        parent_id: v.nullable(v.string()),
        type: v.string(),
        role: v.nullable(v.string()),
        preview: v.string(),
        timestamp: v.nullable(v.string()),
        label: v.nullable(v.string()),
      }),
    ),
    run: (input, { sessions }) => sessions.readTree(input.path),
  }),
};
