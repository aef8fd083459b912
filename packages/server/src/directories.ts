import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import envPaths from "env-paths";
import type { Settings } from "./settings.ts";

/** What the default locations depend on, besides settings. */
export interface Platform {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
}

export function currentPlatform(): Platform {
  return { platform: process.platform, env: process.env, home: homedir() };
}

/** Directory of `session-manager.json`, an absolute path. */
export function configDirectory(settings: Settings, { platform, env, home }: Platform): string {
  const setting = settings["config-dir"];
  if (setting !== undefined) return resolve(expandHome(setting.value, home));
  if (platform === "win32") return env.APPDATA || join(home, "AppData", "Roaming");
  if (platform === "darwin") return join(home, "Library", "Application Support");
  const configured = env.XDG_CONFIG_HOME;
  // The XDG specification says to ignore relative paths.
  return configured !== undefined && isAbsolute(configured) ? configured : join(home, ".config");
}

/** Directory of the index and of the user's tags and favorites, an absolute path. */
export function dataDirectory(settings: Settings, { home }: Platform): string {
  const setting = settings["data-dir"];
  if (setting !== undefined) return resolve(expandHome(setting.value, home));
  return envPaths("session-manager", { suffix: "" }).data;
}

/** Directory of disposable data, an absolute path. */
export function cacheDirectory(): string {
  return envPaths("session-manager", { suffix: "" }).cache;
}

export interface AgentDirectories {
  /** Contains `agent/` and `gateway/`. */
  agentHome: string;
  /** Contains the agent's settings and its `sessions/`. */
  agentDir: string;
}

/**
 * Finds the coding agent's directories. A home from a setting or the configuration file takes precedence; otherwise
 * `PI_CODING_AGENT_DIR` names the agent directory, as for the agent itself.
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

/** Expands a leading `~`, as a shell would. */
export function expandHome(path: string, home: string): string {
  return path === "~" || /^~[/\\]/.test(path) ? join(home, path.slice(1)) : path;
}
