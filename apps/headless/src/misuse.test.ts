import { CommandError } from "@sm/router/client";
import { describe, expect, it } from "vitest";
import { describeFailure, EXIT } from "./failure.ts";
import { runFake } from "./fake-shell.fixture.ts";

const refused = (...details: { path: string; message: string }[]) =>
  new CommandError("INVALID_PAYLOAD", `The payload is not valid in "${details[0]?.path}".`, details);

describe("a payload that the service refuses", () => {
  it.each<[string[], string, CommandError, string]>([
    [
      ["list", "--limit", "0"],
      "list_sessions",
      refused({ path: "limit", message: "Must be a whole number from 1 to 500." }),
      "error: option '-n, --limit <number>' argument '0' is invalid. Must be a whole number from 1 to 500.",
    ],
    [
      ["search", "x", "--per-session", "0", "-n", "0"],
      "search",
      refused({ path: "limit", message: "Too few." }, { path: "per_session", message: "Too few." }),
      "error: option '-n, --limit <number>' argument '0' is invalid. Too few.\n" +
        "error: option '--per-session <number>' argument '0' is invalid. Too few.",
    ],
    [
      ["search", "tide"],
      "search",
      refused({ path: "query", message: "Too short." }),
      "error: argument 'tide' is invalid for 'query'. Too short.",
    ],
    [
      ["rename", "/a.jsonl", "new\u0000name"],
      "rename_session",
      refused({ path: "name", message: "Has a NUL." }),
      "error: argument 'new\u0000name' is invalid for 'name'. Has a NUL.",
    ],
    [
      ["delete", "/a.jsonl", "/b.jsonl", "--yes"],
      "delete_sessions",
      refused({ path: "paths.1", message: "Not so." }),
      "error: argument '/a.jsonl /b.jsonl' is invalid for 'session'. Not so.",
    ],
    [
      ["show", "/a.jsonl", "--leaf", "e1"],
      "export_session",
      refused({ path: "leaf_id", message: "Too short." }),
      "error: option '--leaf <entry>' argument 'e1' is invalid. Too short.",
    ],
    [
      ["call", "list_sessions", '{"limit": 0}'],
      "list_sessions",
      refused({ path: "limit", message: "Too few." }),
      "INVALID_PAYLOAD: limit: Too few.",
    ],
  ])("is told of what was typed: %j", async (argv, command, error, text) => {
    const run = await runFake(argv, { answers: { [command]: error } });
    expect(describeFailure(run.error)).toEqual({ text, exitCode: EXIT.usage });
  });
});
