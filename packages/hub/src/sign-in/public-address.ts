import { StartError } from "@sm/server";
import type { Config } from "@sm/server/parts";

type Reach = Pick<Config, "bind_addr" | "http_port" | "allowed_hosts" | "allowed_origins" | "oidc">;

/**
 * The origin that people open the hub at, which the provider sends them back to. It is never taken from a request: behind
 * proxies nobody knows whose words those are.
 *
 * @throws {StartError} where the configuration does not tell.
 */
export function publicAddress({ bind_addr, http_port, allowed_hosts, allowed_origins, oidc }: Reach): string {
  const chosen = oidc?.public_url ?? null;
  if (chosen !== null) return new URL(chosen).origin;
  const origins = [...new Set(allowed_origins.flatMap((text) => (URL.canParse(text) ? new URL(text).origin : [])))];
  const [origin] = origins;
  if (origins.length === 1 && origin !== undefined && /^https?:/.test(origin)) return origin;
  const isAlone = origins.length === 0 && allowed_hosts.length === 0 && http_port !== 0;
  // For trying it out: nobody else reaches it.
  if (isAlone && /^(127\.|::1$|localhost$)/.test(bind_addr)) return `http://localhost:${http_port}`;
  throw new StartError(
    'The address that people open is not known, which the provider sends them back to: name it as "public_url" of "oidc" in session-manager.json, such as "https://hub.example.com".',
  );
}

/** A path of the page to return to; `/` for anything else, so that no link leads to another site or out of the page. */
export function ownPath(returnTo: string | null, origin: string): string {
  // Browsers read "\" as "/", and leave out tabs and line feeds.
  if (returnTo === null || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(returnTo) || returnTo.length > 1_000) return "/";
  if (!URL.canParse(returnTo, origin)) return "/";
  const url = new URL(returnTo, origin);
  if (url.origin !== origin || /^\/(auth|api|share)(\/|$)/.test(url.pathname) || url.pathname.startsWith("//"))
    return "/";
  url.searchParams.delete("token");
  return url.pathname + url.search + url.hash;
}
