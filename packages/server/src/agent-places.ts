import { isAbsolute, join, resolve } from "node:path";
import { OTHER_AGENTS, type OtherAgent } from "@sm/core";
import type { AgentCleanup, LibraryOptions } from "@sm/core/node";
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
  /** Further directories that the user has added, where sessions of any agent may be; none if absent. */
  added?: readonly string[];
  /** Those of them in which the agent deletes old files. */
  cleanups: AgentCleanup[];
}

/** Those of pi, which is never switched off: its home is `agent_home`. */
export function piPlaces(directories: readonly string[]): AgentPlaces {
  return { agent: "pi", name: "pi", enabled: true, homes: [], directories: [...new Set(directories)], cleanups: [] };
}

/** What a library is told of other agents. */
export function pathsOfOthers(
  places: readonly AgentPlaces[],
): Required<Pick<LibraryOptions, "otherAgentPaths" | "cleanups">> {
  const read = places.filter(({ enabled }) => enabled);
  return {
    otherAgentPaths: read.flatMap(({ directories }) => directories),
    cleanups: read.flatMap(({ cleanups }) => cleanups),
  };
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
    const isUsual = homes.length === 0 && agent_home === null;
    const inForce = isUsual ? usualHomes(agent, platform) : homes;
    const others = isUsual ? desktopDirectories(agent, platform) : [];
    return {
      agent: agent.agent,
      name: agent.name,
      enabled,
      homes,
      directories: [...new Set([...sessionDirectories(agent, inForce), ...others])],
      cleanups: cleanupsOf(agent, inForce),
    };
  });
}

type AgentConfig = Pick<Config, "agents" | "agent_home">;

function usualHomes(agent: OtherAgent, { env, home }: Platform): string[] {
  const variable = agent.variable === null ? undefined : env[agent.variable];
  const named = (variable ?? "").split(",").flatMap((path) => absolutePath(path.trim(), home) ?? []);
  return named.length > 0 ? named : agent.homes.map((path) => join(home, path));
}

function desktopDirectories(agent: OtherAgent, { platform, home }: Platform): string[] {
  const desktop = agent.desktop?.[platform];
  return desktop === undefined ? [] : [join(home, desktop)];
}

function sessionDirectories({ sessions }: OtherAgent, homes: readonly string[]): string[] {
  return homes.flatMap((path) => sessions.map((name) => join(path, name)));
}

function cleanupsOf(agent: OtherAgent, homes: readonly string[]): AgentCleanup[] {
  const { cleanup } = agent;
  if (cleanup === undefined) return [];
  return [...new Set(homes)].flatMap((home) => {
    const settings = join(home, cleanup.file);
    return sessionDirectories(agent, [home]).map((directory) => {
      return { directory, settings, setting: cleanup.name, defaultDays: cleanup.defaultDays };
    });
  });
}

/** A relative path depends on the directory in which the agent runs. */
function absolutePath(path: string, home: string): string | null {
  const expanded = expandHome(path, home);
  return isAbsolute(expanded) ? resolve(expanded) : null;
}
