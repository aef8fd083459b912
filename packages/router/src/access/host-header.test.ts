import { describe, expect, it } from "vitest";
import { checkHost } from "./host-header.ts";

const NAMES = new Set(["localhost", "workstation", "sessions.example.org"]);

describe("checkHost", () => {
  it.each([
    "localhost",
    "localhost:52131",
    "LocalHost:52131",
    "localhost.",
    "127.0.0.1:52131",
    "192.168.1.20",
    "[::1]:52131",
    "[2001:db8::1]",
    "[::ffff:127.0.0.1]:80",
    "Workstation:52131",
    "sessions.example.org",
  ])("allows %s", (header) => {
    expect(checkHost(header, NAMES)).toEqual({ allowed: true });
  });

  it.each([
    "rebound.example.com:52131",
    "localhost.example.com",
    "example.localhost",
    "127.0.0.1.example.com",
    "0x7f000001",
    "127.1",
  ])("names the setting for %s", (header) => {
    const decision = checkHost(header, NAMES);
    expect(decision).toMatchObject({ allowed: false, message: expect.stringContaining('"allowed_hosts"') });
    expect(decision).toMatchObject({ message: expect.stringContaining(header.split(":")[0] ?? "") });
  });

  it.each([undefined, "", ":52131", "[::1", "::1", "[localhost]", "localhost:port", "a:1:2", "localhost:123456"])(
    "refuses what is no host: %j",
    (header) => {
      expect(checkHost(header, NAMES)).toMatchObject({ allowed: false });
    },
  );

  it("shows a long host in part", () => {
    const decision = checkHost("x".repeat(10_000), NAMES);
    expect(decision.allowed || decision.message.length).toBeLessThan(250);
  });
});
