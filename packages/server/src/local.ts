/// <reference types="node" preserve="true" />
import type { LibraryStatus } from "@sm/core";
import { type LibraryLog, openUserState } from "@sm/core/node";
import {
  commands,
  createDispatcher,
  createRegistry,
  type Dispatcher,
  type ExportSources,
  type Services,
} from "@sm/router";
import { otherAgentPlaces, readDirectories } from "./agent-places.ts";
import { readAgentSessionPaths } from "./agent-session-paths.ts";
import { type Config, loadConfig } from "./config.ts";
import { createServices } from "./create-services.ts";
import { agentDirectories, configDirectory, currentPlatform, dataDirectory } from "./directories.ts";
import { noPrograms } from "./programs.ts";
import type { Settings } from "./settings.ts";
import { openStores } from "./stores.ts";

export interface LocalOptions {
  /** Flags and environment variables, which override the configuration file. */
  settings: Settings;
  log: LibraryLog;
  /** Called with the progress of reading and indexing. */
  onProgress: (status: LibraryStatus) => void;
}

/** The commands, run in this process. */
export interface LocalCommands {
  dispatcher: Dispatcher;
  close(): Promise<void>;
}

/** The commands with their library and their prepared downloads. */
export interface LocalService extends LocalCommands, ExportSources {
  sessions: Services["sessions"];
}

/**
 * Opens configuration, library and commands without transports, for a program that runs one command and exits. Watches
 * nothing and publishes no events.
 *
 * @throws {StartError} for problems that the user must fix; nothing stays open then.
 */
export async function openLocalService({ settings, log, onProgress }: LocalOptions): Promise<LocalService> {
  const platform = currentPlatform();
  const { config, path } = await loadConfig(configDirectory(settings, platform), settings, platform.home);
  const directories = agentDirectories(config.agent_home, platform);
  const { session_paths: sessionPaths, agents } = config;
  const placesOf = (switches: Config["agents"]) => otherAgentPlaces({ ...config, agents: switches }, platform);
  const agentSessionPaths = await readAgentSessionPaths(directories.agentDir, platform);
  const dataDir = dataDirectory(settings, platform);
  const { state, library } = await openStores({
    ...directories,
    sessionPaths: [...agentSessionPaths, ...sessionPaths],
    otherAgentPaths: readDirectories(placesOf(agents)),
    prices: config.prices,
    dataDir,
    log,
    watch: false,
    onProgress,
  });
  const services = createServices({
    path,
    home: platform.home,
    env: platform.env,
    ...directories,
    dataDir,
    sessionPaths,
    agentSessionPaths,
    agents,
    otherAgentPlaces: placesOf,
    library,
    state,
    programs: noPrograms(),
    bus: { publish: () => undefined },
    log,
  });
  return {
    dispatcher: createDispatcher(services, { log }),
    sessions: library,
    exportTickets: services.exportTickets,
    async close() {
      await library.close();
      await state.close();
    },
  };
}

const { create_token, list_tokens, revoke_token } = commands;
const tokenRegistry = createRegistry([{ create_token, list_tokens, revoke_token }]);

/**
 * Opens only the commands for API tokens, which need no sessions and no configuration: the first token may be created
 * before the first start.
 *
 * @throws AppError `READ_ONLY` if the data directory is not writable, `UNAVAILABLE` if a newer version wrote it.
 */
export function openLocalTokens({ settings, log }: Omit<LocalOptions, "onProgress">): LocalCommands {
  const state = openUserState({ dataDir: dataDirectory(settings, currentPlatform()), log });
  return {
    dispatcher: createDispatcher({ tokens: state.tokens }, { registry: tokenRegistry, log }),
    close: () => state.close(),
  };
}
