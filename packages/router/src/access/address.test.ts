import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalAddress, isLoopback } from "./address.ts";

describe("canonicalAddress", () => {
  it.each([
    ["127.0.0.1", "127.0.0.1"],
    ["255.255.255.255", "255.255.255.255"],
    ["::1", "0:0:0:0:0:0:0:1"],
    ["::", "0:0:0:0:0:0:0:0"],
    ["0:0:0:0:0:0:0:1", "0:0:0:0:0:0:0:1"],
    ["2001:DB8::00a1", "2001:db8:0:0:0:0:0:a1"],
    ["1::8", "1:0:0:0:0:0:0:8"],
    ["fe80::1%eth0", "fe80:0:0:0:0:0:0:1"],
    ["::ffff:127.0.0.1", "127.0.0.1"],
    ["::FFFF:7f00:1", "127.0.0.1"],
    ["0:0:0:0:0:ffff:10.1.2.3", "10.1.2.3"],
    ["::127.0.0.1", "0:0:0:0:0:0:7f00:1"],
    ["1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"],
  ])("reads %s as %s", (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical);
  });

  it.each([
    "",
    "localhost",
    "127.1",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "2130706433",
    "127.0.0.1.",
    "127.0.0.256",
    " 127.0.0.1",
    "[::1]",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8:9",
    "12345::",
    "::1.2.3",
    "::1.2.3.4:1",
    "::g",
  ])("refuses %j", (text) => {
    expect(canonicalAddress(text)).toBeNull();
  });

  it("takes for an address what Node takes for one", () => {
    const addressLike = fc.string({
      unit: fc.constantFrom("0", "1", "255", "f", "ffff", ":", "::", "."),
      maxLength: 16,
    });
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), addressLike), (text) => {
        expect(canonicalAddress(text) !== null).toBe(isIP(text) !== 0);
      }),
      { numRuns: 2_000 },
    );
  });

  it("writes every notation of an address in one way", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const compressed = new URL(`http://[${address}]`).hostname.slice(1, -1);
        expect(canonicalAddress(compressed)).toBe(canonicalAddress(address));
      }),
    );
  });
});

describe("isLoopback", () => {
  it.each(["127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::ffff:7fff:1"])(
    "knows %s",
    (address) => {
      expect(isLoopback(address)).toBe(true);
    },
  );

  it.each([
    "128.0.0.1",
    "10.0.0.1",
    "0.0.0.0",
    "::",
    "::2",
    "::ffff:128.0.0.1",
    "::127.0.0.1",
    "fe80::1",
    "localhost",
    "",
  ])("refuses %j", (address) => {
    expect(isLoopback(address)).toBe(false);
  });
});
