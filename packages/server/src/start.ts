import { hostname } from "node:os";
import type { LibraryStatus } from "@sm/core";
import { ownDirectories } from "@sm/core/node";
import { checkHost, isLoopback } from "@sm/router/access";
import { createEventBus } from "@sm/router/events";
import { reachableUrls } from "./addresses.ts";
import { type AgentPlaces, otherAgentPlaces, pathsOfOthers, piPlaces } from "./agent-places.ts";
import { readAgentSessionPaths } from "./agent-session-paths.ts";
import { closeAll } from "./close-all.ts";
import { type Config, type LoadedConfig, loadConfig } from "./config.ts";
import { agentHomes, isDirectory } from "./configuration/agent-homes.ts";
import { agentDirectories, configDirectory, currentPlatform, dataDirectory } from "./directories.ts";
import { followIndex } from "./index-progress.ts";
import { publishLibraryEvent } from "./library-events.ts";
import { createLog, type Log } from "./log.ts";
import { newSecrets, serverFilePath, writeServerFile } from "./server-file.ts";
import type { Serving } from "./serving.ts";
import type { Settings } from "./settings.ts";
import { StartError } from "./start-error.ts";
import { openStores } from "./stores.ts";
import { vaultSettings } from "./vault-settings.ts";

export interface ServerOptions {
  /** Version of the service (semver). */
  version: string;
  /** Flags and environment variables, which override the configuration file. */
  settings: Settings;
  /** Directory of the built web page; without it, a plain page explains how to call the service. */
  web?: string;
  /** Uses any free port if the default one is in use and no other is configured. */
  takesFreePort?: boolean;
  /** Receives the log, one JSON object per line. */
  output: { write(line: string): void };
  /** Called with the progress of reading and indexing. */
  onProgress?: (status: LibraryStatus) => void;
}

/** An agent whose sessions are read, with the directories that exist. */
export interface FoundAgent {
  name: string;
  directories: string[];
}

export interface RunningServer {
  /** URL for a browser on this machine. */
  url: string;
  /** Token for local clients, `null` if they need none. */
  token: string | null;
  /** Path of the file with the service's address and token for other programs of this account. */
  serverFile: string;
  /** URLs for other machines, best first; empty unless it listens on all interfaces. */
  reachableUrls: readonly string[];
  /** Agents with a directory of sessions at the start. */
  agents: readonly FoundAgent[];
  log: Log;
  /** Closes event connections, ends agents and terminals, lets running requests finish, then closes the library. */
  close(): Promise<void>;
}

/**
 * Starts the service: configuration, user state, library, commands, HTTP, WebSocket and event stream. Resolves when it
 * accepts requests, without waiting for sessions to be read.
 *
 * @throws {StartError} for problems that the user must fix; nothing stays open then.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const startedAt = new Date();
  const { settings, version, web, onProgress } = options;
  const platform = currentPlatform();
  const loaded = await loadConfig(configDirectory(settings, platform), settings, platform.home);
  const { config, path: configPath } = loaded;
  if (!config.http_enabled) {
    throw new StartError(`Nothing to serve, because http_enabled is false in ${configPath}. Set it to true.`);
  }
  const log = createLog(config.log_level, options.output);
  warn(loaded, log);
  warnOfProxies(config, log);

  const secrets = newSecrets(config.local_token);
  const directories = { ...agentDirectories(config.agent_home, platform), dataDir: dataDirectory(settings, platform) };
  const agentSessionPaths = await readAgentSessionPaths(directories.agentDir, platform);
  const placesOf = (agents: Config["agents"]) => otherAgentPlaces({ ...config, agents }, platform);
  let serving: Serving | undefined;
  const bus = createEventBus({
    version,
    onDelivered: (seconds) => serving?.observeEventLag(seconds),
    outputLimits: { stallMs: config.limits.output_stall_seconds * 1_000 },
  });
  const progress = followIndex((payload) => bus.publish("index-progress", payload));
  const places = [piPlaces([...ownDirectories(directories), ...agentSessionPaths]), ...placesOf(config.agents)].filter(
    ({ enabled }) => enabled,
  );
  const logReady = onceReady(async ({ sessions, skipped_files: skipped }) => {
    const seconds = (Date.now() - startedAt.getTime()) / 1000;
    const homes = await agentHomes(places, library);
    const agents = Object.fromEntries(
      homes.flatMap(({ agent, sessions }) => (sessions > 0 ? [[agent, sessions]] : [])),
    );
    log.info({ sessions, agents, seconds }, "All sessions are indexed.");
    if (skipped > 0) {
      log.info({ files: skipped }, "Files that hold no session of a known format were skipped; see docs/formats.md.");
    }
  });
  const { state, library } = await openStores({
    ...directories,
    sessionPaths: [...agentSessionPaths, ...config.session_paths],
    ...pathsOfOthers(placesOf(config.agents)),
    prices: config.prices,
    vault: vaultSettings(config),
    mostWaiting: config.limits.waiting_commands,
    log,
    onEvent(event) {
      publishLibraryEvent(event, bus);
      if (event.type === "changes-lost" || (event.type === "records-changed" && event.added.length > 0)) {
        serving?.projectsChanged();
      }
    },
    hasSubscribers: () => bus.hasSubscribers,
    onDeleted: async (paths) => serving?.sessionsDeleted(paths),
    onProgress(status) {
      logReady(status);
      progress.update(status);
      onProgress?.(status);
    },
  });

  /** Clients first: running requests still need the library. */
  const closeInOrder = () =>
    closeAll([() => serving?.close(), () => progress.close(), () => library.close(), () => state.close()]);
  try {
    // Loaded here because it takes as long as everything before; the library's threads scan the sessions in parallel.
    const { beginServing } = await import("./serving.ts");
    const begin = (http_port: number) =>
      beginServing({
        config: { ...config, http_port },
        configPath,
        home: platform.home,
        env: platform.env,
        agentSessionPaths,
        overrides: loaded.overrides,
        otherAgentPlaces: placesOf,
        ...directories,
        ...(web !== undefined && { web }),
        version,
        startedAt,
        secrets,
        log,
        bus,
        state,
        library,
      });
    serving = await begin(config.http_port).catch((error: NodeJS.ErrnoException) => {
      if (options.takesFreePort !== true || loaded.isPortChosen || error.code !== "EADDRINUSE") throw error;
      return begin(0);
    });
  } catch (error) {
    await closeInOrder();
    throw listenError(error, config, configPath);
  }
  const { url } = serving;
  const urls = reachableUrls(url, config.bind_addr);
  const removeServerFile = await writeServerFile(
    directories.dataDir,
    { url, pid: process.pid, version, started_at: startedAt.toISOString(), ...secrets },
    log,
  );
  log.info(
    { url, ...(urls.length > 0 && { reachable_urls: urls }), version, config: configPath, ...directories },
    "The service has started.",
  );
  const agents = await tellAgents(places, log);

  const stop = async (): Promise<void> => {
    log.info("The service is stopping.");
    await closeAll([removeServerFile, closeInOrder]);
    log.info("The service has stopped.");
  };
  let stopped: Promise<void> | undefined;
  return {
    url,
    token: secrets.token,
    serverFile: serverFilePath(directories.dataDir),
    reachableUrls: urls,
    agents,
    log,
    close() {
      stopped ??= stop();
      return stopped;
    },
  };
}

