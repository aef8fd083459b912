import { describe, expect, it } from "vitest";
import { canonicalOrigin, checkOrigin, type OriginEvidence } from "./origin.ts";

const RULES = {
  names: new Set(["localhost", "workstation", "sessions.example.org"]),
  origins: new Set(["https://sessions.example.org", "tauri://localhost"]),
};

const check = (fields: Partial<OriginEvidence>) =>
  checkOrigin({ origin: undefined, fetchSite: undefined, host: "127.0.0.1:52131", port: 52_131, ...fields }, RULES);

describe("checkOrigin", () => {
  it.each<[string, Partial<OriginEvidence>]>([
    ["no browser", {}],
    ["the own page", { origin: "http://127.0.0.1:52131", fetchSite: "same-origin" }],
    ["the own page under another own name", { origin: "http://localhost:52131" }],
    ["the own page at a loopback address", { origin: "http://127.0.0.1:52131", host: "localhost:52131" }],
    ["the own page over IPv6", { origin: "http://[::1]:52131", host: "[::1]:52131" }],
    ["the own page at the machine's address", { origin: "http://192.168.1.20:52131", host: "192.168.1.20:52131" }],
    ["the own page under an allowed name", { origin: "http://sessions.example.org:52131" }],
    ["the own page in other letters", { origin: "HTTP://LOCALHOST:52131" }],
    ["a published port of a container", { origin: "http://localhost:8080", host: "localhost:8080" }],
    ["the standard port", { origin: "http://localhost", host: "localhost", port: 80 }],
    ["a Host header without the port", { origin: "http://localhost:52131", host: "localhost" }],
    ["an allowed origin", { origin: "https://sessions.example.org", fetchSite: "same-site" }],
    ["an allowed origin of a desktop window", { origin: "tauri://localhost" }],
    ["an address typed by the user", { fetchSite: "none" }],
  ])("allows %s", (_case, fields) => {
    expect(check(fields)).toEqual({ allowed: true });
  });

  it.each<[string, Partial<OriginEvidence>]>([
    ["a foreign page", { origin: "https://example.com" }],
    ["a foreign page on the same port", { origin: "http://example.com:52131" }],
    ["a page of a foreign address on the same port", { origin: "http://203.0.113.1:52131" }],
    ["another service of this machine", { origin: "http://localhost:3000", fetchSite: "same-site" }],
    ["another scheme", { origin: "https://localhost:52131" }],
    ["an allowed origin on another port", { origin: "https://sessions.example.org:8443" }],
    ["an opaque origin", { origin: "null" }],
    ["an empty origin", { origin: "" }],
    ["two origins", { origin: "http://localhost:52131, http://example.com" }],
    ["a name that begins like an own one", { origin: "http://localhost.example.com:52131" }],
    ["an own name in the user part", { origin: "http://localhost:52131@example.com" }],
  ])("names the setting for %s", (_case, fields) => {
    expect(check(fields)).toMatchObject({ allowed: false, message: expect.stringContaining('"allowed_origins"') });
  });

  it.each([undefined, "http://127.0.0.1:52131", "https://sessions.example.org"])(
    "refuses what a browser calls cross-site, with origin %s",
    (origin) => {
      expect(check({ origin, fetchSite: "cross-site" })).toMatchObject({ allowed: false });
    },
  );
});

describe("canonicalOrigin", () => {
  it.each([
    ["https://Example.org/", "https://example.org"],
    ["https://example.org:443", "https://example.org"],
    ["http://example.org:8080", "http://example.org:8080"],
    ["tauri://localhost", "tauri://localhost"],
  ])("writes %s as %s", (text, canonical) => {
    expect(canonicalOrigin(text)).toBe(canonical);
  });
});
