import { describe, expect, it } from "vitest";
import { onlyReadError } from "./only-read.ts";

const capabilities = { rename: true, fork: false, delete: true, start: false };

describe("onlyReadError", () => {
  it("says what cannot be done and how to go on instead", () => {
    const resume_command = "cd /p && pi --session 1";
    expect(onlyReadError({ format: "pi", capabilities: { ...capabilities, resume_command } }, "forked")).toMatchObject({
      code: "CONFLICT",
      message:
        "This session of pi cannot be forked, because files of pi are only read. " +
        "It can be named, tagged, exported and deleted. To go on with it, run: cd /p && pi --session 1",
    });
  });

  it("names no command where the agent takes none", () => {
    const { message } = onlyReadError(
      { format: "pi", capabilities: { ...capabilities, resume_command: null } },
      "started",
    );
    expect(message).toMatch(/deleted\.$/);
  });
});
