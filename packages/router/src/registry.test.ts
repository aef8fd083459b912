import type { TagService } from "@sm/core";
import { describe, expect, it } from "vitest";
import { command } from "./command.ts";
import { createDispatcher } from "./dispatcher.ts";
import { commands, createRegistry, registry } from "./registry.ts";
import * as v from "./schema/json.ts";

const noop = command({
  summary: "Does nothing.",
  access: "read",
  input: v.strictObject({}),
  output: v.null(),
  run: async () => null,
});

describe("createRegistry", () => {
  it("refuses two commands of one name", () => {
    expect(() => createRegistry([{ noop }, { other: noop, noop }])).toThrow("noop");
  });

  it("has no names but those of commands", () => {
    const small = createRegistry([{ noop }]);
    expect([...small.keys()]).toEqual(["noop"]);
    expect(small.get("constructor")).toBeUndefined();
    expect(small.get("__proto__")).toBeUndefined();
  });
});

describe("services of a registry", () => {
  const count = command({
    summary: "Counts.",
    access: "read",
    input: v.strictObject({}),
    output: v.number(),
    run: async (_input, { counter }: { counter: { next(): number } }) => counter.next(),
  });
  const log = { error() {} };
  const owner = { local: true, scope: "full", tokenId: null } as const;

  it("are those that its commands use", async () => {
    const registry = createRegistry([{ count }, { ping: commands.ping, list_tags: commands.list_tags }]);
    const tags = { list: async () => [] } as unknown as TagService;
    const dispatcher = createDispatcher({ counter: { next: () => 7 }, tags }, { registry, log });
    expect(await dispatcher.dispatch({ command: "count" }, owner)).toMatchObject({ data: 7 });
    expect(await dispatcher.dispatch({ command: "list_tags" }, owner)).toMatchObject({ data: [] });
    // @ts-expect-error: list_tags uses the tags.
    createDispatcher({ counter: { next: () => 7 } }, { registry, log });
    // @ts-expect-error: a counter has a next number.
    createDispatcher({ counter: {}, tags }, { registry, log });
    // @ts-expect-error: every command of the service uses more than that.
    createDispatcher({ tags }, { log });
  });

  it("are none where none is used", () => {
    createDispatcher({}, { registry: createRegistry([{ ping: commands.ping }]), log });
  });
});

describe("registry", () => {
  it("marks what changes something, and what may show API keys", () => {
    const writing = [...registry].filter(([, { access }]) => access === "write").map(([name]) => name);
    expect(writing.sort()).toEqual([
      "archive_session",
      "assign_tag",
      "convert_session",
      "create_tag",
      "delete_session",
      "delete_sessions",
      "delete_tag",
      "diff_config_versions",
      "forget_session",
      "fork_session",
      "get_config_bundle",
      "get_config_version",
      "load_model_config",
      "remove_push_device",
      "remove_retention",
      "remove_tag",
      "rename_session",
      "restore_session",
      "revoke_share",
      "revoke_token",
      "save_agent_homes",
      "save_budget",
      "save_session_paths",
      "set_bookmark",
      "set_note",
      "set_retention",
      "share_project",
      "toggle_favorite",
      "unarchive_session",
      "undelete_session",
      "unshare_project",
      "update_tag",
      "verify_vault",
    ]);
  });

  it("says what those show that change nothing", () => {
    const showing = [...registry].filter(([, { shows }]) => shows !== undefined);
    expect(showing.map(([name, { access }]) => `${access} ${name}`).sort()).toEqual([
      "write diff_config_versions",
      "write get_config_bundle",
      "write get_config_version",
      "write load_model_config",
    ]);
  });

  it("marks what decides which programs run", () => {
    const driving = [...registry].filter(([, { access }]) => access === "control");
    expect(driving.map(([name]) => name).sort()).toEqual([
      "abort_coding_session",
      "add_push_device",
      "answer_coding_agent_request",
      "attach_terminal",
      "clear_coding_session_queue",
      "create_terminal",
      "create_token",
      "export_model_config_to_path",
      "find_coding_session_files",
      "get_coding_agent_entries",
      "get_coding_live_sessions",
      "get_coding_session_commands",
      "get_coding_session_models",
      "get_coding_session_thinking_levels",
      "import_model_config_from_path",
      "list_terminals",
      "name_coding_session",
      "register_coding_session",
      "report_coding_session",
      "restore_config_version",
      "restore_model_config_backup",
      "save_config_bundle",
      "save_hub",
      "save_model_config",
      "send_coding_agent_rpc",
      "set_coding_session_model",
      "share_session",
      "start_coding_session",
      "stop_coding_session",
      "take_coding_session_requests",
      "terminal_close",
      "terminal_resize",
      "terminal_write",
    ]);
    // What drives them at once needs something that may be missing; the rest only says what will run one day.
    const later = driving.filter(([, { prerequisite }]) => prerequisite === undefined).map(([name]) => name);
    expect(later.sort()).toEqual([
      "add_push_device",
      "create_token",
      "export_model_config_to_path",
      "import_model_config_from_path",
      "restore_config_version",
      "restore_model_config_backup",
      "save_config_bundle",
      "save_hub",
      "save_model_config",
    ]);
  });

  it.each([...registry])("%s has a summary of one sentence", (_name, { summary }) => {
    expect(summary).toMatch(/^[A-Z][^.]+\.$/);
  });
});
