import { basename } from "node:path";

/**
 * Files of the agent with secrets: `auth.json` and `mcp-auth.json` entirely, `mcp.json` in the headers and environments
 * of servers. They are in the agent's directory and in projects (`.pi/mcp.json`).
 */
const SECRET_FILES: ReadonlySet<string> = new Set(["auth.json", "mcp-auth.json", "mcp.json"]);

/** Whether a path, with links resolved, is a file that is never read, served, exported or replaced. */
export function isSecretFile(path: string): boolean {
  // Some file systems are case-insensitive.
  return SECRET_FILES.has(basename(path).toLowerCase());
}
