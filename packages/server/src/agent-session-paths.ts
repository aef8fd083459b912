import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@sm/core";
import { readWholeFile } from "@sm/core/files";
import { LARGEST_BYTES } from "./config.ts";
import { expandHome, type Platform } from "./directories.ts";

type AgentPlatform = Pick<Platform, "env" | "home">;

/**
 * Lists the directories in which the agent keeps sessions beside its default one: what `PI_CODING_AGENT_SESSION_DIR` says,
 * and `sessionDir` of its global settings (agent 1.5.2, `core/settings-manager`). Relative ones are left out: for the
 * agent they are another folder in each working directory. So is `sessionDir` of a project's settings: a project from
 * somewhere else could name any folder of the user.
 */
export function agentSessionPaths(settings: JsonObject | null, { env, home }: AgentPlatform): string[] {
  const named = [env.PI_CODING_AGENT_SESSION_DIR, settings?.sessionDir];
  const paths = named.flatMap((path) => (typeof path === "string" ? (absolutePath(path, home) ?? []) : []));
  return [...new Set(paths)];
}

function absolutePath(path: string, home: string): string | null {
  try {
    const expanded = path.startsWith("file://") ? fileURLToPath(path) : expandHome(path, home);
    return isAbsolute(expanded) ? resolve(expanded) : null;
  } catch {
    return null;
  }
}

/** Lists them before anything else is opened. Settings that cannot be read name none. */
export async function readAgentSessionPaths(agentDir: string, platform: AgentPlatform): Promise<string[]> {
  const path = join(agentDir, "settings.json");
  const text = await readWholeFile(path, LARGEST_BYTES).then(String, () => "");
  if (!text.includes("sessionDir")) return agentSessionPaths(null, platform);
  // Loaded when needed: most settings do not name one, and a start waits for this.
  const { readConfigFile } = await import("./configuration/config-files.ts");
  const settings = await readConfigFile(path).catch(() => null);
  return agentSessionPaths(settings?.value ?? null, platform);
}
