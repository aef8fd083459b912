import { hostname } from "node:os";
import { AppError } from "@sm/core";
import { AnswerBudget } from "@sm/router";
import { type Settings, StartError } from "@sm/server";
import {
  affordableConnections,
  closeAll,
  configDirectory,
  configuredGate,
  createLog,
  createMetrics,
  currentPlatform,
  describeService,
  type Log,
  loadConfig,
  reachableUrls,
} from "@sm/server/parts";
import { HUB_FIGURES, Hub, OBJECT_FIGURES } from "@sm/store-postgres";
import { openWebFiles, serveHttp } from "@sm/transport-http";
import { createMcpTransport } from "@sm/transport-mcp";
import { createEventStream } from "@sm/transport-sse";
import { createWebSocketTransport } from "@sm/transport-ws";
import { openSignIn } from "./sign-in/open-sign-in.ts";
import { UserSpace } from "./user-space.ts";
import { UserSpaces } from "./user-spaces.ts";

export interface HubOptions {
  /** Version of the service (semver). */
  version: string;
  /** Address of the database: `postgres://user@host/database`. */
  store: string;
  /** Flags and environment variables, which override the configuration file. */
  settings: Settings;
  /** Directory of the built web page. */
  web?: string;
  /** Receives the log, one JSON object per line. */
  output: { write(line: string): void };
}

export interface RunningHub {
  /** URL for a browser on this machine. */
  url: string;
  /** URLs for other machines, best first; empty unless it listens on all interfaces. */
  reachableUrls: readonly string[];
  /** Of the owner, where the hub had no users until now; it is shown once. */
  firstToken: string | null;
  log: Log;
  close(): Promise<void>;
}

/**
 * Starts a server of a hub, of which there may be any number beside each other.
 *
 * @throws {StartError} for problems that the user must fix; nothing stays open then.
 */
export async function startHub(options: HubOptions): Promise<RunningHub> {
  const { settings, version, store: url, web } = options;
  const startedAt = new Date();
  const platform = currentPlatform();
  const { config } = await loadConfig(configDirectory(settings, platform), settings, platform.home);
  const { limits } = config;
  const log = createLog(config.log_level, options.output);
  const hub = await Hub.open({
    url,
    log,
    mostWaiting: limits.waiting_commands,
    chunkStore: config.chunk_store,
  }).catch((error: unknown) => {
    throw error instanceof AppError ? new StartError(error.message, { cause: error }) : error;
  });
  const budget = new AnswerBudget({ bytes: limits.answer_bytes, mostOfClient: limits.waiting_commands });
  const commands = {
    log,
    budget,
    timeoutMs: limits.command_seconds * 1_000,
    onCommand: (done: Parameters<typeof metrics.countCommand>[0]) => metrics.countCommand(done),
  };
  const spaces = new UserSpaces({
    ownerOf: (tokenId) => hub.ownerOf(tokenId),
    commands,
    open: (userId) =>
      new UserSpace({
        ...hub.spaceOf(userId),
        version,
        log,
        commands,
        onDelivered: (seconds) => metrics.observeEventLag(seconds),
      }),
    log,
  });
  const objects = hub.objectFigures();
  const metrics = createMetrics({
    status: () => hub.status(),
    watchEvents: () => 0,
    indexedBytes: () => 0,
    memory: () => NO_MEMORY,
    vault: async () => null,
    webSockets: () => webSockets.connections,
    eventStreams: () => eventStream.connections,
    terminals: () => 0,
    liveSessions: () => 0,
    answerBytes: () => budget.reservedBytes,
    waitingAnswers: () => budget.waiting,
    others: [
      { help: HUB_FIGURES, label: "machine", read: () => hub.figures() },
      ...(objects === null
        ? []
        : [{ help: OBJECT_FIGURES, label: "request", areSums: true, read: async () => hub.objectFigures() ?? {} }]),
    ],
  });
  const gate = configuredGate({ ...config, auth_enabled: true, local_users: "all" }, hub.tokens, log, metrics, null, {
    localNeedsToken: true,
  });
  const webSockets = createWebSocketTransport({
    dispatcher: spaces,
    bus: spaces,
    gate,
    version,
    limits: { messageBytes: limits.message_bytes, inFlight: limits.connection_commands },
    log,
  });
  const eventStream = createEventStream({ bus: spaces, gate, log, version });
  const mcp = createMcpTransport({ dispatcher: spaces, version, redacts: config.mcp.redact, log });

  hub.listen(
    (userId) => {
      if (userId !== null) spaces.opened(userId)?.follow();
      else for (const space of spaces.all) space.follow();
    },
    (projectId) => {
      for (const space of spaces.all) space.followShared(projectId);
    },
  );

  try {
    const signIn = await openSignIn(config, { signIns: hub.signIns, log });
    const firstToken = await hub.firstToken(hostname());
    const files = web === undefined ? null : await openWebFiles(web);
    const http = await serveHttp(
      {
        dispatcher: spaces,
        sessions: {
          exportStream: async (exported, requester = {}) =>
            spaces.of(requester).library.exportStream(exported, requester),
          status: () => hub.status(),
        },
        hub: hub.receiver,
        ...(signIn !== null && { signIn }),
        exportTickets: {
          look: async (ticket, requester = {}) => spaces.of(requester).exportTickets.look(ticket, requester),
          redeem: async (ticket, requester = {}) => spaces.of(requester).exportTickets.redeem(ticket, requester),
        },
        version,
        gate,
        budget,
        mounts: { "/api/events": eventStream.serve },
        ...(config.mcp.enabled && { postMounts: { "/mcp": mcp.serve } }),
        onUpgrade: webSockets.upgrade,
        ...(files !== null && { web: files }),
        openApi: describeService,
        metrics,
        onRequest: metrics.countRequest,
        limits: {
          bodyBytes: limits.body_bytes,
          connections: await affordableConnections(limits.connections, log),
          addressConnections: limits.address_connections,
        },
        log,
        startedAt,
      },
      { port: config.http_port, host: config.bind_addr },
    );
    log.info({ url: http.url, version }, "The hub has started.");
    let closed: Promise<void> | undefined;
    return {
      url: http.url,
      reachableUrls: reachableUrls(http.url, config.bind_addr),
      firstToken,
      log,
      close() {
        closed ??= closeAll([
          () => webSockets.close(),
          () => eventStream.close(),
          () => http.close(),
          () => hub.close(),
        ]);
        return closed;
      },
    };
  } catch (error) {
    await closeAll([() => webSockets.close(), () => eventStream.close(), () => hub.close()]);
    throw error;
  }
}

const NO_MEMORY = { threads: 0, caches: { pages: 0, folds: 0, text: 0 }, cacheBudget: 0 };
