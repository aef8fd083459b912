import { describe, expect, it } from "vitest";
import { onlyReadError } from "./only-read.ts";

const source = "file";
const capabilities = { rename: true, fork: false, delete: true, start: false };

describe("onlyReadError", () => {
  it("says what cannot be done and how to go on instead", () => {
    const resume_command = "cd /p && pi --session 1";
    expect(
      onlyReadError({ format: "pi", source, capabilities: { ...capabilities, resume_command } }, "forked"),
    ).toMatchObject({
      code: "CONFLICT",
      message:
        "This session of pi cannot be forked, because files of pi are only read. " +
        "It can be named, tagged, exported and deleted. To go on with it, run: cd /p && pi --session 1",
    });
  });

  it("says how to bring back a file that is gone", () => {
    const session = { format: "pi", source: "vault", capabilities: { ...capabilities, resume_command: null } } as const;
    expect(onlyReadError(session, "started")).toMatchObject({
      code: "CONFLICT",
      message: "This session cannot be started, because its file is gone; bring the file back with restore_session.",
    });
  });

  it("names no command where the agent takes none", () => {
    const { message } = onlyReadError(
      { format: "pi", source, capabilities: { ...capabilities, resume_command: null } },
      "started",
    );
    expect(message).toMatch(/deleted\.$/);
  });
});
