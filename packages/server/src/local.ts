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
import type { EventPayloads } from "@sm/router/events";
import { otherAgentPlaces, pathsOfOthers } from "./agent-places.ts";
import { readAgentSessionPaths } from "./agent-session-paths.ts";
import { type Config, loadConfig } from "./config.ts";
import { createServices } from "./create-services.ts";
import { agentDirectories, configDirectory, currentPlatform, dataDirectory } from "./directories.ts";
import { stoppedSending } from "./hub/hub-sending.ts";
import { noPrograms } from "./programs.ts";
import { createPush } from "./push/push.ts";
import type { Settings } from "./settings.ts";
import { createShares, type Shares } from "./shares/shares.ts";
import { openStores } from "./stores.ts";

export interface LocalOptions {
  /** Flags and environment variables, which override the configuration file. */
  settings: Settings;
  log: LibraryLog;
  /** Called with the progress of reading and indexing. */
  onProgress: (status: LibraryStatus) => void;
  /** Called with the progress of a verification of the vault. */
  onVerification?: (checked: number, total: number) => void;
}

/** The commands, run in this process. */
export interface LocalCommands {
  dispatcher: Dispatcher;
  close(): Promise<void>;
}

/** The commands with their library and their prepared downloads. */
export interface LocalService extends LocalCommands, ExportSources {
  sessions: Services["sessions"];
  vault: Services["vault"];
}

/**
 * Opens configuration, library and commands without transports, for a program that runs one command and exits. Watches
 * nothing and publishes no events.
 *
 * @throws {StartError} for problems that the user must fix; nothing stays open then.
 */
export async function openLocalService({
  settings,
  log,
  onProgress,
  onVerification,
}: LocalOptions): Promise<LocalService> {
  const platform = currentPlatform();
  const { config, path, overrides } = await loadConfig(configDirectory(settings, platform), settings, platform.home);
  const directories = agentDirectories(config.agent_home, platform);
  const { session_paths: sessionPaths, agents } = config;
  const placesOf = (switches: Config["agents"]) => otherAgentPlaces({ ...config, agents: switches }, platform);
  const agentSessionPaths = await readAgentSessionPaths(directories.agentDir, platform);
  const dataDir = dataDirectory(settings, platform);
  let shares: Shares | undefined;
  const { state, library } = await openStores({
    ...directories,
    sessionPaths: [...agentSessionPaths, ...sessionPaths],
    ...pathsOfOthers(placesOf(agents)),
    prices: config.prices,
    dataDir,
    log,
    watch: false,
    onProgress,
    onDeleted: async (paths) => shares?.sessionsDeleted(paths),
  });
  // Where the service will be once it runs.
  const serviceUrl = () => `http://127.0.0.1:${config.http_port}`;
  shares = createShares({ config, dataDir, library, serviceUrl, log });
  // Only a running service has agents to tell of.
  const push = createPush({ dataDir, library, tokens: state.tokens, sessions: async () => [], log });
  const services = createServices({
    path,
    home: platform.home,
    env: platform.env,
    ...directories,
    dataDir,
    sessionPaths,
    agentSessionPaths,
    overrides,
    agents,
    otherAgentPlaces: placesOf,
    library,
    state,
    programs: noPrograms(),
    shares,
    push,
    // Only a running service sends.
    hubSending: stoppedSending(config.hub),
    // Nobody follows other events.
    bus: {
      publish(name, payload) {
        if (name !== "vault-verification") return;
        const { checked, total } = payload as EventPayloads["vault-verification"];
        onVerification?.(checked, total);
      },
    },
    log,
  });
  return {
    dispatcher: createDispatcher(services, { log }),
    sessions: library,
    vault: services.vault,
    exportTickets: services.exportTickets,
    async close() {
      push.close();
      await library.close();
      await state.close();
    },
  };
}

/**
 * Whether answers to agents have secrets replaced, as the configuration says.
 *
 * @throws {StartError} for a configuration that cannot be read.
 */
export async function redactsForAgents(settings: Settings): Promise<boolean> {
  const platform = currentPlatform();
  const { config } = await loadConfig(configDirectory(settings, platform), settings, platform.home);
  return config.mcp.redact;
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
