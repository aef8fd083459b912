import type { IncomingMessage } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { AccessRequest } from "@sm/router/access";
import type { Hono } from "hono";
import { connectionSignal } from "./connection-signal.ts";
import { SHOWN_PAGE } from "./download-headers.ts";
import type { HttpEnv } from "./http-env.ts";
import type { HttpOptions } from "./options.ts";
import { MISSING_PAGE, PLAIN_PAGE_POLICY } from "./plain-page.ts";
import type { Replies } from "./reply.ts";
import { routeOf, SHARE_PATH } from "./routes.ts";
import { sendPieces } from "./send-pieces.ts";

/** Not to be found by search engines, in either case. */
const COMMON = { "Content-Type": "text/html; charset=utf-8", "X-Robots-Tag": "noindex, nofollow" };

const MISSING = { ...COMMON, "Content-Security-Policy": PLAIN_PAGE_POLICY, "Referrer-Policy": "no-referrer" };

/**
 * Adds the pages of links, which need no token.
 *
 * They lie on the service's own origin and hold what somebody else may have written, so they are isolated like exports
 * that are shown inline. A link that is unknown, expired or revoked gets the same bytes.
 */
export function addSharedPages(app: Hono<HttpEnv>, { shares, log }: HttpOptions, replies: Replies): void {
  if (shares === undefined) return;
  app.get(SHARE_PATH, async (c) => {
    const { incoming, outgoing } = c.env;
    const secret = c.req.param("secret");
    const headersOf = (bytes: number) => ({
      ...replies.headers,
      ...COMMON,
      ...SHOWN_PAGE,
      "Content-Length": `${bytes}`,
    });
    if (c.req.method === "HEAD") {
      const found = await shares.look(secret);
      return found === null ? missing(null) : new Response(null, { headers: headersOf(found.bytes) });
    }
    const page = await shares.open(secret);
    if (page === null) return missing(MISSING_PAGE);
    outgoing.writeHead(200, headersOf(page.bytes));
    await sendPieces(page.chunks, outgoing, log, { route: SHARE_PATH }, connectionSignal(incoming.socket));
    return RESPONSE_ALREADY_SENT;
  });

  function missing(body: string | null): Response {
    return new Response(body, { status: 404, headers: { ...replies.headers, ...MISSING } });
  }
}

/** Whether a request may be admitted as one of a reader, who needs no token. */
export function isReadOfShare(path: string, { method }: IncomingMessage): boolean {
  return routeOf(path) === SHARE_PATH && (method === "GET" || method === "HEAD");
}

/**
 * A request without its token, and without the site that it comes from if somebody follows a link: links lead here from
 * anywhere. What another page embeds or fetches is refused as everywhere else.
 */
export function asReader({ socket, httpVersion, headers, rawHeaders }: AccessRequest): AccessRequest {
  const isFollowed = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  const fetchSite = isFollowed ? undefined : headers["sec-fetch-site"];
  const kept = { ...headers, authorization: undefined, "sec-fetch-site": fetchSite };
  return { socket, httpVersion, headers: kept, rawHeaders };
}
