import type { Library, UserState } from "@sm/core/node";
import { AnswerBudget, createDispatcher } from "@sm/router";
import type { EventBus } from "@sm/router/events";
import { type HttpOptions, type HttpServer, openWebFiles, type RefusedConnection, serveHttp } from "@sm/transport-http";
import { createMcpTransport } from "@sm/transport-mcp";
import { createEventStream } from "@sm/transport-sse";
import { createWebSocketTransport } from "@sm/transport-ws";
import { closeAll, closeAllTogether } from "./close-all.ts";
import type { Config, LoadedConfig } from "./config.ts";
import { configuredGate } from "./configured-gate.ts";
import { createServices, type ServicesOptions } from "./create-services.ts";
import { describeService } from "./describe-service.ts";
import { followEdits } from "./edits/edits.ts";
import { HubSending } from "./hub/hub-sending.ts";
import type { Log } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { affordableConnections } from "./open-files.ts";
import { createPrograms } from "./programs.ts";
import { createPush } from "./push/push.ts";
import { followResources } from "./resource-edits.ts";
import { createProof, type StartSecrets } from "./server-file.ts";
import { createShares } from "./shares/shares.ts";
import { throttle } from "./throttle.ts";
import { openUnixSocket } from "./unix-socket.ts";
import { vaultFigures } from "./vault-figures.ts";

export interface ServingOptions {
  config: Config;
  configPath: string;
  /** The account's home. */
  home: string;
  agentDir: string;
  agentHome: string;
  agentSessionPaths: string[];
  overrides: LoadedConfig["overrides"];
  otherAgentPlaces: ServicesOptions["otherAgentPlaces"];
  env: NodeJS.ProcessEnv;
  dataDir: string;
  /** Directory of the built web page. */
  web?: string;
  version: string;
  startedAt: Date;
  secrets: StartSecrets;
  log: Log;
  bus: EventBus;
  state: UserState;
  library: Library;
}

/** The commands over HTTP, WebSocket and event stream. */
export interface Serving {
  /** URL for a browser on this machine. */
  url: string;
  /** Records the delay from an event's publication to its delivery, in seconds. */
  observeEventLag(seconds: number): void;
  /** Called when sessions were added: their projects may have folders that are not watched yet. */
  projectsChanged(): void;
  /** Called when sessions were deleted on request: their links end. */
  sessionsDeleted(paths: readonly string[]): Promise<void>;
  /** Closes event connections, ends agents and terminals, and lets running requests finish. */
  close(): Promise<void>;
}

const REFUSAL_LOG_INTERVAL_MS = 60_000;

/** The setting that raises each limit. */
const LIMIT_SETTINGS: Readonly<Record<RefusedConnection["limit"], string>> = {
  connections: "limits.connections",
  addressConnections: "limits.address_connections",
};

/**
 * Starts to accept requests.
 *
 * @throws the system's error, with its `code`, if listening fails; nothing stays open then.
 */
export async function beginServing(options: ServingOptions): Promise<Serving> {
  const { config, version, startedAt, secrets, log, bus, state, library } = options;
  const { limits } = config;
  let url = "";
  const programs = createPrograms({
    ...options,
    tokens: state.tokens,
    serviceUrl: () => url,
    onAgentState: (id, agentState) => push.stateChanged(id, agentState),
  });
  const push = createPush({ ...options, tokens: state.tokens, sessions: () => programs.liveSessions.list() });
  const figures = vaultFigures(library.vault);
  const metrics = createMetrics({
    status: () => library.status(),
    watchEvents: () => library.watchEvents,
    indexedBytes: () => library.indexedBytes,
    memory: () => library.memory,
    vault: () => figures.status(),
    webSockets: () => webSockets.connections,
    eventStreams: () => eventStream.connections,
    terminals: () => programs.openTerminals,
    liveSessions: () => programs.runningAgents,
    answerBytes: () => budget.reservedBytes,
    waitingAnswers: () => budget.waiting,
  });
  const gate = configuredGate(config, state.tokens, log, metrics, secrets.token);
  const shares = createShares({ ...options, serviceUrl: () => url });
  const hubSending = new HubSending({ outbox: library.outbox, log });
  const services = createServices({
    hubSending,
    path: options.configPath,
    home: options.home,
    agentDir: options.agentDir,
    agentHome: options.agentHome,
    dataDir: options.dataDir,
    sessionPaths: config.session_paths,
    agentSessionPaths: options.agentSessionPaths,
    overrides: options.overrides,
    agents: config.agents,
    otherAgentPlaces: options.otherAgentPlaces,
    env: options.env,
    library,
    state,
    programs,
    shares,
    push,
    bus,
    log,
  });
  const budget = new AnswerBudget({ bytes: limits.answer_bytes, mostOfClient: limits.waiting_commands });
  const dispatcher = createDispatcher(services, {
    log,
    budget,
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
  const mcp = createMcpTransport({ dispatcher, version, redacts: config.mcp.redact, log });
  const servers: Pick<HttpServer, "close">[] = [];
  const closeListeners = [
    () => webSockets.close(),
    () => eventStream.close(),
    () => closeAllTogether(servers.map((server) => () => server.close())),
  ];
  try {
    const web = options.web === undefined ? null : await openWebFiles(options.web);
    const http: HttpOptions = {
      dispatcher,
      sessions: library,
      exportTickets: services.exportTickets,
      shares,
      version,
      gate,
      budget,
      prove: createProof(secrets.secret),
      mounts: { "/api/events": eventStream.serve },
      ...(config.mcp.enabled && { postMounts: { "/mcp": mcp.serve } }),
      onUpgrade: webSockets.upgrade,
      ...(web !== null && { web }),
      openApi: describeService,
      metrics,
      vaultProblems: () => figures.problems(),
      onRequest: metrics.countRequest,
      onRefused: throttle(REFUSAL_LOG_INTERVAL_MS, ({ address, limit }) =>
        log.warn({ address, setting: LIMIT_SETTINGS[limit] }, "A connection was closed because too many are open."),
      ),
      limits: {
        bodyBytes: limits.body_bytes,
        connections: await affordableConnections(limits.connections, log),
        addressConnections: limits.address_connections,
      },
      log,
      startedAt,
    };
    const overTcp = await serveHttp(http, { port: config.http_port, host: config.bind_addr });
    servers.push(overTcp);
    if (config.socket_path !== null) servers.push(await openUnixSocket(http, config.socket_path));
    url = overTcp.url;
    shares.watchExpiry();
    hubSending.configure(config.hub);
    const edits = followEdits({ followed: [services.configuration.files, followResources(options)], log });
    return {
      url,
      projectsChanged: edits.lookSoon,
      sessionsDeleted: shares.sessionsDeleted,
      observeEventLag: metrics.observeEventLag,
      close: () =>
        closeAll([
          // Clients are notified first. Running requests may wait for agents, so both end at the same time.
          () => closeAllTogether([() => closeAll(closeListeners), programs.close]),
          edits.close,
          () => hubSending.close(),
          shares.close,
          push.close,
        ]),
    };
  } catch (error) {
    await closeAll(closeListeners);
    throw error;
  }
}
