import type { SessionLibrary } from "@sm/core";
import { createDispatcher, type ExportTickets, type Services } from "@sm/router";
import { accessRules, createGate } from "@sm/router/access";
import { createEventBus, type EventBus } from "@sm/router/events";
import { serveHttp } from "@sm/transport-http";
import { createEventStream } from "@sm/transport-sse";
import { createWebSocketTransport } from "@sm/transport-ws";

/** Every transport around services of the test's own, gone at the end of the block that starts it. */
export interface TestServer extends AsyncDisposable {
  url: string;
  bus: EventBus;
  /** Defects that were logged; none are expected. */
  defects: object[];
}

export interface TestServerOptions {
  /** What commands find; a test that uses more than it gives fails. */
  services?: Partial<Services>;
  heartbeatMs?: number;
  /** Milliseconds that a WebSocket without credentials stays open. */
  authMs?: number;
}

/** Starts a server for what a real service cannot be brought to in a test. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { services, heartbeatMs = 15_000, authMs = 10_000 } = options;
  const defects: object[] = [];
  const log = { error: (fields: object) => defects.push(fields) };
  const version = "0.0.0";
  const rules = accessRules({
    authEnabled: true,
    allowedHosts: [],
    allowedOrigins: [],
    trustedProxies: ["127.0.0.1"],
    machineName: "machine",
  });
  const gate = createGate({ rules, tokens: { verify: () => null, onEnd: () => () => {} } });
  const bus = createEventBus({ version });
  const dispatcher = createDispatcher(services as Services, { log });
  const webSockets = createWebSocketTransport({ dispatcher, bus, gate, version, log, heartbeatMs, authMs });
  const eventStream = createEventStream({ bus, gate, version, log, heartbeatMs });
  const sessions = { ...NO_SESSIONS, ...services?.sessions } as SessionLibrary;
  const exportTickets = { ...services?.exportTickets } as ExportTickets;
  const http = await serveHttp(
    {
      dispatcher,
      sessions,
      exportTickets,
      version,
      gate,
      log,
      mounts: { "/api/events": eventStream.serve },
      onUpgrade: webSockets.upgrade,
    },
    { port: 0, host: "127.0.0.1", graceMs: 1_000 },
  );
  return {
    url: http.url,
    bus,
    defects,
    async [Symbol.asyncDispose]() {
      eventStream.close();
      await webSockets.close();
      await http.close();
    },
  };
}

const NO_SESSIONS: Partial<SessionLibrary> = {
  status: () => ({
    state: "ready",
    reason: null,
    sessions: 0,
    pending: 0,
    skipped_files: 0,
    bytes_done: 0,
    bytes_total: 0,
  }),
};
