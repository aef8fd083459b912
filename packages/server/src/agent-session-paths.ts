import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@sm/core";
import { readWholeFile } from "@sm/core/files";
import { MAX_BYTES } from "./config.ts";
import { expandHome, type Platform } from "./directories.ts";

type AgentPlatform = Pick<Platform, "env" | "home">;

/**
 * Session directories of the agent besides its default one: `PI_CODING_AGENT_SESSION_DIR`, and `sessionDir` of its
 * global settings (agent 1.5.2, `core/settings-manager`). Ignores relative paths, which depend on the agent's working
 * directory, and `sessionDir` of project settings: a downloaded project could name any folder of the user.
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

/** Reads them before anything else is opened; none if the settings cannot be read. */
export async function readAgentSessionPaths(agentDir: string, platform: AgentPlatform): Promise<string[]> {
  const path = join(agentDir, "settings.json");
  const text = await readWholeFile(path, MAX_BYTES).then(String, () => "");
  if (!text.includes("sessionDir")) return agentSessionPaths(null, platform);
  // Loaded on demand: most settings have none, and this delays the start.
  const { readConfigFile } = await import("./configuration/config-files.ts");
  const settings = await readConfigFile(path).catch(() => null);
  return agentSessionPaths(settings?.value ?? null, platform);
}
