import * as v from "valibot";
import { MAX_WORD_LENGTH, MAX_WORDS, MAX_WORDS_LENGTH, MIN_WORD_LENGTH } from "../export/redact/word-list.ts";
import { MAX_FIND_LENGTH } from "../search/find-pattern.ts";
import {
  cursor,
  identifier,
  MAX_PATH_LENGTH,
  optional,
  path,
  sessionFormat,
  sessionName,
  tagColor,
  tagIds,
  tagName,
  text,
  time,
  timeZone,
  wholeNumber,
} from "./fields.ts";

// Input schemas of a library's methods, with defaults and limits, shared with the commands that call them.

const archived = v.pipe(
  v.nullish(v.picklist(["exclude", "include", "only"]), "exclude"),
  v.description("By default, archived sessions and their subagents are left out."),
);

const owner = optional(
  v.pipe(
    text(256),
    v.description("Name of a user: only sessions of theirs. Where there is no hub, nothing is found with it."),
  ),
);

const role = v.nullish(v.picklist(["all", "user", "assistant", "tool"]), "all");

export const listInput = v.strictObject({
  query: optional(v.pipe(v.string(), v.maxLength(1_000, "At most 1000 characters."))),
  project: optional(path),
  tag_ids: optional(tagIds),
  favorites_only: optional(v.boolean()),
  subagents: v.pipe(
    v.nullish(v.picklist(["folded", "all"]), "folded"),
    v.description("By default, subagents whose parent is in the library are left out."),
  ),
  parent_path: optional(v.pipe(path, v.description("Only the subagents that this session has started."))),
  archived,
  format: optional(sessionFormat),
  owner,
  since: optional(time),
  until: optional(time),
  sort: v.nullish(v.picklist(["modified", "created", "size", "messages", "cost", "title"]), "modified"),
  order: v.nullish(v.picklist(["asc", "desc"]), "desc"),
  limit: v.nullish(wholeNumber(1, 500), 50),
  cursor: optional(cursor),
  with_total_size: v.pipe(v.nullish(v.boolean(), false), v.description("Adds up the sizes of all pages.")),
});

export const searchInput = v.strictObject({
  query: text(1_000),
  role,
  project: optional(path),
  since: optional(time),
  until: optional(time),
  tag_ids: optional(tagIds),
  format: optional(sessionFormat),
  owner,
  path: optional(v.pipe(path, v.description("Search only this session, archived or not, and return all of its hits."))),
  archived,
  sort: v.nullish(v.picklist(["relevance", "newest"]), "relevance"),
  limit: v.nullish(wholeNumber(1, 200), 20),
  cursor: optional(cursor),
  per_session: v.nullish(wholeNumber(1, 200), 3),
});

export const namedFilesInput = v.strictObject({
  prefix: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(2, "At least two characters."),
    v.maxLength(200, "At most 200 characters."),
    v.description("How the name begins, in any case. Folders may be before it: `src/ap`."),
  ),
  limit: v.nullish(wholeNumber(1, 100), 10),
});

const endOfRange = v.pipe(
  time,
  v.description(
    "With `since` or `until`, counts only messages in that time, and sessions with at least one message of their own in it.",
  ),
);

export const statisticsInput = v.strictObject({
  since: optional(endOfRange),
  until: optional(endOfRange),
  project: optional(path),
  format: optional(sessionFormat),
  owner,
  stack_by: optional(
    v.pipe(
      v.picklist(["project", "model", "format"]),
      v.description("Adds `stacks`: the days of each project, model or agent."),
    ),
  ),
  time_zone: optional(timeZone),
});

export const entriesInput = v.strictObject({
  path,
  leaf_id: optional(identifier),
  before: optional(identifier),
  after: optional(identifier),
  limit: v.nullish(wholeNumber(1, 1_000), 200),
});

export const toolOutputInput = v.strictObject({ path, entry_id: identifier });

export const changesInput = v.strictObject({
  path,
  leaf_id: optional(identifier),
  files: v.pipe(
    optional(v.pipe(v.array(text(MAX_PATH_LENGTH)), v.maxLength(1_000, "At most 1,000 files."))),
    v.description("Files whose diffs are wanted, by their path in the answer; of all by default."),
  ),
});

export const changeSumsInput = v.strictObject({
  paths: v.pipe(v.array(path), v.nonEmpty("Must not be empty."), v.maxLength(100, "At most 100 paths.")),
});

export const findInput = v.strictObject({
  path,
  query: text(MAX_FIND_LENGTH),
  leaf_id: optional(identifier),
  role,
  limit: v.nullish(wholeNumber(1, 1_000), 200),
  cursor: optional(cursor),
});

export const sessionInput = v.strictObject({ path });

export const renameInput = v.strictObject({ path, name: sessionName });

/** Sessions to archive, or to take back. */
export const archivedSessionsInput = v.strictObject({
  paths: v.pipe(v.array(path), v.nonEmpty("Must not be empty."), v.maxLength(1_000, "At most 1000 paths.")),
});

const MAX_NOTE_LENGTH = 20_000;

export const noteText = v.pipe(
  v.string(),
  v.maxLength(MAX_NOTE_LENGTH, `At most ${MAX_NOTE_LENGTH} characters; keep the rest in a file or in other notes.`),
);

export const noteInput = v.strictObject({
  path,
  entry_id: optional(v.pipe(identifier, v.description("Default: the session itself."))),
  text: v.pipe(noteText, v.description("Markdown; empty to remove the note.")),
});

export const notesInput = v.strictObject({
  path: optional(v.pipe(path, v.description("Only the notes of this session."))),
});

