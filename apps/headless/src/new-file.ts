import { randomUUID } from "node:crypto";
import { link, lstat, open, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CliError, EXIT } from "./failure.ts";

/**
 * Writes a file that appears only when complete.
 *
 * @throws {CliError} `refused` if it exists and must not be replaced.
 */
export async function writeNewFile(
  path: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { replace, mode = 0o666 }: { replace: boolean; mode?: number },
): Promise<void> {
  if (!replace && (await exists(path))) throw taken(path);
  const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    const file = await open(unfinished, "wx", mode).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      throw new CliError(EXIT.refused, `${dirname(path)} does not exist; create the folder, or choose another.`);
    });
    try {
      await writeFile(file, content);
      await file.sync();
    } finally {
      await file.close();
    }
    if (replace) await rename(unfinished, path);
    else
      await link(unfinished, path).catch((error: NodeJS.ErrnoException) => moveWithoutLinks(error, unfinished, path));
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** `link` fails if a file has appeared in the meantime; file systems of memory cards do not support links. */
async function moveWithoutLinks(error: NodeJS.ErrnoException, from: string, to: string): Promise<void> {
  if (error.code === "EEXIST" || (await exists(to))) throw taken(to);
  await rename(from, to);
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

function taken(path: string): CliError {
  return new CliError(EXIT.refused, `${path} already exists; choose another file, or replace it with --force.`);
}
