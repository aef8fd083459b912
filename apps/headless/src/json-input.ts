import { readFile } from "node:fs/promises";
import { CliError, EXIT } from "./failure.ts";
import type { Shell } from "./shell.ts";

/**
 * Reads JSON from a file, or from standard input for `-`.
 *
 * @throws {CliError} `notFound` or `refused` for an unreadable file, `usage` for invalid JSON.
 */
export async function readJsonInput(file: string, shell: Shell): Promise<unknown> {
  const text = file === "-" ? await shell.readInput() : await readText(file);
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new CliError(EXIT.usage, `${file === "-" ? "The input" : file} is not JSON: ${(error as Error).message}`);
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new CliError(EXIT.notFound, `${path} does not exist.`);
    throw new CliError(EXIT.refused, `${path} cannot be read: ${message}`);
  }
}
