import { isAbsolute, join, resolve } from "node:path";
import { OTHER_AGENTS, type OtherAgent } from "@sm/core";
import type { Config } from "./config.ts";
import { expandHome, type Platform } from "./directories.ts";

/** Where the sessions of an agent are looked for. */
export interface AgentPlaces {
  /** Name in session-manager.json, or `pi`. */
  agent: string;
  /** Name for people. */
  name: string;
  enabled: boolean;
  /** As configured. */
  homes: string[];
  /** Absolute paths; they may be missing. Not read unless enabled. */
  directories: string[];
}

/** Those of pi, which is never switched off: its home is `agent_home`. */
export function piPlaces(directories: readonly string[]): AgentPlaces {
  return { agent: "pi", name: "pi", enabled: true, homes: [], directories: [...new Set(directories)] };
}

/** The directories that are read. */
export function readDirectories(places: readonly AgentPlaces[]): string[] {
  return places.flatMap(({ enabled, directories }) => (enabled ? directories : []));
}

/**
 * Finds the session directories of all agents besides pi.
 *
 * A chosen `agent_home` stands for all of the account: its owner's usual homes, and variables that name others, do not
 * count then, only homes that are configured. So a service on a copy, a sample or a test's folder never reads the
 * sessions of whoever starts it.
 */
export function otherAgentPlaces({ agents, agent_home }: AgentConfig, platform: Platform): AgentPlaces[] {
  return OTHER_AGENTS.map((agent) => {
    const { enabled, homes } = agents[agent.agent];
    const usual = agent_home === null ? usualDirectories(agent, platform) : [];
    const chosen = homes.length > 0 ? sessionDirectories(agent, homes) : usual;
    return { agent: agent.agent, name: agent.name, enabled, homes, directories: [...new Set(chosen)] };
  });
}

type AgentConfig = Pick<Config, "agents" | "agent_home">;

function usualDirectories(agent: OtherAgent, { platform, env, home }: Platform): string[] {
  const variable = agent.variable === null ? undefined : env[agent.variable];
  const named = (variable ?? "").split(",").flatMap((path) => absolutePath(path.trim(), home) ?? []);
  const homes = named.length > 0 ? named : agent.homes.map((path) => join(home, path));
  const desktop = agent.desktop?.[platform];
  return [...sessionDirectories(agent, homes), ...(desktop === undefined ? [] : [join(home, desktop)])];
}

function sessionDirectories({ sessions }: OtherAgent, homes: readonly string[]): string[] {
  return homes.flatMap((path) => sessions.map((name) => join(path, name)));
}

/** A relative path depends on the directory in which the agent runs. */
function absolutePath(path: string, home: string): string | null {
  const expanded = expandHome(path, home);
  return isAbsolute(expanded) ? resolve(expanded) : null;
}
