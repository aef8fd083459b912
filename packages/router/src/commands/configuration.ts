import { type JsonObject, OTHER_AGENTS, type OtherAgentName } from "@sm/core";
import { identifier, path } from "@sm/core/input";
import { MEBIBYTE } from "../answer-budget.ts";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { ID, MODEL_CONFIG, MORE_SESSIONS } from "./example-values.ts";

const command = commandUsing<"configuration">();

const object = v.looseObject({});

const parts = {
  version: v.literal(1),
  server: object,
  preferences: object,
  tags: v.array(object),
  agent_settings: v.nullable(object),
  model_config: v.nullable(object),
};

/** Unknown fields are kept: the file belongs to the user. */
const bundle = v.pipe(
  v.looseObject(parts),
  v.description("The complete configuration; omitted parts are removed. `null` means that the file does not exist."),
);

const OF_SESSION = { path: v.string(), session_id: v.string() };

const marks = v.strictObject({
  notes: v.array(
    v.strictObject({ ...OF_SESSION, entry_id: v.nullable(v.string()), text: v.string(), updated_at: v.string() }),
  ),
  bookmarks: v.array(v.strictObject({ ...OF_SESSION, entry_id: v.string(), created_at: v.string() })),
  archived: v.array(v.strictObject({ ...OF_SESSION, archived_at: v.string() })),
  favorites: v.array(v.strictObject(OF_SESSION)),
  names: v.pipe(
    v.array(v.strictObject({ ...OF_SESSION, name: v.string() })),
    v.description("Names of sessions whose files are only read."),
  ),
  tagged: v.array(v.strictObject({ ...OF_SESSION, tag_id: v.string() })),
});

const bundleWithMarks = v.pipe(
  v.looseObject({
    ...parts,
    marks: v.pipe(v.optional(marks), v.description("Only with `include_marks`; part of no version.")),
  }),
  v.description("The complete configuration. `null` means that the file does not exist."),
);

const bundleToSave = v.pipe(
  v.looseObject({
    ...parts,
    marks: v.pipe(
      v.optional(object),
      v.description(
        "As `get_config_bundle` returns them; added to those that there are: of two notes on the same thing the newer stays, and nothing is removed.",
      ),
    ),
  }),
  v.description("The complete configuration; omitted parts are removed, except marks."),
);

type Bundle = v.InferOutput<typeof bundle>;

const agentHomes = v.array(
  v.strictObject({
    agent: v.string(),
    name: v.string(),
    enabled: v.boolean(),
    homes: v.array(v.string()),
    directories: v.array(
      v.strictObject({
        path: v.string(),
        exists: v.boolean(),
        skipped_files: v.pipe(v.number(), v.description("Files that are empty, or of a format that is not known.")),
      }),
    ),
    read_only: v.pipe(v.boolean(), v.description("Whether its session files are only read.")),
    sessions: v.number(),
  }),
);

const agentSwitch = v.strictObject({
  enabled: v.boolean(),
  homes: v.pipe(
    v.array(path),
    v.maxLength(100, "At most 100 paths."),
    v.description("Homes to read instead of the usual ones; none stands for those."),
  ),
});
const switches = Object.fromEntries(OTHER_AGENTS.map(({ agent }) => [agent, v.optional(agentSwitch)]));
const agentSwitches = v.strictObject(
  // The table has these names.
  switches as Record<OtherAgentName, v.OptionalSchema<typeof agentSwitch, undefined>>,
);

const amount = v.pipe(
  v.nullable(v.pipe(v.number(), v.gtValue(0, "Must be more than 0."), v.maxValue(1e9, "At most 1e9."))),
  v.description("US dollars; `null` for none."),
);
const budget = v.strictObject({ day_usd: amount, week_usd: amount, month_usd: amount });

const versionMade = v.strictObject({ version_id: v.string() });

/**
 * Commands that return whole configurations are not for tokens of scope `read`: a model configuration may contain keys.
 */
