import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../files/file-errors.ts";
import { createSessionFile } from "./session-roots.ts";

/** Codes of file systems without hard links. */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/**
 * Writes the file of a session, which appears as a whole and never in the place of another.
 *
 * @param write is called again where the file system has no links.
 * @throws the file system's error with its `code`, EEXIST if there is a file; leaves no file behind then.
 */
export function writeSessionFile(path: string, mode: number, write: (descriptor: number) => void): void {
  // Not the name of a session: nobody reads half of it.
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  const { real } = writeNew(temporary, mode, write);
  try {
    linkSync(real, path);
  } catch (error) {
    if (!WITHOUT_LINKS.has(errorCode(error))) throw error;
    writeNew(path, mode, write);
  } finally {
    rmSync(real, { force: true });
  }
}

function writeNew(path: string, mode: number, write: (descriptor: number) => void): { real: string } {
  const { descriptor, real } = createSessionFile(path, mode & 0o777);
  try {
    write(descriptor);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(real, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return { real };
}
