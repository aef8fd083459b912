import { basename } from "node:path";

/**
 * Names of the agent's files that hold secrets: `auth.json` and `mcp-auth.json` nothing else, `mcp.json` keys in the
 * headers and environments of servers. They lie in the agent's directory and in projects (`.pi/mcp.json`).
 */
const SECRET_FILES: ReadonlySet<string> = new Set(["auth.json", "mcp-auth.json", "mcp.json"]);

/** Tells whether a path, with all links resolved, is of a file that is never read, served, exported or replaced. */
export function isSecretFile(path: string): boolean {
  // Some file systems do not tell upper case from lower case.
  return SECRET_FILES.has(basename(path).toLowerCase());
}
