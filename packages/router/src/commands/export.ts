import { AppError } from "@sm/core";
import * as v from "valibot";
import { command } from "../command.ts";
import { identifier, optional, path, text } from "../schema/fields.ts";

export const exportFormats = ["html", "markdown", "json"] as const;

/** What every export may say beside its format. */
export const exportFields = {
  path,
  leaf_id: optional(identifier),
  include_thinking: v.nullish(v.boolean(), true),
  include_tools: v.nullish(v.boolean(), true),
  redact: v.nullish(v.boolean(), false),
  theme: optional(text(100)),
};

const exportInput = v.strictObject({ ...exportFields, format: v.picklist(exportFormats) });

/**
 * Takes from an export's payload what the library wants to know.
 *
 * @throws AppError `UNAVAILABLE` if secrets are to be redacted: without redaction they would leave the machine.
 */
export function exportOptions<Input extends Omit<v.InferOutput<typeof exportInput>, "format">>(
  input: Input,
): Omit<Input, "redact" | "theme"> {
  const { redact, theme: _theme, ...options } = input;
  if (redact) throw new AppError("UNAVAILABLE", 'Exports cannot be redacted yet; leave out "redact".');
  return options;
}

export const exportCommands = {
  export_session: command({
    summary: "Exports a session as HTML, Markdown or JSON.",
    access: "read",
    input: exportInput,
    output: v.strictObject({
      format: v.picklist(exportFormats),
      file_name: v.string(),
      media_type: v.string(),
      content: v.string(),
    }),
    run: async (input, { sessions }) => sessions.export(exportOptions(input)),
  }),
};
