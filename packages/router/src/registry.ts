import type { Command } from "./command.ts";
import { directoryCommands } from "./commands/directories.ts";
import { exportCommands } from "./commands/export.ts";
import { favoriteCommands } from "./commands/favorites.ts";
import { healthCommands } from "./commands/health.ts";
import { searchCommands } from "./commands/search.ts";
import { sessionCommands } from "./commands/sessions.ts";
import { transcriptCommands } from "./commands/transcripts.ts";

/** Commands by name. A map, so that `__proto__` and `constructor` are no commands. */
export type Registry = ReadonlyMap<string, Command>;

/**
 * Collects groups of commands under their names.
 *
 * @throws Error if two groups have a command of the same name.
 */
export function createRegistry(groups: readonly Readonly<Record<string, Command>>[]): Registry {
  const registry = new Map<string, Command>();
  for (const [name, command] of groups.flatMap((group) => Object.entries(group))) {
    if (registry.has(name)) throw new Error(`There are two commands named ${name}.`);
    registry.set(name, command);
  }
  return registry;
}

/** Every command of the service. */
export const registry: Registry = createRegistry([
  healthCommands,
  sessionCommands,
  transcriptCommands,
  exportCommands,
  searchCommands,
  favoriteCommands,
  directoryCommands,
]);
