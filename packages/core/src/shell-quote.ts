/** What a terminal that the argument is pasted into would take for a key, or not show. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const ESCAPED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}'\\]/gu;

/**
 * Writes an argument as POSIX shells take it. Control and invisible characters are written as octal escapes of their
 * bytes in `$'…'` (POSIX.1-2024, bash, zsh, ksh), so that none of them is a key where the command is pasted.
 */
export function shellQuote(argument: string): string {
  if (/^[\w@%+=:,./-]+$/.test(argument)) return argument;
  if (INVISIBLE.test(argument)) return `$'${argument.replace(ESCAPED, octal)}'`;
  return `'${argument.replaceAll("'", "'\\''")}'`;
}

/** Leaves a path as it is, for any program; one that a terminal would take for keys is quoted, for shells alone. */
export function pastablePath(path: string): string {
  return INVISIBLE.test(path) ? shellQuote(path) : path;
}

function octal(character: string): string {
  return [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