export const configurationCommands = {
  get_session_paths: command({
    summary: "Lists the session directories that the user added to the default ones.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(v.string()),
    run: (_input, { configuration }) => configuration.sessionPaths(),
  }),

  save_session_paths: command({
    summary: "Replaces the session directories that the user added to the default ones.",
    access: "write",
    input: v.strictObject({ paths: v.pipe(v.array(path), v.maxLength(100, "At most 100 paths.")) }),
    example: { paths: [MORE_SESSIONS] },
    output: v.array(v.string()),
    run: (input, { configuration }) => configuration.saveSessionPaths(input.paths),
  }),

  get_agent_homes: command({
    summary: "Lists the agents whose sessions are read, with the directories that are scanned for each.",
    access: "read",
    input: v.strictObject({}),
    output: agentHomes,
    run: (_input, { configuration }) => configuration.agentHomes(),
  }),

  save_agent_homes: command({
    summary:
      "Switches agents other than pi on or off and chooses their homes, and leaves agents that are not given as they are.",
    access: "write",
    input: v.strictObject({ agents: agentSwitches }),
    example: { agents: { codex: { enabled: true, homes: [MORE_SESSIONS] } } },
    output: agentHomes,
    run: ({ agents }, { configuration }) => configuration.saveAgentHomes(agents),
  }),

  get_config_overrides: command({
    summary: "Lists the fields of the configuration file that a flag or an environment variable overrides.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(
      v.strictObject({
        field: v.string(),
        value: v.pipe(v.union([v.string(), v.number()]), v.description("What is in force instead.")),
        source: v.pipe(v.string(), v.description("The flag or the variable: `--port`, `SESSION_MANAGER_PORT`.")),
      }),
    ),
    run: (_input, { configuration }) => configuration.overrides(),
  }),

  get_budget: command({
    summary: "Reads what the user wants to spend at most in a day, in a week from Monday on, and in a month.",
    access: "read",
    input: v.strictObject({}),
    output: budget,
    run: (_input, { configuration }) => configuration.budget(),
  }),

  save_budget: command({
    summary: "Sets what the user wants to spend at most; nothing is stopped by it.",
    access: "write",
    input: budget,
    example: { day_usd: 20, week_usd: 80, month_usd: null },
    output: budget,
    run: (input, { configuration }) => configuration.saveBudget(input),
  }),

  get_config_bundle: command({
    summary: "Reads the complete configuration of the service and the agent.",
    access: "write",
    shows: "API keys of models",
    input: v.strictObject({
      include_marks: v.pipe(
        v.nullish(v.boolean(), false),
        v.description("Adds notes, bookmarks, favorites, archived sessions, names and tags of sessions."),
      ),
    }),
    example: {},
    output: bundleWithMarks,
    answerBytes: 8 * MEBIBYTE,
    run: async (input, { configuration }) =>
      (await configuration.bundle(input)) as v.InferOutput<typeof bundleWithMarks>,
  }),

  save_config_bundle: command({
    summary: "Replaces the complete configuration atomically, and adds marks of sessions to those that there are.",
    // It sets the agent's program, and models whose keys may be commands.
    access: "control",
    controls: "the configuration",
    input: bundleToSave,
    example: {
      version: 1,
      server: { session_paths: [MORE_SESSIONS], log_level: "info" },
      preferences: {},
      tags: [{ id: ID, name: "urgent", color: "#cc3333", parent_id: null }],
      agent_settings: { defaultProvider: "ollama", defaultModel: "qwen2.5-coder:7b" },
      model_config: MODEL_CONFIG,
    },
    output: versionMade,
    // The payload was parsed from JSON.
    run: (input, { configuration }) => configuration.saveBundle(input as JsonObject),
  }),

  list_config_versions: command({
    summary: "Lists the versions of the configuration, newest first.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(
      v.strictObject({
        id: v.string(),
        created_at: v.string(),
        origin: v.string(),
        size_bytes: v.number(),
        sha256: v.string(),
      }),
    ),
    run: (_input, { configuration }) => configuration.versions(),
  }),

  get_config_version: command({
    summary: "Reads a version of the configuration.",
    access: "write",
    shows: "API keys of models",
    input: v.strictObject({ id: identifier }),
    example: { id: ID },
    output: v.strictObject({ id: v.string(), created_at: v.string(), origin: v.string(), bundle }),
    async run(input, { configuration }) {
      const { bundle, ...version } = await configuration.version(input.id);
      return { ...version, bundle: bundle as Bundle };
    },
  }),

  restore_config_version: command({
    summary: "Restores a version of the configuration.",
    // As save_config_bundle.
    access: "control",
    controls: "the configuration",
    input: v.strictObject({ id: identifier }),
    example: { id: ID },
    output: versionMade,
    run: (input, { configuration }) => configuration.restoreVersion(input.id),
  }),

  diff_config_versions: command({
    summary: "Compares two versions of the configuration.",
    access: "write",
    shows: "API keys of models",
    input: v.strictObject({ from: identifier, to: identifier }),
    example: { from: ID, to: "c1b7a0de-58a4-4e0b-8a3e-6f0d1f2e3a4b" },
    output: v.strictObject({
      from: v.string(),
      to: v.string(),
      changes: v.array(
        v.strictObject({
          path: v.string(),
          kind: v.picklist(["added", "removed", "changed"]),
          from: v.unknown(),
          to: v.unknown(),
        }),
      ),
    }),
    run: (input, { configuration }) => configuration.compareVersions(input.from, input.to),
  }),
};
