import { describe, expect, it } from "vitest";
import { peerOf } from "./peer.ts";

const PROXIES = new Set(["127.0.0.1", "10.0.0.9"]);

describe("peerOf", () => {
  it.each([undefined, "127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])("takes %s for local", (address) => {
    expect(peerOf(address, PROXIES, false)).toEqual({ local: true, group: null });
  });

  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2::1", "2001:db8:1:2"],
    ["2001:DB8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2"],
    ["2001:db8:1:3::1", "2001:db8:1:3"],
    ["fe80::1%eth0", "fe80:0:0:0"],
  ])("counts %s by %s", (address, group) => {
    expect(peerOf(address, PROXIES, false)).toEqual({ local: false, group });
  });

  it("does not count a trusted proxy by its address, nor takes it for local", () => {
    expect(peerOf("10.0.0.9", PROXIES, false)).toEqual({ local: false, group: null });
  });

  it.each([
    ["127.0.0.1", null],
    ["::1", "0:0:0:0"],
  ])("takes another account at %s for another machine", (address, group) => {
    expect(peerOf(address, PROXIES, true)).toEqual({ local: false, group });
  });
});
