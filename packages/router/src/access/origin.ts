import { isLoopback } from "./address.ts";
import { ALLOWED, type Decision, parseHost, quoteForMessage } from "./host-header.ts";

/** What a browser reports about the page that sends a request, and where the request arrived. */
export interface OriginEvidence {
  origin: string | undefined;
  /** `Sec-Fetch-Site`. */
  fetchSite: string | undefined;
  /** The `Host` header, already checked. */
  host: string | undefined;
  /** The port of the socket that accepted the request. */
  port: number | undefined;
}

export interface OriginRules {
  /** Names of the service, lower case. */
  names: ReadonlySet<string>;
  /** Other allowed origins, as written by `canonicalOrigin`. */
  origins: ReadonlySet<string>;
}

/** Accepts requests of the service's own page, of an allowed origin, or without a browser. */
export function checkOrigin(evidence: OriginEvidence, rules: OriginRules): Decision {
  if (evidence.fetchSite === "cross-site") {
    const message =
      'Requests that a browser sends from another site are refused; use a page of this site, listed in "allowed_origins".';
    return { allowed: false, message };
  }
  if (evidence.origin === undefined) return ALLOWED;
  const origin = canonicalOrigin(evidence.origin);
  if (rules.origins.has(origin) || isOwnOrigin(origin, evidence, rules.names)) return ALLOWED;
  const message = `The origin ${quoteForMessage(origin)} is not allowed; add it to "allowed_origins" in session-manager.json.`;
  return { allowed: false, message };
}

/** The origin as the browser wrote it, if it is one of `origins`; browsers compare it byte by byte. */
export function sharedOrigin(origin: string | string[] | undefined, origins: ReadonlySet<string>): string | null {
  return typeof origin === "string" && origins.has(canonicalOrigin(origin)) ? origin : null;
}

/** Normalizes an origin for comparison; anything but a web origin is only lower-cased. */
export function canonicalOrigin(text: string): string {
  const lower = text.trim().toLowerCase().replace(/\/$/, "");
  return URL.canParse(lower) && /^https?:/.test(lower) ? new URL(lower).origin : lower;
}

/**
 * Any other address than loopback or the one called is a foreign origin: otherwise a page on `http://203.0.113.1:<our
 * port>` would pass as the service itself.
 */
function isOwnOrigin(origin: string, evidence: OriginEvidence, names: ReadonlySet<string>): boolean {
  const scheme = "http://";
  const page = origin.startsWith(scheme) ? parseHost(origin.slice(scheme.length)) : null;
  const called = parseHost(evidence.host ?? "");
  if (page === null || called === null) return false;
  const port = page.port ?? 80;
  if (port !== (called.port ?? 80) && port !== evidence.port) return false;
  return page.host === called.host || names.has(page.host) || isLoopback(page.host);
}
