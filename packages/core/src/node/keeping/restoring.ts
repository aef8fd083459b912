import { existsSync, futimesSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { AppError } from "../../errors.ts";
import { errorCode, fileError } from "../files/file-errors.ts";
import { writeSessionFile } from "../session-file/new-session-file.ts";
import type { Generation, Vault } from "../vault/vault.ts";
import { isCompanion } from "./companion-files.ts";
import type { Restoration } from "./keeping-tasks.ts";
import { notKept } from "./not-kept.ts";

const COPY_BYTES = 1024 * 1024;

/**
 * Writes a kept file again, with its time and permissions. At its own place, what belongs to it is written, too, where it
 * is missing.
 *
 * @throws AppError NOT_FOUND if it is not kept, CONFLICT if a file is there, others for the file system's errors.
 */
export function restore(vault: Vault, { path, to, generation }: Restoration): void {
  const wanted = generation === null ? vault.newest(path) : vault.generations(path).find(({ id }) => id === generation);
  if (wanted === undefined || wanted === null) throw notKept(path, generation);
  writeAgain(vault, wanted, to);
  if (to !== path) return;
  for (const companion of vault.companionsOf(path)) {
    // A vault that was read from a copy may name any path.
    if (!isCompanion(companion.path, { path, format: companion.format })) continue;
    try {
      writeAgain(vault, companion, companion.path);
    } catch (error) {
      // One that is there still.
      if (!(error instanceof AppError) || error.code !== "CONFLICT") throw error;
    }
  }
}

/** The file appears as a whole, and never in the place of another. */
function writeAgain(vault: Vault, generation: Generation, path: string): void {
  // Before anything is written beside it.
  if (existsSync(path)) throw isThere(path);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeSessionFile(path, generation.mode, (descriptor) => copy(vault, generation, descriptor));
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw isThere(path);
    throw fileError(error, "write", path) ?? error;
  }
}

function isThere(path: string): AppError {
  return new AppError("CONFLICT", `There is a file ${path}; restore to another path, or move the file away first.`);
}

function copy(vault: Vault, generation: Generation, descriptor: number): void {
  const file = vault.openKept(generation);
  const buffer = Buffer.allocUnsafe(COPY_BYTES);
  for (let offset = 0; offset < file.size; ) {
    const count = file.read(buffer, offset);
    writeFileSync(descriptor, buffer.subarray(0, count));
    offset += count;
  }
  // In seconds, with fractions.
  futimesSync(descriptor, Date.now() / 1000, generation.stamp.mtime / 1000);
}
