import { AppError } from "@sm/core";
import { describe, expect, it } from "vitest";
import { type Call, run } from "./recorded-services.fixture.ts";
import { terminalCommands } from "./terminals.ts";

const LARGEST = "x".repeat(1_048_576);

const TERMINAL = { id: "t", cwd: "/p", shell: "/bin/sh", pid: 7, cols: 80, rows: 24 };

describe("commands about terminals", () => {
  it.each<[string, unknown, Call]>([
    ["create_terminal", { cwd: "/p" }, ["create", { cwd: "/p", cols: 80, rows: 24, shell: undefined, tokenId: null }]],
    [
      "create_terminal",
      { cwd: "/p", cols: 1, rows: 1_000, shell: "/bin/zsh" },
      ["create", { cwd: "/p", cols: 1, rows: 1_000, shell: "/bin/zsh", tokenId: null }],
    ],
    [
      "create_terminal",
      { cwd: "/p", cols: null, rows: null, shell: null },
      ["create", { cwd: "/p", cols: 80, rows: 24, shell: undefined, tokenId: null }],
    ],
    ["terminal_write", { id: "t", data: "" }, ["write", "t", ""]],
    ["terminal_write", { id: "t", data: "\u0003\0ä" }, ["write", "t", "\u0003\0ä"]],
    ["terminal_write", { id: "t", data: LARGEST }, ["write", "t", LARGEST]],
    ["terminal_resize", { id: "t", cols: 1_000, rows: 1 }, ["resize", "t", 1_000, 1]],
    ["terminal_close", { id: "t" }, ["close", "t"]],
    ["list_terminals", {}, ["list"]],
    ["attach_terminal", { id: "t" }, ["attach", "t", null]],
    ["attach_terminal", { id: "t", after_seq: null }, ["attach", "t", null]],
    ["attach_terminal", { id: "t", after_seq: 0 }, ["attach", "t", 0]],
    ["attach_terminal", { id: "t", after_seq: 9 }, ["attach", "t", 9]],
  ])("%s is one call into a service", async (name, payload, call) => {
    const { calls, response } = await run(name, payload, () => TERMINAL);
    expect(response.error).toBeNull();
    expect(calls).toEqual([call]);
  });

  it.each<[string, object, string]>([
    ["create_terminal", {}, "cwd"],
    ["create_terminal", { cwd: "" }, "cwd"],
    ["create_terminal", { cwd: "/p\0" }, "cwd"],
    ["create_terminal", { cwd: "/p", cols: 0 }, "cols"],
    ["create_terminal", { cwd: "/p", cols: 1_001 }, "cols"],
    ["create_terminal", { cwd: "/p", rows: 2.5 }, "rows"],
    ["create_terminal", { cwd: "/p", shell: "" }, "shell"],
    ["create_terminal", { cwd: "/p", env: {} }, "env"],
    ["terminal_write", { id: "t" }, "data"],
    ["terminal_write", { id: "t", data: 1 }, "data"],
    ["terminal_write", { id: "t", data: `${LARGEST}x` }, "data"],
    ["terminal_resize", { id: "t", cols: 100_000, rows: 1 }, "cols"],
    ["terminal_resize", { id: "t", cols: 1, rows: 0 }, "rows"],
    ["terminal_resize", { id: "t", cols: 1 }, "rows"],
    ["terminal_close", { id: "" }, "id"],
    ["attach_terminal", { id: "t", after_seq: -1 }, "after_seq"],
    ["attach_terminal", { id: "t", after_seq: 0.5 }, "after_seq"],
  ])("%s refuses a wrong payload", async (name, payload, field) => {
    const { calls, response } = await run(name, payload);
    expect(response.error).toMatchObject({ code: "INVALID_PAYLOAD", details: [{ path: field }] });
    expect(calls).toEqual([]);
  });

  it.each([
    ["create_terminal", { cwd: "/p" }, [["terminal:t"]]],
    ["attach_terminal", { id: "t" }, [["terminal:t"]]],
    ["list_terminals", {}, []],
  ])("%s tells the connection of the terminal from then on", async (name, payload, topics) => {
    expect((await run(name, payload, () => TERMINAL)).listened).toEqual(topics);
  });

  it.each(Object.keys(terminalCommands))("%s says what is missing, whatever the payload", async (name) => {
    const missing = new AppError("UNAVAILABLE", "Install node-pty.");
    const { calls, response } = await run(name, { wrong: true }, undefined, { checkAvailable: missing });
    expect(response.error).toMatchObject({ code: "UNAVAILABLE", message: "Install node-pty." });
    expect(calls).toEqual([]);
  });
});
