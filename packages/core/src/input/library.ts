import * as v from "valibot";
import { MAX_FIND_LENGTH } from "../search/find-pattern.ts";
import {
  cursor,
  identifier,
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
  format: optional(sessionFormat),
  since: optional(time),
  until: optional(time),
  sort: v.nullish(v.picklist(["modified", "created", "size", "messages", "cost", "title"]), "modified"),
  order: v.nullish(v.picklist(["asc", "desc"]), "desc"),
  limit: v.nullish(wholeNumber(1, 500), 50),
  cursor: optional(cursor),
});

export const searchInput = v.strictObject({
  query: text(1_000),
  role,
  project: optional(path),
  since: optional(time),
  until: optional(time),
  tag_ids: optional(tagIds),
  format: optional(sessionFormat),
  path: optional(v.pipe(path, v.description("Search only this session and return all of its hits."))),
  sort: v.nullish(v.picklist(["relevance", "newest"]), "relevance"),
  limit: v.nullish(wholeNumber(1, 200), 20),
  cursor: optional(cursor),
  per_session: v.nullish(wholeNumber(1, 200), 3),
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

export const deleteInput = v.strictObject({ path, force: v.nullish(v.boolean(), false) });

export const forkInput = v.strictObject({ path, entry_id: optional(identifier) });

export const exportFormats = ["html", "markdown", "json"] as const;

/** Downloads may also contain the session files themselves. */
export const downloadFormats = [...exportFormats, "jsonl"] as const;

/** Selection of content to export. */
const selection = {
  include_thinking: v.nullish(v.boolean(), true),
  include_tools: v.nullish(v.boolean(), true),
};

/** Export options for one or several sessions. */
const exportManner = {
  ...selection,
  redact: v.nullish(v.boolean(), false),
  theme: v.nullish(v.picklist(["system", "light", "dark"]), "system"),
};

/** Export options for one session, besides the format. */
export const exportFields = { path, leaf_id: optional(identifier), ...exportManner };

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

export const redactionsInput = v.strictObject({ path, leaf_id: optional(identifier), ...selection });

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
