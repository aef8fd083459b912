import type { ErrorCode } from "@sm/core";
import type { CommandName } from "@sm/router";
import { expect } from "vitest";

/**
 * How a hub answers a command, beside a service at home with the same sessions: with the same; with the same but for some
 * of it; with data of its own; or not at all, because it needs a machine. What only a hub has ("own") is tested
 * where it is made.
 */
export type HubAnswer = "same" | "own" | HubVariant | HubData | HubRefusal;

export interface HubVariant {
  /** Makes of what is answered at home what a hub answers. */
  instead?(data: Data): Data;
  /** By optional field: why a payload with it is refused. */
  refused?: Record<string, HubRefusal>;
  /** Optional fields about other users. */
  others?: readonly string[];
}

type Data = Record<string, unknown>;

export interface HubData {
  data: unknown;
}

export interface HubRefusal {
  code: ErrorCode;
  message: string;
  /** Whether it is refused whatever the payload, since nothing of the kind is there. */
  isAbsent: boolean;
}

const absent = (message: string): HubRefusal => ({ code: "UNAVAILABLE", message, isAbsent: true });
const missing = (message: string): HubRefusal => ({ code: "UNAVAILABLE", message, isAbsent: false });
const onMachine = (what: string): HubRefusal => ({
  code: "CONFLICT",
  message: `A session on a hub cannot be ${what} here; do it on its machine, which tells the hub.`,
  isAbsent: false,
});

const TERMINALS = absent("Terminals run on machines; open them in the service of one.");
const AGENTS = absent("Agents run on machines; start them in the service of one.");
const CONFIGURATION = missing("This is configured on machines, and where the hub is started.");
const MODELS = missing("Models are configured on machines.");
const RESOURCES = missing("Files of agents are on machines.");
const LINKS = "A hub has no public links; share a session from its machine.";
const PUSH = missing("A hub sends no notifications; machines do.");
const VAULT = missing("A hub keeps what machines send, as long as its owner has it kept.");

const OWNED: HubVariant = { others: ["owner"] };

/** Of the line that a rename writes at home. */
const NAME_BYTES = 114;

/** For every command. A path is that on the machine behind `/machines/<id>`, wherever there is one. */
export const hubAnswers: Record<CommandName, HubAnswer> = {
  ping: "same",
  list_commands: "same",
  scan_sessions: "same",
  list_sessions: OWNED,
  // The name is the user's own: the file has no line of it.
  rename_session: { instead: (record) => ({ ...record, size_bytes: Number(record.size_bytes) - NAME_BYTES }) },
  preview_deletion: onMachine("deleted"),
  delete_session: onMachine("deleted"),
  delete_sessions: { data: expect.anything() },
  fork_session: onMachine("forked"),
  // A brief only: which program goes on with it, the machine knows.
  convert_session: {
    data: { to: "codex", session: null, brief: expect.any(String), brief_path: null, command: null },
  },
  read_session_file: "same",
  read_session_entries: "same",
  read_transcript: "same",
  read_tool_output: "same",
  read_session_tree: "same",
  export_session: "same",
  preview_redactions: "same",
  export_sessions: "same",
  read_session_changes: "same",
  list_change_sums: "same",
  share_session: absent(LINKS),
  list_shares: { data: { problem: "off", shares: [] } },
  revoke_share: missing(LINKS),
  list_push_devices: PUSH,
  add_push_device: PUSH,
  remove_push_device: PUSH,
  find_in_session: "same",
  list_file_names: "same",
  search: OWNED,
  // Machines send sessions, and no file that is none.
  get_session_stats: { ...OWNED, instead: (sums) => ({ ...sums, skipped_files: 0 }) },
  list_favorites: "same",
  toggle_favorite: "same",
  // A hub has no files that it must not read: what was not sent is not there.
  archive_session: {
    instead: ({ failed, ...data }) => ({
      ...data,
      failed: (failed as { path: string; error: object }[]).map(({ path, error }) => ({
        path,
        error: { ...error, code: "NOT_FOUND", message: `There is no session ${path}.` },
      })),
    }),
  },
  unarchive_session: "same",
  set_note: "same",
  list_notes: "same",
  set_bookmark: { refused: { label: onMachine("labelled") } },
  list_bookmarks: "same",
  get_vault_status: VAULT,
  preview_vault_limits: VAULT,
  list_generations: VAULT,
  restore_session: VAULT,
  forget_session: VAULT,
  list_deleted_sessions: VAULT,
  undelete_session: VAULT,
  verify_vault: VAULT,
  get_all_session_dirs: { data: [] },
  get_session_paths: { data: [] },
  save_session_paths: CONFIGURATION,
  get_config_overrides: { data: [] },
  get_hub_status: { data: { state: "off", url: null } },
  save_hub: CONFIGURATION,
  list_hub_users: "own",
  list_shared_projects: "own",
  share_project: "own",
  unshare_project: "own",
  list_reads: "own",
  list_retention: "own",
  set_retention: "own",
  remove_retention: "own",
  preview_retention: "own",
  get_agent_homes: { data: [] },
  save_agent_homes: CONFIGURATION,
  get_budget: CONFIGURATION,
  save_budget: CONFIGURATION,
  get_config_bundle: CONFIGURATION,
  save_config_bundle: CONFIGURATION,
  list_config_versions: { data: [] },
  get_config_version: CONFIGURATION,
  restore_config_version: CONFIGURATION,
  diff_config_versions: CONFIGURATION,
  load_model_config: MODELS,
  save_model_config: MODELS,
  import_model_config_from_path: MODELS,
  export_model_config_to_path: MODELS,
  list_model_config_backups: MODELS,
  restore_model_config_backup: MODELS,
  list_skills: RESOURCES,
  list_prompts: RESOURCES,
  list_themes: RESOURCES,
  read_resource: RESOURCES,
  list_tags: "same",
  create_tag: "same",
  update_tag: "same",
  delete_tag: "same",
  assign_tag: "same",
  remove_tag: "same",
  // A hub lets nobody in without one.
  list_tokens: { data: expect.arrayContaining([expect.objectContaining({ name: "first", scope: "full" })]) },
  create_token: "same",
  revoke_token: "same",
  create_terminal: TERMINALS,
  terminal_write: TERMINALS,
  terminal_resize: TERMINALS,
  terminal_close: TERMINALS,
  list_terminals: TERMINALS,
  attach_terminal: TERMINALS,
  get_coding_live_sessions: AGENTS,
  start_coding_session: AGENTS,
  stop_coding_session: AGENTS,
  get_coding_agent_entries: AGENTS,
  send_coding_agent_rpc: AGENTS,
  clear_coding_session_queue: AGENTS,
  get_coding_session_thinking_levels: AGENTS,
  abort_coding_session: AGENTS,
  set_coding_session_model: AGENTS,
  name_coding_session: AGENTS,
  get_coding_session_commands: AGENTS,
  find_coding_session_files: AGENTS,
  get_coding_session_models: AGENTS,
  answer_coding_agent_request: AGENTS,
  register_coding_session: AGENTS,
  report_coding_session: AGENTS,
  take_coding_session_requests: AGENTS,
};
