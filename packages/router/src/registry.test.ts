import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { command } from "./command.ts";
import { createRegistry, registry } from "./registry.ts";

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

describe("registry", () => {
  it("marks what changes something, and what may show API keys", () => {
    const writing = [...registry].filter(([, { access }]) => access === "write").map(([name]) => name);
    expect(writing.sort()).toEqual([
      "assign_tag",
      "create_tag",
      "delete_session",
      "delete_sessions",
      "delete_tag",
      "diff_config_versions",
      "export_model_config_to_path",
      "fork_session",
      "get_config_bundle",
      "get_config_version",
      "load_model_config",
      "remove_tag",
      "rename_session",
      "revoke_token",
      "save_session_paths",
      "toggle_favorite",
      "update_tag",
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
      "answer_coding_agent_request",
      "attach_terminal",
      "create_terminal",
      "create_token",
      "get_coding_agent_entries",
      "get_coding_live_sessions",
      "get_coding_session_models",
      "import_model_config_from_path",
      "list_terminals",
      "name_coding_session",
      "register_coding_session",
      "report_coding_session",
      "restore_config_version",
      "restore_model_config_backup",
      "save_config_bundle",
      "save_model_config",
      "send_coding_agent_rpc",
      "set_coding_session_model",
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
      "create_token",
      "import_model_config_from_path",
      "restore_config_version",
      "restore_model_config_backup",
      "save_config_bundle",
      "save_model_config",
    ]);
  });

  it.each([...registry])("%s has a summary of one sentence", (_name, { summary }) => {
    expect(summary).toMatch(/^[A-Z][^.]+\.$/);
  });
});
