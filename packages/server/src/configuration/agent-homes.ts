import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type AgentHome, type AgentSwitches, isJsonObject, type JsonObject, OTHER_AGENTS } from "@sm/core";
import type { Library } from "@sm/core/node";
import type { AgentPlaces } from "../agent-places.ts";

/** Looks which directories of agents exist, and counts their files. */
export async function agentHomes(
  places: readonly AgentPlaces[],
  library: Pick<Library, "filesIn">,
): Promise<AgentHome[]> {
  const all = places.map(({ directories, added = [] }) => [...new Set([...directories, ...added])]);
  const counts = await library.filesIn(all.flat());
  const homes = places.map(async ({ agent, name, enabled, homes, directories }, index) => {
    const looked = all[index] ?? [];
    const own = counts.splice(0, looked.length);
    return {
      agent,
      name,
      enabled,
      homes,
      directories: await Promise.all(
        looked.map(async (path, place) => {
          return { path, exists: await isDirectory(path), skipped_files: own[place]?.skipped ?? 0 };
        }),
      ),
      read_only: OTHER_AGENTS.some((other) => other.agent === agent && other.onlyRead),
      // What was added may hold sessions of others.
      sessions: own.slice(0, directories.length).reduce((sum, { sessions }) => sum + sessions, 0),
    };
  });
  return Promise.all(homes);
}

export async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}

/** `agents` of session-manager.json with other switches; what else it holds stays. */
export function withSwitches(before: JsonObject[string] | undefined, given: AgentSwitches): JsonObject {
  const agents = isJsonObject(before) ? before : {};
  const changed: JsonObject = {};
  for (const [agent, chosen] of Object.entries(given)) {
    if (chosen === undefined) continue;
    const other = isJsonObject(agents[agent]) ? agents[agent] : {};
    // Normalized as at the next start: without "..", double and trailing separators.
    changed[agent] = { ...other, enabled: chosen.enabled, homes: chosen.homes.map((path) => resolve(path)) };
  }
  return { ...agents, ...changed };
}
