import { describe, expect, it } from "vitest";
import { EXIT } from "../failure.ts";
import { execute } from "./execute.ts";

describe.skipIf(process.platform === "win32")("execute", () => {
  it.each([
    ["exit 7", "/bin/bash", 7],
    ["no-such-program-here 2>/dev/null", "/usr/bin/fish", 127],
    ["kill -TERM $$", "", 143],
    // Of other shells only the name is known.
    [`test -n "$0" && cd / && test "$PWD" = /`, "/bin/no-such-shell", 0],
  ])("gives the exit code of %s", async (command, shell, code) => {
    expect(await execute(command, { ...process.env, SHELL: shell })).toBe(code);
  });

  it("says that Windows has no shell for it", async () => {
    await expect(execute("exit 0", {}, "win32")).rejects.toMatchObject({ exitCode: EXIT.unavailable });
  });
});
