import { AppError, type LibraryStatus } from "@sm/core";
import { openLibrary } from "@sm/core/node";
import { createDispatcher } from "@sm/router";
import { isLoopback } from "@sm/router/access";
import { type HttpServer, serveHttp } from "@sm/transport-http";
import { type Config, type LoadedConfig, loadConfig } from "./config.ts";
import { agentDirectories, configDirectory, currentPlatform, dataDirectory } from "./directories.ts";
import { createLog, type Log } from "./log.ts";
import type { Settings } from "./settings.ts";
import { StartError } from "./start-error.ts";

export interface ServerOptions {
  /** Version of the service (semver). */
  version: string;
  /** Flags and environment variables, which win over the configuration file. */
  settings: Settings;
  /** Receives the log, one JSON object a line. */
  output: { write(line: string): void };
  /** Is told how far the library is with reading and indexing. */
  onProgress?: (status: LibraryStatus) => void;
}

export interface RunningServer {
  /** Where a browser on this machine reaches the service. */
  url: string;
  log: Log;
  /** Stops accepting requests, lets running ones finish, then closes the library. */
  close(): Promise<void>;
}

/**
 * Starts the service: configuration, library, commands, HTTP. Resolves when requests are answered, which does not wait
 * for sessions to be read.
 *
 * @throws {StartError} for what the person who starts it has to change; nothing is left open then.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const startedAt = new Date();
  const { settings, version, onProgress } = options;
  const platform = currentPlatform();
  const loaded = await loadConfig(configDirectory(settings, platform), settings, platform.home);
  const { config, path: configPath } = loaded;
  if (!config.http_enabled) {
    throw new StartError(`Nothing would be served, because http_enabled is false in ${configPath}: set it to true.`);
  }
  const log = createLog(config.log_level, options.output);
  warn(loaded, log);

  const directories = { ...agentDirectories(config.agent_home, platform), dataDir: dataDirectory(settings, platform) };
  const logReady = onceReady(({ sessions }) => {
    log.info({ sessions, seconds: (Date.now() - startedAt.getTime()) / 1000 }, "Every session can be searched.");
  });
  const library = await openLibrary({
    ...directories,
    sessionPaths: config.session_paths,
    log,
    onProgress(status) {
      logReady(status);
      onProgress?.(status);
    },
  }).catch((error: unknown) => {
    // The library's own words say what is wrong with the data directory.
    throw error instanceof AppError ? new StartError(error.message) : error;
  });
  const { limits } = config;
  const http = await serveHttp(
    {
      dispatcher: createDispatcher({ sessions: library }, { log, timeoutMs: limits.command_seconds * 1000 }),
      sessions: library,
      version,
      access: {
        authEnabled: config.auth_enabled,
        allowedHosts: config.allowed_hosts,
        allowedOrigins: config.allowed_origins,
        trustedProxies: config.trusted_proxies,
      },
      limits: { bodyBytes: limits.body_bytes, connections: limits.connections },
      log,
      startedAt,
    },
    { port: config.http_port, host: config.bind_addr },
  ).catch(async (error: unknown) => {
    await library.close();
    throw listenError(error, config, configPath);
  });
  log.info({ url: http.url, version, config: configPath, ...directories }, "The service has started.");

  const stop = async (): Promise<void> => {
    log.info("The service is stopping.");
    await closeInOrder(http, library);
    log.info("The service has stopped.");
  };
  let stopped: Promise<void> | undefined;
  return {
    url: http.url,
    log,
    close() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** Running requests still need the library, which is why it closes last, and even if the server closes badly. */
async function closeInOrder(http: HttpServer, library: { close(): Promise<void> }): Promise<void> {
  try {
    await http.close();
  } finally {
    await library.close();
  }
}

function onceReady(act: (status: LibraryStatus) => void): (status: LibraryStatus) => void {
  let done = false;
  return (status) => {
    if (done || status.state !== "ready") return;
    done = true;
    act(status);
  };
}

function warn({ config, path, unknownFields }: LoadedConfig, log: Log): void {
  if (unknownFields.length > 0) {
    log.warn({ config: path, fields: unknownFields }, "The configuration has fields that this version does not know.");
  }
  if (!config.auth_enabled && config.bind_addr !== "localhost" && !isLoopback(config.bind_addr)) {
    log.warn(
      { bind_addr: config.bind_addr, config: path },
      "Everybody who reaches this machine over the network can read and change all sessions, because auth_enabled is false.",
    );
  }
}

function listenError(error: unknown, config: Config, configPath: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const { bind_addr: host, http_port: port } = config;
  const message = {
    EADDRINUSE:
      `Port ${port} on ${host} is taken, perhaps by a Session Manager that runs already. ` +
      `End that program, or choose another port with --port, or with http_port in ${configPath}.`,
    EACCES: `Port ${port} may not be used by this account: choose one above 1023 with --port, or with http_port in ${configPath}.`,
    EADDRNOTAVAIL: `${host} is no address of this machine: change --bind, or bind_addr in ${configPath}.`,
    ENOTFOUND: `${host} is no known host name: change --bind, or bind_addr in ${configPath}.`,
  }[code ?? ""];
  return message === undefined ? error : new StartError(message, { cause: error });
}
