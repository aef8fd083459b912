import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkDirectory, findShell, loginArguments, usersShell } from "./login-shell.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "shells-"));
  await mkdir(join(folder, "bin"));
  await mkdir(join(folder, "bin", "directory"));
  for (const [name, mode] of [
    ["program", 0o755],
    ["text", 0o644],
    ["nologin", 0o755],
  ] as const) {
    await writeFile(join(folder, "bin", name), "#!/bin/sh\n");
    await chmod(join(folder, "bin", name), mode);
  }
  await symlink("program", join(folder, "bin", "link"));
  await symlink("missing", join(folder, "bin", "broken"));
});
afterAll(() => rm(folder, { recursive: true }));

function refusal(path: string, message: RegExp) {
  return {
    code: "INVALID_PAYLOAD",
    message: expect.stringMatching(message),
    details: [{ path, message: expect.stringMatching(message) }],
  };
}

describe("checkDirectory", () => {
  it.each([
    ["", /is not an absolute path/],
    ["relative", /is not an absolute path/],
    ["~", /is not an absolute path/],
    ["FOLDER/missing", /does not exist/],
    ["FOLDER/bin/program", /is not a directory/],
    ["FOLDER/bin/program/below", /does not exist/],
    ["FOLDER/\0", /does not exist/],
  ])("refuses %j", async (path, message) => {
    await expect(checkDirectory(path.replace("FOLDER", folder))).rejects.toMatchObject(refusal("cwd", message));
  });

  it("takes a directory", async () => {
    await expect(checkDirectory(folder)).resolves.toBeUndefined();
  });
});

describe("findShell", () => {
  const place = () => ({
    env: { PATH: ["relative", join(folder, "none"), join(folder, "bin")].join(delimiter) },
    cwd: folder,
  });

  it.each([
    ["program", "bin/program"],
    ["link", "bin/link"],
    ["./bin/program", "bin/program"],
    ["FOLDER/bin/program", "bin/program"],
  ])("finds %s", async (shell, found) => {
    expect(await findShell(shell.replace("FOLDER", folder), place())).toBe(join(folder, found));
  });

  it.each([
    ["missing", /There is no program missing on the PATH/],
    ["", /is not a program that can be executed/],
    ["program --login", /There is no program/],
    ["pro\0gram", /There is no program/],
    ["broken", /There is no program/],
    ["FOLDER/bin/missing", /does not exist/],
    ["text", /is not a program that can be executed/],
    ["directory", /is not a program that can be executed/],
    ["FOLDER/bin/text", /is not a program that can be executed/],
    ["FOLDER/bin", /is not a program that can be executed/],
  ])("refuses %j", async (shell, message) => {
    await expect(findShell(shell.replace("FOLDER", folder), place())).rejects.toMatchObject(refusal("shell", message));
  });
});

describe("usersShell", () => {
  const account = userInfo().shell ?? "/bin/sh";

  it.each([
    ["that of the environment", "FOLDER/bin/program", "FOLDER/bin/program"],
    ["that of the account without one", undefined, account],
    ["that of the account where it does not exist", "FOLDER/bin/missing", account],
    ["that of the account where it is none", "FOLDER/bin/nologin", account],
    ["that of the account where it is no path", "program", account],
  ])("is %s", async (_, shell, expected) => {
    expect(await usersShell({ SHELL: shell?.replace("FOLDER", folder) })).toBe(expected.replace("FOLDER", folder));
  });
});

it.each([
  ["/bin/bash", ["-l"]],
  ["/usr/local/bin/fish", ["-l"]],
  ["/usr/bin/python3", []],
  ["/home/ada/my-shell", []],
])("%s is started with %j", (shell, args) => {
  expect(loginArguments(shell)).toEqual(args);
});
