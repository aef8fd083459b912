import type { Library, UserState } from "@sm/core/node";
import { createDispatcher } from "@sm/router";
import type { EventBus } from "@sm/router/events";
import { openWebFiles, serveHttp } from "@sm/transport-http";
import { createEventStream } from "@sm/transport-sse";
import { createWebSocketTransport } from "@sm/transport-ws";
import { closeAll, closeAllTogether } from "./close-all.ts";
import type { Config } from "./config.ts";
import { configuredGate } from "./gate.ts";
import type { Log } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { createPrograms } from "./programs.ts";
import { createServices } from "./services.ts";

export interface ServingOptions {
  config: Config;
  configPath: string;
  /** Of the account. */
  home: string;
  agentDir: string;
  agentHome: string;
  dataDir: string;
  /** Directory of the built page. */
  web?: string;
  version: string;
  startedAt: Date;
  log: Log;
  bus: EventBus;
  state: UserState;
  library: Library;
}

/** The commands over HTTP, WebSocket and event stream. */
export interface Serving {
  /** Where a browser on this machine reaches the service. */
  url: string;
  /** Takes the seconds from an event's publication to its delivery to one subscriber. */
  observeEventLag(seconds: number): void;
  /** Sends away who only listens, ends agents and terminals, and lets running requests finish. */
  close(): Promise<void>;
}

/**
 * Begins to answer requests.
 *
 * @throws the system's error, with its `code`, where the address cannot be listened on; nothing is left open then.
 */
export async function beginServing(options: ServingOptions): Promise<Serving> {
  const { config, version, startedAt, log, bus, state, library } = options;
  const { limits } = config;
  let url = "";
  const programs = createPrograms({ ...options, serviceUrl: () => url });
  const metrics = createMetrics({
    status: () => library.status(),
    watchEvents: () => library.watchEvents,
    webSockets: () => webSockets.connections,
    eventStreams: () => eventStream.connections,
    terminals: () => programs.openTerminals,
    liveSessions: () => programs.runningAgents,
  });
  const gate = configuredGate(config, state.tokens, log, metrics);
  const services = createServices({
    path: options.configPath,
    home: options.home,
    agentDir: options.agentDir,
    agentHome: options.agentHome,
    dataDir: options.dataDir,
    sessionPaths: config.session_paths,
    library,
    state,
    programs,
    bus,
    log,
  });
  const dispatcher = createDispatcher(services, {
    log,
    timeoutMs: limits.command_seconds * 1000,
    onCommand: metrics.countCommand,
  });
  const webSockets = createWebSocketTransport({
    dispatcher,
    bus,
    gate,
    version,
    limits: { messageBytes: limits.message_bytes, inFlight: limits.connection_commands },
    log,
  });
  const eventStream = createEventStream({ bus, gate, log, version });
  const closeListeners = [() => webSockets.close(), () => eventStream.close()];
  try {
    const web = options.web === undefined ? null : await openWebFiles(options.web);
    const http = await serveHttp(
      {
        dispatcher,
        sessions: library,
        exportTickets: services.exportTickets,
        version,
        gate,
        mounts: { "/api/events": eventStream.serve },
        onUpgrade: webSockets.upgrade,
        ...(web !== null && { web }),
        metrics,
        onRequest: metrics.countRequest,
        limits: { bodyBytes: limits.body_bytes, connections: limits.connections },
        log,
        startedAt,
      },
      { port: config.http_port, host: config.bind_addr },
    );
    url = http.url;
    const endFollowing = services.configuration.followEdits();
    return {
      url,
      observeEventLag: metrics.observeEventLag,
      close: () =>
        closeAll([
          // Clients are told first. Requests that run may wait for agents, so these end at the same time.
          () => closeAllTogether([() => closeAll([...closeListeners, () => http.close()]), programs.close]),
          endFollowing,
        ]),
    };
  } catch (error) {
    await closeAll(closeListeners);
    throw error;
  }
}
