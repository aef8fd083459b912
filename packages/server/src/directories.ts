import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import envPaths from "env-paths";
import type { Settings } from "./settings.ts";

/** What the places of files depend on, apart from settings. */
export interface Platform {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
}

export function currentPlatform(): Platform {
  return { platform: process.platform, env: process.env, home: homedir() };
}

/** The directory that holds `session-manager.json`, an absolute path. */
export function configDirectory(settings: Settings, { platform, env, home }: Platform): string {
  const setting = settings["config-dir"];
  if (setting !== undefined) return resolve(expandHome(setting.value, home));
  if (platform === "win32") return env.APPDATA || join(home, "AppData", "Roaming");
  if (platform === "darwin") return join(home, "Library", "Application Support");
  const configured = env.XDG_CONFIG_HOME;
  // The XDG specification has relative paths ignored.
  return configured !== undefined && isAbsolute(configured) ? configured : join(home, ".config");
}

/** The directory that holds the index and the user's tags and favorites, an absolute path. */
export function dataDirectory(settings: Settings, { home }: Platform): string {
  const setting = settings["data-dir"];
  if (setting !== undefined) return resolve(expandHome(setting.value, home));
  return envPaths("session-manager", { suffix: "" }).data;
}

/** The directory of what may be deleted at any time, an absolute path. */
export function cacheDirectory(): string {
  return envPaths("session-manager", { suffix: "" }).cache;
}

export interface AgentDirectories {
  /** Holds `agent/` and `gateway/`. */
  agentHome: string;
  /** Holds the agent's settings and its `sessions/`. */
  agentDir: string;
}

/**
 * Finds the coding agent's directories. A home that was given by a setting or the configuration file decides alone;
 * without one, `PI_CODING_AGENT_DIR` names the agent directory, as it does for the agent itself.
 */
export function agentDirectories(agentHome: string | null, { env, home }: Platform): AgentDirectories {
  const variable = env.PI_CODING_AGENT_DIR;
  if (agentHome === null && variable) {
    const agentDir = resolve(expandHome(variable, home));
    return { agentHome: dirname(agentDir), agentDir };
  }
  const chosen = agentHome ?? join(home, ".pi");
  return { agentHome: chosen, agentDir: join(chosen, "agent") };
}

/** Replaces a leading `~`, which only a shell would replace otherwise. */
export function expandHome(path: string, home: string): string {
  return path === "~" || /^~[/\\]/.test(path) ? join(home, path.slice(1)) : path;
}
