import type { Command, Registry } from "./command.ts";
import { archiveCommands } from "./commands/archive.ts";
import { bookmarkCommands } from "./commands/bookmarks.ts";
import { configurationCommands } from "./commands/configuration.ts";
import { descriptionCommands } from "./commands/description.ts";
import { directoryCommands } from "./commands/directories.ts";
import { exportCommands } from "./commands/export.ts";
import { favoriteCommands } from "./commands/favorites.ts";
import { healthCommands } from "./commands/health.ts";
import { hubCommands } from "./commands/hub.ts";
import { liveSessionCommands } from "./commands/live-sessions.ts";
import { modelConfigCommands } from "./commands/model-config.ts";
import { noteCommands } from "./commands/notes.ts";
import { pushCommands } from "./commands/push.ts";
import { registeredSessionCommands } from "./commands/registered-sessions.ts";
import { resourceCommands } from "./commands/resources.ts";
import { retentionCommands } from "./commands/retention.ts";
import { searchCommands } from "./commands/search.ts";
import { sessionCommands } from "./commands/sessions.ts";
import { sharedProjectCommands } from "./commands/shared-projects.ts";
import { shareCommands } from "./commands/shares.ts";
import { statisticsCommands } from "./commands/statistics.ts";
import { tagCommands } from "./commands/tags.ts";
import { terminalCommands } from "./commands/terminals.ts";
import { tokenCommands } from "./commands/tokens.ts";
import { transcriptCommands } from "./commands/transcripts.ts";
import { vaultCommands } from "./commands/vault.ts";
import type * as v from "./schema/json.ts";
import type { ResultOf } from "./schema/result-by-field.ts";

/** Commands of any services. */
type Group = Readonly<Record<string, Command<v.GenericSchema, v.GenericSchema, never>>>;

/** The services used by all commands of these groups. */
type UsedBy<Groups extends Group> = Intersection<Groups extends Group ? UsedByCommand<Groups[keyof Groups]> : never>;

type UsedByCommand<One> = One extends Command<infer _Input, infer _Output, infer Used> ? Used : never;

/**
 * Collects groups of commands by name.
 *
 * @throws Error if two groups have a command of the same name.
 */
export function createRegistry<Groups extends Group>(groups: readonly Groups[]): Registry<UsedBy<Groups>> {
  const registry = new Map<string, Command<v.GenericSchema, v.GenericSchema, UsedBy<Groups>>>();
  for (const [name, command] of groups.flatMap((group) => Object.entries(group))) {
    if (registry.has(name)) throw new Error(`Duplicate command name: ${name}.`);
    registry.set(name, command);
  }
  return registry;
}

const groups = [
  healthCommands,
  descriptionCommands,
  sessionCommands,
  transcriptCommands,
  exportCommands,
  shareCommands,
  searchCommands,
  statisticsCommands,
  tagCommands,
  favoriteCommands,
  archiveCommands,
  noteCommands,
  bookmarkCommands,
  vaultCommands,
  hubCommands,
  sharedProjectCommands,
  retentionCommands,
  directoryCommands,
  configurationCommands,
  modelConfigCommands,
  resourceCommands,
  terminalCommands,
  liveSessionCommands,
  registeredSessionCommands,
  tokenCommands,
  pushCommands,
] as const;

/** Every command of the service. */
export const registry: Registry = createRegistry(groups);

type Groups = Intersection<(typeof groups)[number]>;

/** The commands of the service by name, for registries that contain a selection. */
export const commands: Readonly<Groups> = Object.assign({}, ...groups);

/** Input and output types of all commands, by name. */
export type Commands = {
  [Name in keyof Groups]: {
    input: v.InferInput<Groups[Name]["input"]>;
    output: v.InferOutput<Groups[Name]["output"]>;
  };
};

export type CommandName = keyof Commands;

export type CommandInput<Name extends CommandName> = Commands[Name]["input"];

/** Result of a command for a payload of type `Sent`; without it, for any payload. */
export type CommandOutput<Name extends CommandName, Sent = unknown> = ResultOf<Groups[Name]["output"], Sent>;

/** Commands whose result depends on the payload. */
export type DependingName = {
  [Name in CommandName]: Groups[Name]["output"] extends { results: unknown } ? Name : never;
}[CommandName];

/** Turns `A | B` into `A & B`: a function that accepts either one accepts both. */
type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
