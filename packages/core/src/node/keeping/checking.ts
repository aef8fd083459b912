import type { VaultDamageReport } from "../../vault.ts";
import type { Generation, Vault } from "../vault/vault.ts";
import { type OriginalFile, openOriginal } from "./original-file.ts";

type Damaged = ReturnType<Vault["verify"]>["damaged"][number];

/** A hundred megabytes at most. */
const ROWS_AT_ONCE = 100;

/** Reads the next part of a vault, and takes what is damaged from the originals that still have it. */
export function checkNext(
  vault: Vault,
  cursor: string | null,
): { checked: number; damaged: VaultDamageReport[]; next: string | null } {
  const { checked, damaged, next } = vault.verify(cursor, ROWS_AT_ONCE);
  return { checked, damaged: damaged.flatMap((one) => repaired(vault, one)), next };
}

function repaired(vault: Vault, damaged: Damaged): VaultDamageReport[] {
  const paths = [...new Set(damaged.places.map(({ path }) => path))];
  // One original gives the bytes back to all files that have them.
  const isWhole = paths.some((path) => mended(path, (original) => vault.repair(damaged, original)));
  return paths.map((path) => ({ path, is_repaired: isWhole || keptAnew(vault, path) }));
}

/** Keeps a file as a whole once more. */
function keptAnew(vault: Vault, path: string): boolean {
  const newest: Generation | null = vault.newest(path);
  if (newest === null) return false;
  const { owner, format, sessionId } = newest;
  return mended(path, ({ stamp, mode, read }) => {
    vault.keepAnew({ path, owner, format, sessionId, stamp, mode, read });
    return true;
  });
}

/** @returns `false` also if there is no original that can be read. */
function mended(path: string, mend: (original: OriginalFile) => boolean): boolean {
  let original: OriginalFile;
  try {
    original = openOriginal(path);
  } catch {
    return false;
  }
  try {
    return mend(original);
  } finally {
    original.close();
  }
}