export const bookmarkInput = v.strictObject({
  path,
  entry_id: identifier,
  bookmarked: v.boolean(),
  label: optional(
    v.pipe(
      sessionName,
      v.description(
        "Labels the entry in the session's file, as pi does, and takes the label away if it is empty; default: the file stays as it is.",
      ),
    ),
  ),
});

export const bookmarksInput = v.strictObject({
  path: optional(v.pipe(path, v.description("Only those of this session, with the labels that its agent has stored."))),
});

export const deleteInput = v.strictObject({ path, force: v.nullish(v.boolean(), false) });

const days = wholeNumber(0, 36_500);

/** Limits of the vault, as in `session-manager.json`; what is left out is as in force. */
export const vaultLimitsInput = v.strictObject({
  max_bytes: v.optional(
    v.pipe(v.nullable(wholeNumber(1, Number.MAX_SAFE_INTEGER)), v.description("null for no limit.")),
  ),
  deleted_days: v.optional(days),
  replaced_days: v.optional(days),
});

/** Where a session is written again, and which state of its file. */
export const restoreInput = v.strictObject({
  path,
  to: optional(v.pipe(path, v.description("A new file in a session directory; default: the session's own place."))),
  generation: optional(
    v.pipe(
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
      v.description("An earlier state, of list_generations; default: the newest."),
    ),
  ),
});

export const forkInput = v.strictObject({ path, entry_id: optional(identifier) });

const WORD = `Must have ${MIN_WORD_LENGTH} to ${MAX_WORD_LENGTH} characters.`;

/** Words to replace in what others read. */
const ownWords = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      v.trim(),
      v.minLength(MIN_WORD_LENGTH, WORD),
      v.maxLength(MAX_WORD_LENGTH, WORD),
      v.check((word) => /[\p{L}\p{N}]/u.test(word), "Must have a letter or a digit."),
    ),
  ),
  v.maxLength(MAX_WORDS, `At most ${MAX_WORDS} words.`),
  v.check(
    (words) => words.join("").length <= MAX_WORDS_LENGTH,
    `At most ${MAX_WORDS_LENGTH} characters in all words together.`,
  ),
);

export const conversionInput = v.strictObject({
  path,
  to: v.pipe(sessionFormat, v.description("Agent that goes on: pi gets a new session, others a brief to begin with.")),
  entry_id: optional(identifier),
  redact_words: optional(
    v.pipe(ownWords, v.description("Words and phrases that are replaced in a brief besides secrets; not for pi.")),
  ),
});

export const exportFormats = ["html", "markdown", "json"] as const;

/** Downloads may also contain the session files themselves. */
export const downloadFormats = [...exportFormats, "jsonl"] as const;

/** Selection of content to export. */
const selection = {
  include_thinking: v.nullish(v.boolean(), true),
  include_tools: v.nullish(v.boolean(), true),
  include_notes: optional(
    v.pipe(
      v.boolean(),
      v.description("Adds the user's notes and bookmarks; by default they are left out, since they are private."),
    ),
  ),
};

const theme = v.nullish(v.picklist(["system", "light", "dark"]), "system");

const redactWords = optional(
  v.pipe(
    ownWords,
    v.description(
      "Words and phrases that are replaced besides secrets: whole words in any case, as literal text. Implies `redact`.",
    ),
  ),
);

/** Export options for one or several sessions. */
const exportManner = {
  ...selection,
  redact: v.nullish(v.boolean(), false),
  redact_words: redactWords,
  theme,
};

const withSubagents = v.pipe(
  v.nullish(v.boolean(), false),
  v.description("Adds the transcripts of the session's subagents behind its own, in the same document."),
);

/** Export options for one session, besides the format. */
export const exportFields = {
  path,
  leaf_id: optional(identifier),
  ...exportManner,
  include_subagents: withSubagents,
};

/** Options of a page that is shared: those of an export as HTML, which is always redacted. */
export const sharedPageFields = {
  path,
  leaf_id: optional(identifier),
  ...selection,
  redact_words: redactWords,
  theme,
  include_subagents: withSubagents,
};

export const exportInput = v.strictObject({ ...exportFields, format: v.picklist(exportFormats) });

/** Byte range of a download. */
const byteRange = {
  offset: optional(
    v.pipe(wholeNumber(0, Number.MAX_SAFE_INTEGER), v.description("Offset of the first byte, with format jsonl.")),
  ),
  length: optional(
    v.pipe(wholeNumber(1, Number.MAX_SAFE_INTEGER), v.description("Number of bytes, with format jsonl.")),
  ),
};

/** Download options for one session, besides the format. */
export const downloadFields = { ...exportFields, ...byteRange };

export const exportStreamInput = v.strictObject({ ...downloadFields, format: v.picklist(downloadFormats) });

export const archiveInput = v.strictObject({
  paths: v.pipe(v.array(path), v.nonEmpty("Must not be empty."), v.maxLength(10_000, "At most 10000 paths.")),
  format: v.picklist(downloadFormats),
  ...exportManner,
  include_subagents: v.pipe(
    v.nullish(v.boolean(), false),
    v.description("Adds the subagents of each session, in a folder with the name of its file."),
  ),
});

export const redactionsInput = v.strictObject({
  path,
  leaf_id: optional(identifier),
  ...selection,
  redact_words: redactWords,
  include_subagents: optional(
    v.pipe(v.boolean(), v.description("Looks through the transcripts of its subagents, too.")),
  ),
});

export const createTagInput = v.strictObject({
  name: tagName,
  color: tagColor,
  parent_id: v.nullish(identifier, null),
});

export const updateTagInput = v.strictObject({
  id: identifier,
  name: optional(tagName),
  color: optional(tagColor),
  // `null` means the top level.
  parent_id: v.optional(v.nullable(identifier)),
});
