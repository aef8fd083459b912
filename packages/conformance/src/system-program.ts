import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Finds the first of these programs that is installed, as one that comes with the system and not with npm; `null` where
 * there is none.
 *
 * @throws Error where there is none and `SESSION_MANAGER_ALL_TESTS` or `CI` asks for every test.
 */
export function findSystemProgram(...names: [string, ...string[]]): string | null {
  // Servers lie where only root looks for programs.
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
  if (found !== undefined) return found;
  if (process.env.SESSION_MANAGER_ALL_TESTS === "1" || process.env.CI === "true") {
    throw new Error(`This test needs ${names[0]}, which is not installed: apt-get install ${names[0]}`);
  }
  process.stderr.write(`A test is skipped because ${names[0]} is not installed.\n`);
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