function onceReady(act: (status: LibraryStatus) => Promise<void>): (status: LibraryStatus) => void {
  let done = false;
  return (status) => {
    if (done || status.state !== "ready") return;
    done = true;
    // The library may be closed meanwhile.
    act(status).catch(() => undefined);
  };
}

/** Tells whose sessions are read: of agents that have a directory. */
async function tellAgents(places: readonly AgentPlaces[], log: Log): Promise<FoundAgent[]> {
  const looked = places.map(async ({ name, directories }) => {
    const existing = await Promise.all(directories.map(isDirectory));
    return { name, directories: directories.filter((_, place) => existing[place]) };
  });
  const found = (await Promise.all(looked)).filter(({ directories }) => directories.length > 0);
  for (const { name, directories } of found) log.info({ directories }, `The sessions of ${name} are read.`);
  return found;
}

function warn({ config, path, unknownFields }: LoadedConfig, log: Log): void {
  if (unknownFields.length > 0) {
    log.warn({ config: path, fields: unknownFields }, "The configuration has unknown fields.");
  }
  if (!config.auth_enabled && config.bind_addr !== "localhost" && !isLoopback(config.bind_addr)) {
    log.warn(
      { bind_addr: config.bind_addr, config: path },
      "Anyone who can reach this machine over the network can read and change all sessions, because auth_enabled is false.",
    );
  }
}

/** Public host names suggest a proxy or tunnel, which may make all of its clients look local. */
function warnOfProxies({ allowed_hosts, local_token }: Config, log: Log): void {
  const own = new Set(["localhost", hostname().toLowerCase()]);
  const foreign = allowed_hosts.filter((name) => !checkHost(name, own).allowed);
  if (foreign.length === 0 || local_token) return;
  log.warn(
    { allowed_hosts: foreign },
    "allowed_hosts has names other than this machine's, which suggests a proxy or tunnel. If it runs under this account " +
      "or as root and sends no X-Forwarded-For, all of its clients have access without a token. Check it as " +
      'described in docs/remote-access.md, or set "local_token" to true.',
  );
}

function listenError(error: unknown, config: Config, configPath: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const { bind_addr: host, http_port: port } = config;
  const message = {
    EADDRINUSE:
      `Port ${port} on ${host} is in use, perhaps by another Session Manager. ` +
      `Stop that program, or choose another port with --port or http_port in ${configPath}.`,
    EACCES: `This account is not permitted to use port ${port}. Choose one above 1023 with --port or http_port in ${configPath}.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Change --bind or bind_addr in ${configPath}.`,
    ENOTFOUND: `The host name ${host} cannot be resolved. Change --bind or bind_addr in ${configPath}.`,
  }[code ?? ""];
  return message === undefined ? error : new StartError(message, { cause: error });
}
