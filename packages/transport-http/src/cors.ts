import type { IncomingMessage, ServerResponse } from "node:http";
import type { Gate } from "@sm/router/access";

/**
 * Lets pages of allowed origins read the response, whatever its status: on 401 the page asks for a token. Credentials
 * are not allowed, because the service has no cookies.
 */
export function shareAnswer(incoming: IncomingMessage, outgoing: ServerResponse, gate: Gate): void {
  const origin = gate.sharedOrigin(incoming);
  if (origin === null) return;
  outgoing.setHeader("Access-Control-Allow-Origin", origin);
  outgoing.setHeader("Access-Control-Expose-Headers", "Content-Disposition, Retry-After, X-Session-Manager-Version");
  outgoing.setHeader("Vary", "Origin");
}

/** Whether this is a CORS preflight of an allowed origin. */
export function isPreflight(incoming: IncomingMessage, gate: Gate): boolean {
  const { method, headers } = incoming;
  return (
    method === "OPTIONS" &&
    headers["access-control-request-method"] !== undefined &&
    gate.sharedOrigin(incoming) !== null
  );
}
