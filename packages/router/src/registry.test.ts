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
  it("marks what changes something", () => {
    const writing = [...registry].filter(([, { access }]) => access === "write").map(([name]) => name);
    expect(writing.sort()).toEqual([
      "create_token",
      "delete_session",
      "delete_sessions",
      "fork_session",
      "rename_session",
      "revoke_token",
      "save_session_paths",
      "toggle_favorite",
    ]);
  });

  it.each([...registry])("%s has a summary of one sentence", (_name, { summary }) => {
    expect(summary).toMatch(/^[A-Z][^.]+\.$/);
  });
});
