import type { JsonObject } from "@sm/core";
import * as v from "valibot";
import { command } from "../command.ts";
import { path, text } from "../schema/fields.ts";

const change = v.strictObject({ backup_name: v.nullable(v.string()) });

/** Belongs to the user: what the service does not know in it stays. The agent's side checks the rest. */
const modelConfig = v.looseObject({ providers: v.record(v.string(), v.looseObject({})) });

/** None of these reads only, for a token's scope: the file may hold API keys. */
export const modelConfigCommands = {
  load_model_config: command({
    summary: "Reads the agent's model configuration.",
    access: "write",
    shows: "API keys of models",
    input: v.strictObject({}),
    output: v.strictObject({ path: v.string(), exists: v.boolean(), config: v.nullable(v.looseObject({})) }),
    run: (_input, { modelConfig }) => modelConfig.load(),
  }),

  save_model_config: command({
    summary: "Changes the agent's model configuration; the file before is kept as a backup.",
    // The agent runs a key that begins with "!" as a command.
    access: "control",
    input: modelConfig,
    output: change,
    // Whatever a payload holds was JSON.
    run: (input, { modelConfig }) => modelConfig.save(input as JsonObject),
  }),

  import_model_config_from_path: command({
    summary: "Takes a file as the agent's model configuration; the file before is kept as a backup.",
    // As save_model_config.
    access: "control",
    input: v.strictObject({ path }),
    output: change,
    run: (input, { modelConfig }) => modelConfig.importFrom(input.path),
  }),

  export_model_config_to_path: command({
    summary: "Copies the agent's model configuration to a file.",
    access: "write",
    input: v.strictObject({ path, overwrite: v.nullish(v.boolean(), false) }),
    output: v.strictObject({ path: v.string() }),
    run: (input, { modelConfig }) => modelConfig.exportTo(input.path, { overwrite: input.overwrite }),
  }),

  list_model_config_backups: command({
    summary: "Lists the backups of the model configuration, the newest first.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(v.strictObject({ backup_name: v.string(), created_at: v.string(), size_bytes: v.number() })),
    run: (_input, { modelConfig }) => modelConfig.backups(),
  }),

  restore_model_config_backup: command({
    summary: "Puts a backup back as the model configuration; the file before is kept as a backup.",
    // As save_model_config.
    access: "control",
    input: v.strictObject({ backup_name: text(255) }),
    output: change,
    run: (input, { modelConfig }) => modelConfig.restore(input.backup_name),
  }),
};
