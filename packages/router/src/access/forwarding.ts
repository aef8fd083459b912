/**
 * Headers that proxies, tunnels and content networks add to what they hand on, beside `X-Forwarded-For`; no client on
 * this machine sends one by itself. Some write `_` where others write `-`.
 */
const FORWARDING = new RegExp(
  `^(?:${[
    // RFC 9110, RFC 7239, RFC 8586, and Edge Side Includes.
    "via",
    "forwarded",
    "cdn-loop",
    "surrogate-capability",
    // Reverse proxies and gateways, whoever makes them.
    "x-forwarded(?:-.+)?",
    "x-original-.+",
    "x-real-.+",
    "x-(?:client|cluster-client|remote|proxyuser|true-client)-ip",
    "x-(?:remote-addr|scheme|url-scheme|host|varnish|arr-.+|envoy-.+|traefik-.+|haproxy-.+)",
    "(?:true-client|client|remote|wl-proxy-client|proxy-client)-ip",
    "front-end-https",
    // Cloudflare, CloudFront and AWS, Azure, Google, Akamai, Fastly, Fly, Netlify, Vercel.
    "cf-.+",
    "cloudfront-.+",
    "x-amz(?:n|-cf)-.+",
    "x-(?:azure|appengine|google|vercel|nf)-.+",
    "x-cloud-trace-context",
    "(?:akamai|fastly|fly)-.+",
    // Tunnels.
    "ngrok-.+",
    "tailscale-.+",
    "x-tunnel-.+",
    "x-ms-(?:forwarded|proxy|devtunnel).*",
  ]
    .join("|")
    .replaceAll("-", "[-_]")})$`,
);

/** Names a header that only a proxy or tunnel sends, of those of a request; `null` where there is none. */
export function forwardingHeader(headers: Readonly<Record<string, unknown>>): string | null {
  return Object.keys(headers).find((name) => headers[name] !== undefined && FORWARDING.test(name)) ?? null;
}
