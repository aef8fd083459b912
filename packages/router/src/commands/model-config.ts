import type { JsonObject } from "@sm/core";
import { path, text } from "@sm/core/input";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { MODEL_CONFIG, MODEL_CONFIG_COPY } from "./example-values.ts";

const command = commandUsing<"modelConfig">();

const change = v.strictObject({ backup_name: v.nullable(v.string()) });

/** Unknown fields are kept: the file belongs to the user. The agent package validates the rest. */
const modelConfig = v.looseObject({ providers: v.record(v.string(), v.looseObject({})) });

/** None of these has access `read`: the file may contain API keys. */
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
    summary: "Saves the agent's model configuration; the previous file is kept as a backup.",
    // The agent runs a key that starts with "!" as a command.
    access: "control",
    controls: "the model configuration",
    input: modelConfig,
    example: MODEL_CONFIG,
    output: change,
    // The payload was parsed from JSON.
    run: (input, { modelConfig }) => modelConfig.save(input as JsonObject),
  }),

  import_model_config_from_path: command({
    summary: "Replaces the agent's model configuration by a file; the previous one is kept as a backup.",
    // As save_model_config.
    access: "control",
    controls: "the model configuration",
    input: v.strictObject({ path }),
    example: { path: MODEL_CONFIG_COPY },
    output: change,
    run: (input, { modelConfig }) => modelConfig.importFrom(input.path),
  }),

  export_model_config_to_path: command({
    summary: "Copies the agent's model configuration to a file.",
    // It writes a file anywhere, and other programs execute files.
    access: "control",
    controls: "the model configuration",
    input: v.strictObject({ path, overwrite: v.nullish(v.boolean(), false) }),
    example: { path: MODEL_CONFIG_COPY },
    output: v.strictObject({ path: v.string() }),
    run: (input, { modelConfig }) => modelConfig.exportTo(input.path, { overwrite: input.overwrite }),
  }),

  list_model_config_backups: command({
    summary: "Lists the backups of the model configuration, newest first.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(v.strictObject({ backup_name: v.string(), created_at: v.string(), size_bytes: v.number() })),
    run: (_input, { modelConfig }) => modelConfig.backups(),
  }),

  restore_model_config_backup: command({
    summary: "Restores a backup of the model configuration; the previous file is kept as a backup.",
    // As save_model_config.
    access: "control",
    controls: "the model configuration",
    input: v.strictObject({ backup_name: text(255) }),
    example: { backup_name: "models-2026-01-31T10-00-00-000Z.json" },
    output: change,
    run: (input, { modelConfig }) => modelConfig.restore(input.backup_name),
  }),
};
