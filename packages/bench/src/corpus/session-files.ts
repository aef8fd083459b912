import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";

export interface SessionFile {
  path: string;
  size: number;
  /** Milliseconds since 1970. */
  modifiedAt: number;
}

/** Where the agent keeps a session, relative to the agent home. */
export function sessionPath({ id, cwd, startedAt }: { id: string; cwd: string; startedAt: number }): string {
  const folder = `--${cwd.slice(1).replaceAll("/", "-")}--`;
  const stamp = new Date(startedAt).toISOString().replaceAll(/[:.]/g, "-");
  return join("agent", "sessions", folder, `${stamp}_${id}.jsonl`);
}

/** Lists all session files below an agent home. */
export function sessionFiles(agentHome: string): SessionFile[] {
  const root = join(agentHome, "agent", "sessions");
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => {
      const path = join(root, name);
      const { size, mtimeMs } = statSync(path);
      return { path, size, modifiedAt: mtimeMs };
    });
}

/** Reads every session once, so that all that is measured afterwards finds the files in the page cache. */
export function warmPageCache(agentHome: string): void {
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  for (const { path } of sessionFiles(agentHome)) {
    const file = openSync(path, "r");
    while (readSync(file, buffer) > 0);
    closeSync(file);
  }
}
