import { createDispatcher, type Dispatcher, type Services } from "@sm/router";
import { serveHttp } from "@sm/transport-http";

/** A service on a free port of this machine, gone at the end of the block that starts it. */
export interface TestServer extends AsyncDisposable {
  url: string;
  dispatcher: Dispatcher;
  /** Defects that were logged; none are expected. */
  defects: object[];
}

/** Starts a server on services of the test's own. A request with `X-Forwarded-For` comes from that address. */
export async function startTestServer(services: Services): Promise<TestServer> {
  const defects: object[] = [];
  const log = { error: (fields: object) => defects.push(fields) };
  const dispatcher = createDispatcher(services, { log });
  const http = await serveHttp(
    {
      dispatcher,
      sessions: services.sessions,
      version: "0.0.0",
      access: { authEnabled: true, allowedHosts: [], allowedOrigins: [], trustedProxies: ["127.0.0.1"] },
      log,
    },
    { port: 0, host: "127.0.0.1", graceMs: 1_000 },
  );
  return { url: http.url, dispatcher, defects, [Symbol.asyncDispose]: () => http.close() };
}
