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
import { readAgentSessionPaths } from "./agent-session-paths.ts";
import { loadConfig } from "./config.ts";
import { agentDirectories, configDirectory, currentPlatform, dataDirectory } from "./directories.ts";
import { noPrograms } from "./programs.ts";
import { createServices } from "./services.ts";
import type { Settings } from "./settings.ts";
import { openStores } from "./stores.ts";

export interface LocalOptions {
  /** Flags and environment variables, which win over the configuration file. */
  settings: Settings;
  log: LibraryLog;
  /** Is told how far the library is with reading and indexing. */
  onProgress: (status: LibraryStatus) => void;
}

/** The commands, run in this process. */
export interface LocalCommands {
  dispatcher: Dispatcher;
  close(): Promise<void>;
}

/** The commands, the library that they are about, and what they have prepared for download. */
export interface LocalService extends LocalCommands, ExportSources {
  sessions: Services["sessions"];
}

/**
 * Opens what the service is without its transports: configuration, library and commands, for a program that answers
 * one question and ends. Nothing is watched and nobody is told of changes.
 *
 * @throws {StartError} for what the person who calls has to change; nothing is left open then.
 */
export async function openLocalService({ settings, log, onProgress }: LocalOptions): Promise<LocalService> {
  const platform = currentPlatform();
  const { config, path } = await loadConfig(configDirectory(settings, platform), settings, platform.home);
  const directories = agentDirectories(config.agent_home, platform);
  const { session_paths: sessionPaths } = config;
  const agentSessionPaths = await readAgentSessionPaths(directories.agentDir, platform);
  const dataDir = dataDirectory(settings, platform);
  const { state, library } = await openStores({
    ...directories,
    sessionPaths: [...agentSessionPaths, ...sessionPaths],
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
 * Opens the commands about API tokens alone, which need no session and no configuration: the first token of a service
 * may be made before its first start.
 *
 * @throws AppError `READ_ONLY` when the data directory cannot be written, `UNAVAILABLE` when a newer program wrote it.
 */
export function openLocalTokens({ settings, log }: Omit<LocalOptions, "onProgress">): LocalCommands {
  const state = openUserState({ dataDir: dataDirectory(settings, currentPlatform()), log });
  return {
    dispatcher: createDispatcher({ tokens: state.tokens }, { registry: tokenRegistry, log }),
    close: () => state.close(),
  };
}
