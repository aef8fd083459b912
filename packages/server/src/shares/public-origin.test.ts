import { describe, expect, it } from "vitest";
import { publicOrigin, type ReachSettings } from "./public-origin.ts";

const LOOPBACK = { bind_addr: "127.0.0.1", allowed_hosts: [], allowed_origins: [] };
const PROXIED = { allowed_hosts: ["sessions.example.org"], allowed_origins: ["https://sessions.example.org"] };

const originOf = (settings: Partial<ReachSettings>, url = "http://127.0.0.1:52131") =>
  publicOrigin({ ...LOOPBACK, ...settings }, url, "desk");

describe("publicOrigin", () => {
  it.each<[what: string, settings: Partial<ReachSettings>]>([
    ["loopback", {}],
    ["loopback by name", { bind_addr: "localhost" }],
    ["IPv6 loopback", { bind_addr: "::1" }],
    ["names of this machine", { allowed_hosts: ["localhost", "127.0.0.1:52131", "[::1]", "Desk"] }],
    ["an origin without its name", { allowed_origins: ["https://elsewhere.example.org"] }],
    ["an origin of this machine", { allowed_hosts: ["localhost"], allowed_origins: ["http://localhost:5173"] }],
    ["names that are none", { allowed_hosts: ["a b"], allowed_origins: ["*", "null"] }],
  ])("knows of none for %s", (_, settings) => {
    expect(originOf(settings)).toBeNull();
  });

  it.each<[what: string, settings: Partial<ReachSettings>, origin: string]>([
    ["a proxy with TLS", PROXIED, "https://sessions.example.org"],
    [
      "a proxy on a port of its own, the page of a developer first",
      {
        allowed_hosts: ["localhost", "Sessions.Example.org:8443"],
        allowed_origins: ["http://localhost:5173", "https://sessions.example.org:8443/"],
      },
      "https://sessions.example.org:8443",
    ],
    ["a proxy without TLS", { allowed_hosts: ["sessions.example.org"] }, "http://sessions.example.org"],
    ["an address of its own", { bind_addr: "100.64.0.7" }, "http://100.64.0.7:52131"],
    ["an IPv6 address of its own", { bind_addr: "fd00::7" }, "http://[fd00::7]:52131"],
    [
      "a name in the network",
      { bind_addr: "100.64.0.7", allowed_hosts: ["desk", "desk.tailnet.ts.net"] },
      "http://desk:52131",
    ],
    ["a proxy in front of all interfaces", { bind_addr: "0.0.0.0", ...PROXIED }, "https://sessions.example.org"],
  ])("finds that of %s", (_, settings, origin) => {
    expect(originOf(settings)).toBe(origin);
  });

  it("names this machine where the service listens on all interfaces", () => {
    expect(originOf({ bind_addr: "0.0.0.0" })).toMatch(/^http:\/\/.+:52131$/);
  });
});
