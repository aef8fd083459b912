import { changeSumsInput, changesInput, entriesInput, findInput, sessionInput, toolOutputInput } from "@sm/core/input";
import { MEBIBYTE, OPEN_SESSION_BYTES, PIECEWISE_BYTES } from "../answer-budget.ts";
import { commandUsing } from "../command.ts";
import { JsonText, jsonString } from "../json-text.ts";
import * as v from "../schema/json.ts";
import { transcriptItem, treeEntry } from "../schema/transcript.ts";
import { SESSION } from "./example-values.ts";

const command = commandUsing<"sessions">();

/** Entries, a header and lists of IDs, each with its own limit. */
const MAX_PAGE_BYTES = 16 * MEBIBYTE;

/** An entry or header of a session, as stored. */
const storedObject = v.record(v.string(), v.unknown());

/** What a page says besides its entries: `BranchPage` of the core. */
const branchPage = {
  leaf_id: v.nullable(v.string()),
  leaves: v.array(v.string()),
  labels: v.record(v.string(), v.string()),
  total: v.number(),
  has_more_before: v.boolean(),
  has_more_after: v.boolean(),
  truncated_entries: v.pipe(
    v.array(
      v.strictObject({
        entry_id: v.pipe(v.nullable(v.string()), v.description("`null` for the header.")),
        offset: v.pipe(v.number(), v.description("Byte offset of the entry in the file.")),
        size_bytes: v.number(),
      }),
    ),
    v.description(
      "Entries of more than 8 MiB. Their long strings are shortened in this page; GET /api/export with " +
        "`format=jsonl`, `offset` and `length` (the `size_bytes` here) returns their full text.",
    ),
  ),
};

/** `ChangedFile` of the core. */
const changedFile = v.strictObject({
  path: v.pipe(v.string(), v.description("As the model gave it.")),
  moved_from: v.nullable(v.string()),
  action: v.pipe(
    v.picklist(["edited", "written", "deleted"]),
    v.description("`written` is new, or was replaced as a whole: agents do not record which."),
  ),
  added: v.pipe(v.number(), v.description("Lines of the merged diff.")),
  removed: v.number(),
  edits: v.pipe(
    v.array(
      v.strictObject({
        entry_id: v.string(),
        timestamp: v.nullable(v.string()),
        added: v.number(),
        removed: v.number(),
      }),
    ),
    v.description("The calls, root to leaf, without those that failed."),
  ),
  diff: v.pipe(
    v.nullable(v.string()),
    v.description("Hunks of a unified diff, at most 1 MiB of a file and 4 MiB of all; `null` if not asked for."),
  ),
  truncated: v.boolean(),
});

export const transcriptCommands = {
  read_session_file: command({
    summary: "Reads the JSONL text of a session.",
    access: "read",
    input: sessionInput,
    example: { path: SESSION },
    output: v.string(),
    answerBytes: PIECEWISE_BYTES,
    run: async (input, { sessions }, { requester }) =>
      new JsonText(jsonString(await sessions.textStream(input.path, requester))),
  }),

  read_session_entries: command({
    summary: "Reads one branch of a session page by page, from root to leaf.",
    access: "read",
    input: entriesInput,
    example: { path: SESSION, limit: 50 },
    output: v.strictObject({
      header: v.nullable(storedObject),
      entries: v.array(storedObject),
      ...branchPage,
    }),
    answerBytes: MAX_PAGE_BYTES,
    async run(input, { sessions }, { requester }) {
      const page = await sessions.entriesJson(input, requester);
      return new JsonText([page], page.length);
    },
  }),

  read_transcript: command({
    summary: "Reads the same page as `read_session_entries`, independent of the format of the session.",
    access: "read",
    input: entriesInput,
    example: { path: SESSION, limit: 50 },
    output: v.strictObject({
      items: v.pipe(v.array(transcriptItem), v.description("Root to leaf, with the context edits of the branch.")),
      entries: v.pipe(v.array(treeEntry), v.description("The same entries as `read_session_tree` lists them.")),
      ...branchPage,
    }),
    // A diff can be in a page twice, as such and in what the tool has recorded.
    answerBytes: 2 * MAX_PAGE_BYTES,
    async run(input, { sessions }, { requester }) {
      const page = await sessions.transcriptJson(input, requester);
      return new JsonText([page], page.length);
    },
  }),

  read_tool_output: command({
    summary: "Reads the whole output of a tool, where the agent has moved it to a file of its own.",
    access: "read",
    input: toolOutputInput,
    example: { path: SESSION, entry_id: "1f2e3d4c" },
    output: v.strictObject({
      text: v.pipe(v.string(), v.description("At most its first 16 MiB.")),
      size_bytes: v.number(),
      complete: v.pipe(v.boolean(), v.description("Whether `text` is all of it.")),
    }),
    answerBytes: 2 * MAX_PAGE_BYTES,
    async run(input, { sessions }, { requester }) {
      const output = await sessions.toolOutputJson(input, requester);
      return new JsonText([output], output.length);
    },
  }),

  read_session_changes: command({
    summary: "Lists the files that one branch of a session has changed, with one merged diff for each.",
    access: "read",
    input: changesInput,
    example: { path: SESSION },
    output: v.strictObject({
      files: v.pipe(v.array(changedFile), v.description("In the order of their first change.")),
      added: v.number(),
      removed: v.number(),
      leaf_id: v.nullable(v.string()),
      complete: v.pipe(v.boolean(), v.description("Whether these are all; at most 1,000 files are listed.")),
    }),
    answerBytes: 2 * MAX_PAGE_BYTES,
    run: (input, { sessions }, { requester }) => sessions.changes(input, requester),
  }),

  list_change_sums: command({
    summary: "Counts the files and lines that the newest branch of each of these sessions has changed.",
    access: "read",
    input: changeSumsInput,
    example: { paths: [SESSION] },
    output: v.pipe(
      v.array(
        v.strictObject({
          path: v.string(),
          files: v.number(),
          added: v.pipe(v.number(), v.description("Lines, as `read_session_changes` adds them up.")),
          removed: v.number(),
          complete: v.boolean(),
        }),
      ),
      v.description("In the order of the paths, without those that are unknown or cannot be read."),
    ),
    run: (input, { sessions }, { requester }) => sessions.changeSums(input, requester),
  }),

  find_in_session: command({
    summary: "Searches one branch of a session, newest entries first, page by page.",
    access: "read",
    input: findInput,
    example: { path: SESSION, query: "watchdog" },
    output: v.strictObject({
      entries: v.array(v.strictObject({ entry_id: v.string(), place: v.number(), count: v.number() })),
      leaf_id: v.nullable(v.string()),
      total: v.number(),
      scanned: v.number(),
      next_cursor: v.nullable(v.string()),
    }),
    answerBytes: MEBIBYTE,
    run: (input, { sessions }, { requester }) => sessions.find(input, requester),
  }),

  read_session_tree: command({
    summary: "Lists all entries of a session with their parents and previews.",
    access: "read",
    input: sessionInput,
    example: { path: SESSION },
    output: v.array(treeEntry),
    answerBytes: OPEN_SESSION_BYTES,
    run: (input, { sessions }, { requester }) => sessions.readTree(input.path, requester),
  }),
};
