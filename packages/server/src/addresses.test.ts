import { describe, expect, it } from "vitest";
import { type Interfaces, reachableUrls } from "./addresses.ts";

const INTERFACES: Interfaces = {
  lo: [
    { address: "127.0.0.1", family: "IPv4", internal: true },
    { address: "::1", family: "IPv6", internal: true },
  ],
  eth0: [
    { address: "192.168.0.5", family: "IPv4", internal: false },
    { address: "fe80::1", family: "IPv6", internal: false },
    { address: "2001:db8::5", family: "IPv6", internal: false },
  ],
  wlan0: undefined,
};

describe("reachableUrls", () => {
  it.each([
    ["127.0.0.1", []],
    ["192.168.0.5", []],
    ["0.0.0.0", ["http://desk:8080", "http://192.168.0.5:8080"]],
    ["::", ["http://desk:8080", "http://192.168.0.5:8080", "http://[2001:db8::5]:8080"]],
  ])("of a service on %s are %j", (bindAddress, urls) => {
    expect(reachableUrls("http://127.0.0.1:8080", bindAddress, INTERFACES, "desk")).toEqual(urls);
  });

  it("leaves a name out that is every machine's", () => {
    expect(reachableUrls("http://127.0.0.1:80", "0.0.0.0", INTERFACES, "localhost")).toEqual(["http://192.168.0.5:80"]);
  });
});
