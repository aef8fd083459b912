/**
 * Headers added by proxies, tunnels and content delivery networks, besides `X-Forwarded-For`. No local client sends
 * them by itself. Some products write `_` instead of `-`.
 */
const FORWARDING = new RegExp(
  `^(?:${[
    // RFC 9110, RFC 7239, RFC 8586, and Edge Side Includes.
    "via",
    "forwarded",
    "cdn-loop",
    "surrogate-capability",
    // Reverse proxies and gateways of all vendors.
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

/** The first header of a request that only a proxy or tunnel sends; `null` if there is none. */
export function forwardingHeader(headers: Readonly<Record<string, unknown>>): string | null {
  return Object.keys(headers).find((name) => headers[name] !== undefined && FORWARDING.test(name)) ?? null;
}
