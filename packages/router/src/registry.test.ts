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
      "create_token",
      "delete_session",
      "delete_sessions",
      "delete_tag",
      "diff_config_versions",
      "export_model_config_to_path",
      "fork_session",
      "get_config_bundle",
      "get_config_version",
      "import_model_config_from_path",
      "load_model_config",
      "remove_tag",
      "rename_session",
      "restore_config_version",
      "restore_model_config_backup",
      "revoke_token",
      "save_config_bundle",
      "save_model_config",
      "save_session_paths",
      "toggle_favorite",
      "update_tag",
    ]);
  });

  it.each([...registry])("%s has a summary of one sentence", (_name, { summary }) => {
    expect(summary).toMatch(/^[A-Z][^.]+\.$/);
  });
});
