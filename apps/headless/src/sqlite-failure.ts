import { createRequire } from "node:module";
import { dirname, sep } from "node:path";

/** Explains how to fix SQLite's native library if it is missing or for another Node; `null` for any other error. */
export function sqliteFailure(failure: Error): string | null {
  const error = rootCause(failure);
  const code = "code" in error ? error.code : undefined;
  const isNotFound = code === "MODULE_NOT_FOUND" || code === "ERR_MODULE_NOT_FOUND";
  if (isNotFound && error.message.includes("better-sqlite3")) {
    return "SQLite (the package better-sqlite3) is not installed: run `npm install session-cli` again.";
  }
  const why = problemOf(error, code);
  if (why === null) return null;
  const { platform, arch, versions } = process;
  const where = installation();
  return (
    `SQLite does not load in Node ${versions.node} on ${platform}-${arch}, ${why}: run \`npm rebuild better-sqlite3\`` +
    `${where === null ? "" : ` in ${where}`} with this Node, which downloads it, or compiles it with Python, make and ` +
    "a C++ compiler."
  );
}

/** The library wraps the cause in UNAVAILABLE, and a failed start repeats the library's message. */
function rootCause(failure: Error): Error {
  return failure.cause instanceof Error ? rootCause(failure.cause) : failure;
}

function problemOf({ message }: Error, code: unknown): string | null {
  if (message.startsWith("Could not locate the bindings file")) return "because its installation did not compile it";
  if (code !== "ERR_DLOPEN_FAILED" || !message.includes("better_sqlite3")) return null;
  if (message.includes("NODE_MODULE_VERSION")) return "because it was compiled for another version of Node";
  return `since "${message.split("\n")[0]}"`;
}

/** The folder in which npm has installed better-sqlite3. */
function installation(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve("better-sqlite3/package.json");
    return dirname(manifest).slice(0, manifest.lastIndexOf(`${sep}node_modules${sep}`));
  } catch {
    return null;
  }
}
