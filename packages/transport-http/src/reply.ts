import { type CommandResponse, responseHeaders, retryAfter, statusOf } from "@sm/router";

const PREFLIGHT_HEADERS = {
  "Access-Control-Allow-Methods": "GET, HEAD, POST",
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version",
};

type Headers = Readonly<Record<string, string>>;

/** Creates responses with the common headers. */
export interface Replies {
  headers: Headers;
  /** Headers of JSON responses. */
  jsonHeaders: Headers;
  /**
   * Sends a command's response envelope, with the status of its code by default; `body` is the encoded envelope, if
   * already encoded.
   */
  envelope(response: CommandResponse, options?: { status?: number; headers?: Headers; body?: string }): Response;
  json(body: object, status: number): Response;
  /** CORS preflight response for pages of allowed origins. */
  preflight(): Response;
}

/**
 * Creates the responses of a service of this version.
 *
 * Headers are one plain object, created once: `Headers` objects, and headers that a middleware adds afterwards, cost
 * two thirds of the requests per second.
 */
export function createReplies(version: string): Replies {
  const headers = responseHeaders(version);
  const jsonHeaders = { ...headers, "Content-Type": "application/json" };
  const unauthorizedHeaders = { ...jsonHeaders, "WWW-Authenticate": "Bearer" };
  return {
    headers,
    jsonHeaders,
    envelope(response, options = {}) {
      const status = options.status ?? statusOf(response);
      const usual = status === 401 ? unauthorizedHeaders : jsonHeaders;
      const added = options.headers ?? retryAfter(response);
      return new Response(options.body ?? JSON.stringify(response), {
        status,
        headers: added === undefined ? usual : { ...usual, ...added },
      });
    },
    preflight: () => new Response(null, { status: 204, headers: { ...headers, ...PREFLIGHT_HEADERS } }),
    json: (body, status) => new Response(JSON.stringify(body), { status, headers: jsonHeaders }),
  };
}
