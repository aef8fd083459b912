import { AppError, ERROR_STATUS, type ErrorCode } from "@sm/core";
import { CommandError, ConnectionError } from "@sm/router/client";
import { StartError } from "@sm/server";
import { describe, expect, it } from "vitest";
import { CliError, describeFailure, EXIT, withCause } from "./failure.ts";

describe("describeFailure", () => {
  it.each<[ErrorCode, number]>([
    ["INVALID_PAYLOAD", 2],
    ["UNKNOWN_COMMAND", 2],
    ["NOT_FOUND", 3],
    ["UNAUTHORIZED", 4],
    ["FORBIDDEN", 4],
    ["CONFLICT", 4],
    ["READ_ONLY", 4],
    ["UNAVAILABLE", 5],
    ["TIMEOUT", 5],
    ["INTERNAL", 1],
  ])("gives %s the exit code %i, whoever says it", (code, exitCode) => {
    const report = { text: `${code}: Because.`, exitCode };
    expect(describeFailure(new CommandError(code, "Because."))).toEqual(report);
    expect(describeFailure(new AppError(code, "Because."))).toEqual(report);
  });

  it("knows every code of the service", () => {
    for (const code of Object.keys(ERROR_STATUS) as ErrorCode[]) {
      expect(describeFailure(new CommandError(code, "Because.")).exitCode).toBeGreaterThan(0);
    }
  });

  it("puts every detail on a line of its own", () => {
    const details = [
      { path: "limit", message: "Expected number." },
      { path: "", message: "Expected an object." },
    ];
    expect(describeFailure(new CommandError("INVALID_PAYLOAD", "It is not valid.", details)).text).toBe(
      "INVALID_PAYLOAD:\n  limit: Expected number.\n  Expected an object.",
    );
  });

  it("tells the only detail once", () => {
    const details = [{ path: "limit", message: "Expected number." }];
    const error = new CommandError("INVALID_PAYLOAD", 'The payload is not valid in "limit": Expected number.', details);
    expect(describeFailure(error).text).toBe("INVALID_PAYLOAD: limit: Expected number.");
  });

  it("counts a server that does not answer as not available", () => {
    const error = new ConnectionError("NO_ANSWER", "http://127.0.0.1:1 does not answer.");
    expect(describeFailure(error)).toEqual({ text: "NO_ANSWER: http://127.0.0.1:1 does not answer.", exitCode: 5 });
  });

  it.each([
    [new CliError(EXIT.notFound, "Which one?", ["  a", "  b"]), "Which one?\n  a\n  b", 3],
    [new StartError("Correct the file."), "Correct the file.", 1],
    [Object.assign(new Error("EACCES: no"), { code: "EACCES", syscall: "open" }), "EACCES: no", 1],
    ["thrown", "thrown", 1],
  ])("tells what %s says", (error, text, exitCode) => {
    expect(describeFailure(error)).toEqual({ text, exitCode });
  });

  it("tells where a defect is", () => {
    expect(describeFailure(new TypeError("x is not a function"))).toEqual({
      text: expect.stringMatching(/^TypeError: x is not a function\n {4}at /),
      exitCode: 1,
    });
  });
});

describe("withCause", () => {
  const told = "UNAVAILABLE: It does not answer (refused).";
  const caused = (cause?: unknown) => new AppError("UNAVAILABLE", "It does not answer (refused).", { cause });

  it.each<[what: string, cause: unknown, text: string]>([
    ["none", undefined, told],
    ["one", new Error("No disk."), `${told}\nCause: No disk.`],
    ["one below another", new Error("Failed query", { cause: new Error("No disk.") }), `${told}\nCause: No disk.`],
    ["one of several", new AggregateError([new Error("No host."), new Error("No.")], ""), `${told}\nCause: No host.`],
    ["one that it says", new Error("Failed query", { cause: new Error("refused") }), told],
    ["what is no error", "No disk.", told],
  ])("adds the cause to what is told: %s", (_what, cause, text) => {
    expect(describeFailure(withCause(caused(cause)))).toEqual({ text, exitCode: EXIT.unavailable });
  });

  it("leaves other failures as they are", () => {
    const error = new TypeError("x is not a function", { cause: new Error("No disk.") });
    expect(withCause(error)).toBe(error);
  });
});
