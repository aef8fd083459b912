import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export interface SessionFile {
  path: string;
  size: number;
  /** Milliseconds since 1970. */
  modifiedAt: number;
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
