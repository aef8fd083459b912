import type * as v from "valibot";
import type { Command } from "./command.ts";
import { configurationCommands } from "./commands/configuration.ts";
import { directoryCommands } from "./commands/directories.ts";
import { exportCommands } from "./commands/export.ts";
import { favoriteCommands } from "./commands/favorites.ts";
import { healthCommands } from "./commands/health.ts";
import { liveSessionCommands } from "./commands/live-sessions.ts";
import { modelConfigCommands } from "./commands/model-config.ts";
import { registeredSessionCommands } from "./commands/registered-sessions.ts";
import { resourceCommands } from "./commands/resources.ts";
import { searchCommands } from "./commands/search.ts";
import { sessionCommands } from "./commands/sessions.ts";
import { statisticsCommands } from "./commands/statistics.ts";
import { tagCommands } from "./commands/tags.ts";
import { terminalCommands } from "./commands/terminals.ts";
import { tokenCommands } from "./commands/tokens.ts";
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

const groups = [
  healthCommands,
  sessionCommands,
  transcriptCommands,
  exportCommands,
  searchCommands,
  statisticsCommands,
  tagCommands,
  favoriteCommands,
  directoryCommands,
  configurationCommands,
  modelConfigCommands,
  resourceCommands,
  terminalCommands,
  liveSessionCommands,
  registeredSessionCommands,
  tokenCommands,
] as const;

/** Every command of the service. */
export const registry: Registry = createRegistry(groups);

type Groups = Intersection<(typeof groups)[number]>;

/** What every command takes and answers, by name. */
export type Commands = {
  [Name in keyof Groups]: {
    input: v.InferInput<Groups[Name]["input"]>;
    output: v.InferOutput<Groups[Name]["output"]>;
  };
};

export type CommandName = keyof Commands;

export type CommandInput<Name extends CommandName> = Commands[Name]["input"];

export type CommandOutput<Name extends CommandName> = Commands[Name]["output"];

/** Turns `A | B` into `A & B`: a function that takes either takes both. */
type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
