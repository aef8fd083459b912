import type { IncomingMessage } from "node:http";
import { errorBody, failure, statusOf } from "@sm/router";
import type { Context, Hono } from "hono";
import { readJson } from "./body.ts";
import type { HttpEnv } from "./http-env.ts";
import type { HttpOptions } from "./options.ts";
import { PLAIN_PAGE_POLICY, plainPage } from "./plain-page.ts";
import type { Replies } from "./reply.ts";
import { SIGN_IN_PATH, SIGN_OUT_PATH, SIGNED_IN_PATH, SIGNED_OUT_PATH } from "./routes.ts";
import { SIGNED_IN_POLICY, signedInPage } from "./signed-in-page.ts";

const PAGES = new Set([SIGN_IN_PATH, SIGNED_IN_PATH, SIGNED_OUT_PATH]);

const COMMON = {
  "Content-Type": "text/html; charset=utf-8",
  "X-Robots-Tag": "noindex, nofollow",
  "Referrer-Policy": "no-referrer",
};
const PLAIN = { ...COMMON, "Content-Security-Policy": PLAIN_PAGE_POLICY };

/** Whether a request is for one of the pages that nobody has a token for yet. The provider leads to them. */
export function isSigningIn(path: string, { method }: IncomingMessage): boolean {
  return PAGES.has(path) && (method === "GET" || method === "HEAD");
}

/**
 * Adds the pages of signing in and the route of signing out.
 *
 * The token is given in a page that stores it and replaces itself, since a redirect would have it in an address. A
 * redirect to the page would be refused anyway: to browsers it comes from the provider's site.
 */
export function addSignIn(app: Hono<HttpEnv>, { signIn, log }: HttpOptions, replies: Replies): void {
  if (signIn === undefined) return;

  app.get(SIGN_IN_PATH, (c) =>
    shown(c, async () => {
      const returnTo = c.req.query("return_to") ?? null;
      const { location, setCookie } = await signIn.begin({ host: c.req.header("host") ?? "", returnTo });
      const headers = { ...replies.headers, "Referrer-Policy": "no-referrer", Location: location };
      return new Response(null, {
        status: 302,
        headers: { ...headers, ...(setCookie !== null && { "Set-Cookie": setCookie }) },
      });
    }),
  );

  app.get(SIGNED_IN_PATH, (c) =>
    shown(
      c,
      async () => {
        const { search } = new URL(c.req.url);
        const html = signedInPage(await signIn.finish({ query: search, cookie: c.req.header("cookie") }));
        const headers = { ...COMMON, "Content-Security-Policy": SIGNED_IN_POLICY, "Set-Cookie": signIn.removeCookie };
        return new Response(html, { headers: { ...replies.headers, ...headers } });
      },
      { "Set-Cookie": signIn.removeCookie },
    ),
  );

  app.get(SIGNED_OUT_PATH, () => {
    const html = plainPage("Signed out", "You are signed out.", { href: "/", text: "Go to the sessions" });
    return new Response(html, { headers: { ...replies.headers, ...PLAIN } });
  });

  app.post(SIGN_OUT_PATH, async (c) => {
    // Other sites cannot send this type without being asked for it first.
    await readJson(c.env.incoming, 1_024);
    const { tokenId } = c.get("admission").caller;
    const data = tokenId === null ? { revoked: false, url: null } : await signIn.end(tokenId);
    return replies.envelope({ success: true, data, error: null });
  });

  /** Whoever signs in sees a page, not JSON. */
  async function shown(
    c: Context<HttpEnv>,
    answer: () => Promise<Response>,
    ofFailure: Record<string, string> = {},
  ): Promise<Response> {
    // Looking must not use up what comes from the provider.
    if (c.req.method === "HEAD") return new Response(null, { headers: { ...replies.headers, ...PLAIN } });
    try {
      return await answer();
    } catch (error) {
      const body = errorBody(error, log, { route: c.req.path });
      const html = plainPage("Could not sign in", body.message, { href: SIGN_IN_PATH, text: "Try again" });
      return new Response(html, {
        status: statusOf(failure(body)),
        headers: { ...replies.headers, ...PLAIN, ...ofFailure },
      });
    }
  }
}
