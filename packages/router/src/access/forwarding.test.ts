import { describe, expect, it } from "vitest";
import { forwardingHeader } from "./forwarding.ts";

describe("forwardingHeader", () => {
  it.each([
    // What the standards name.
    ...["forwarded", "via", "cdn-loop", "surrogate-capability"],
    // nginx, Apache, HAProxy, Traefik, Envoy, Varnish, IIS, WebLogic, and Kubernetes' ingress.
    ...["x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "x-forwarded-server", "x-forwarded-prefix"],
    ...["x-forwarded", "x-forwarded-client-cert", "x-real-ip", "x-real-port", "x-scheme", "x-host", "client-ip"],
    ...["x-client-ip", "x-cluster-client-ip", "x-remote-ip", "x-remote-addr", "x-original-for", "x-original-host"],
    ...["x-original-uri", "x-original-forwarded-for", "x-envoy-external-address", "x-varnish", "x-arr-log-id"],
    ...["proxy-client-ip", "wl-proxy-client-ip", "x-proxyuser-ip", "front-end-https", "x_forwarded_proto"],
    // Content networks and clouds.
    ...["cf-connecting-ip", "cf-ray", "cf-ipcountry", "cf-visitor", "cf-warp-tag-id", "true-client-ip"],
    ...["x-amzn-trace-id", "x-amz-cf-id", "cloudfront-viewer-address", "x-azure-clientip", "x-azure-ref"],
    ...["x-appengine-user-ip", "x-cloud-trace-context", "x-vercel-id", "x-nf-client-connection-ip"],
    ...["fastly-client-ip", "fly-client-ip", "akamai-origin-hop"],
    // Tunnels.
    ...[
      "ngrok-trace-id",
      "tailscale-user-login",
      "x-tunnel-authorization",
      "x-ms-proxy",
      "CF-Connecting-IP".toLowerCase(),
    ],
  ])("knows %s", (name) => {
    expect(forwardingHeader({ host: "localhost", [name]: "x", accept: "*/*" })).toBe(name);
  });

  it("finds none in what browsers and programs send by themselves", () => {
    const names = [
      ...["host", "connection", "user-agent", "accept", "accept-encoding", "accept-language", "content-type"],
      ...[
        "content-length",
        "origin",
        "referer",
        "cookie",
        "authorization",
        "cache-control",
        "pragma",
        "dnt",
        "priority",
      ],
      ...["sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "sec-fetch-user", "sec-ch-ua", "sec-gpc", "expect"],
      ...["upgrade", "upgrade-insecure-requests", "sec-websocket-key", "sec-websocket-version", "http2-settings"],
      ...["last-event-id", "if-none-match", "range", "te", "traceparent", "x-request-id", "x-requested-with"],
      ...["x-prometheus-scrape-timeout-seconds", "mcp-protocol-version", "mcp-session-id"],
    ];
    expect(forwardingHeader(Object.fromEntries(names.map((name) => [name, "x"])))).toBeNull();
  });
});
