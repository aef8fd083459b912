import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Finds a program that comes with the system and not with npm; `null` where it is absent.
 *
 * @throws Error where it is absent and `SESSION_MANAGER_ALL_TESTS` or `CI` asks for every test.
 */
export function findSystemProgram(name: string): string | null {
  // Servers lie where only root looks for programs.
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  const found = folders.map((folder) => join(folder, name)).find(isExecutable);
  if (found !== undefined) return found;
  if (process.env.SESSION_MANAGER_ALL_TESTS === "1" || process.env.CI === "true") {
    throw new Error(`This test needs ${name}, which is not installed: apt-get install ${name}`);
  }
  process.stderr.write(`A test is skipped because ${name} is not installed.\n`);
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
