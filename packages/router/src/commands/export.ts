import * as v from "valibot";
import { command } from "../command.ts";
import { identifier, optional, path } from "../schema/fields.ts";

const exportFormats = ["html", "markdown", "json"] as const;

/** Downloads can be the session files themselves too. */
export const downloadFormats = [...exportFormats, "jsonl"] as const;

/** How sessions are exported, one or many. */
const exportManner = {
  include_thinking: v.nullish(v.boolean(), true),
  include_tools: v.nullish(v.boolean(), true),
  redact: v.nullish(v.boolean(), false),
  theme: v.nullish(v.picklist(["system", "light", "dark"]), "system"),
};

/** What every export of one session may say beside its format. */
export const exportFields = { path, leaf_id: optional(identifier), ...exportManner };

const redactionCount = { type: v.string(), count: v.number() };

export const exportCommands = {
  export_session: command({
    summary: "Exports a session as HTML, Markdown or JSON.",
    access: "read",
    input: v.strictObject({ ...exportFields, format: v.picklist(exportFormats) }),
    output: v.strictObject({
      format: v.picklist(exportFormats),
      file_name: v.string(),
      media_type: v.string(),
      content: v.string(),
      redactions: v.pipe(
        v.nullable(v.array(v.strictObject(redactionCount))),
        v.description("What was replaced; `null` without `redact`."),
      ),
    }),
    run: (input, { sessions }) => sessions.export(input),
  }),

  preview_redactions: command({
    summary: "Tells what an export of a session with `redact` would replace, without telling the secrets.",
    access: "read",
    input: v.strictObject({
      path,
      leaf_id: optional(identifier),
      include_thinking: exportManner.include_thinking,
      include_tools: exportManner.include_tools,
    }),
    output: v.strictObject({
      findings: v.array(
        v.strictObject({
          ...redactionCount,
          examples: v.pipe(
            v.array(v.strictObject({ entry_id: v.nullable(v.string()), excerpt: v.string() })),
            v.description("At most three places, as they are after the redaction."),
          ),
        }),
      ),
      total: v.number(),
    }),
    run: (input, { sessions }) => sessions.previewRedactions(input),
  }),

  export_sessions: command({
    summary: "Prepares a zip of many exports and tells where it can be fetched, once and within a minute.",
    access: "read",
    input: v.strictObject({
      paths: v.pipe(v.array(path), v.nonEmpty("Must not be empty."), v.maxLength(10_000, "At most 10000 paths.")),
      format: v.picklist(downloadFormats),
      ...exportManner,
    }),
    output: v.strictObject({
      url: v.pipe(v.string(), v.description("Relative to the service; to be fetched with GET.")),
      expires_at: v.string(),
    }),
    run: (input, { exportTickets }) => exportTickets.issue(input),
  }),
};
