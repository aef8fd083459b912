import { AppError } from "@sm/core";
import { describe, expect, it } from "vitest";
import { describeFailure } from "./failure.ts";
import { sqliteFailure } from "./sqlite-failure.ts";

const LIBRARY = "/srv/node_modules/better-sqlite3/build/Release/better_sqlite3.node";

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

describe("sqliteFailure", () => {
  it.each([
    [
      new Error("Could not locate the bindings file. Tried:\n → /srv/build/better_sqlite3.node"),
      "because its installation did not compile it",
    ],
    [
      coded(
        "ERR_DLOPEN_FAILED",
        `The module '${LIBRARY}'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 115.`,
      ),
      "because it was compiled for another version of Node",
    ],
    [coded("ERR_DLOPEN_FAILED", `${LIBRARY}: invalid ELF header`), `since "${LIBRARY}: invalid ELF header"`],
  ])("explains %s in one line", (error, why) => {
    const text = sqliteFailure(error);
    expect(text).toContain(`does not load in Node ${process.versions.node} on ${process.platform}-${process.arch}`);
    expect(text).toContain(why);
    expect(text).toMatch(/^[^\n]+run `npm rebuild better-sqlite3` in \S+ with this Node[^\n]+$/);
    expect(describeFailure(error)).toEqual({ text, exitCode: 1 });
  });

  it.each([
    coded("ERR_MODULE_NOT_FOUND", "Cannot find package 'better-sqlite3' imported from /srv/main.js"),
    coded("MODULE_NOT_FOUND", "Cannot find module 'better-sqlite3'\nRequire stack:\n- /srv/main.js"),
    new AppError("UNAVAILABLE", "Not installed.", {
      cause: coded("MODULE_NOT_FOUND", "Cannot find module 'better-sqlite3/package.json'"),
    }),
    new Error("Not started.", {
      cause: new AppError("UNAVAILABLE", "Not installed.", {
        cause: coded("MODULE_NOT_FOUND", "Cannot find module 'better-sqlite3/package.json'"),
      }),
    }),
  ])("tells a package that is missing: %s", (error) => {
    const text = "SQLite (the package better-sqlite3) is not installed: run `npm install session-cli` again.";
    expect(sqliteFailure(error)).toBe(text);
    expect(describeFailure(error)).toEqual({ text, exitCode: 1 });
  });

  it.each([
    new Error("database disk image is malformed"),
    coded("ERR_MODULE_NOT_FOUND", "Cannot find package 'trash' imported from /srv/main.js"),
    coded("ERR_DLOPEN_FAILED", "/srv/node_modules/node-pty/build/Release/pty.node: invalid ELF header"),
  ])("leaves %s alone", (error) => {
    expect(sqliteFailure(error)).toBeNull();
  });
});
