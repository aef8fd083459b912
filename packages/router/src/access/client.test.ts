import { describe, expect, it } from "vitest";
import { type ClientEvidence, clientAddress } from "./client.ts";

const PROXIES = new Set(["127.0.0.1", "0:0:0:0:0:0:0:1", "10.0.0.9"]);

const evidence = (fields: Partial<ClientEvidence>): ClientEvidence => ({
  peer: "127.0.0.1",
  forwardedFor: undefined,
  otherForwarding: false,
  ...fields,
});

const REMOTE = "203.0.113.7";

describe("clientAddress", () => {
  it.each<[string, Partial<ClientEvidence>, { address: string | null; local: boolean }]>([
    ["a direct local client", {}, { address: "127.0.0.1", local: true }],
    ["a local client over IPv6", { peer: "::1" }, { address: "0:0:0:0:0:0:0:1", local: true }],
    ["a local client on a dual-stack socket", { peer: "::ffff:127.0.0.1" }, { address: "127.0.0.1", local: true }],
    ["another loopback address", { peer: "127.0.0.2" }, { address: "127.0.0.2", local: true }],
    ["a direct remote client", { peer: REMOTE }, { address: REMOTE, local: false }],
    ["a socket that has gone", { peer: undefined }, { address: null, local: false }],
    ["a client behind a proxy", { forwardedFor: REMOTE }, { address: REMOTE, local: false }],
    ["a local client behind a proxy", { forwardedFor: "127.0.0.1" }, { address: "127.0.0.1", local: true }],
    [
      "a client who forged the beginning of the header",
      { forwardedFor: `127.0.0.1, ${REMOTE}` },
      { address: REMOTE, local: false },
    ],
    ["two trusted proxies", { forwardedFor: `${REMOTE}, 10.0.0.9` }, { address: REMOTE, local: false }],
    [
      "nothing but trusted addresses: the leftmost",
      { forwardedFor: "10.0.0.9, 127.0.0.1" },
      { address: "10.0.0.9", local: false },
    ],
    [
      "several headers, read as one",
      { forwardedFor: ["127.0.0.1", `${REMOTE}, 10.0.0.9`] },
      { address: REMOTE, local: false },
    ],
    [
      "a header from a peer that is no proxy",
      { peer: REMOTE, forwardedFor: "127.0.0.1" },
      { address: REMOTE, local: false },
    ],
    [
      "a header from a loopback peer that is no proxy",
      { peer: "127.0.0.2", forwardedFor: REMOTE },
      { address: "127.0.0.2", local: true },
    ],
    [
      "a proxy that forwards without naming the client",
      { otherForwarding: true },
      { address: "127.0.0.1", local: false },
    ],
    [
      "other forwarding headers beside the right one",
      { forwardedFor: "127.0.0.1", otherForwarding: true },
      { address: "127.0.0.1", local: true },
    ],
    [
      "other forwarding headers from a peer that is no proxy",
      { peer: "127.0.0.2", otherForwarding: true },
      { address: "127.0.0.2", local: true },
    ],
    ["an address with a port", { forwardedFor: `${REMOTE}:4711` }, { address: REMOTE, local: false }],
    ["an address in brackets", { forwardedFor: "[::1]:4711" }, { address: "0:0:0:0:0:0:0:1", local: true }],
    ["an address mapped to IPv6", { forwardedFor: `::ffff:${REMOTE}` }, { address: REMOTE, local: false }],
    ["an empty header", { forwardedFor: "" }, { address: "127.0.0.1", local: false }],
    ["an unknown client", { forwardedFor: "unknown" }, { address: "127.0.0.1", local: false }],
    ["garbage to the left of proxies", { forwardedFor: "<x>, 127.0.0.1" }, { address: "127.0.0.1", local: false }],
    ["garbage to the right", { forwardedFor: "127.0.0.1, 127.1" }, { address: "127.0.0.1", local: false }],
  ])("finds %s", (_case, fields, expected) => {
    expect(clientAddress(evidence(fields), PROXIES)).toEqual(expected);
  });

  it("believes nobody when no proxy is trusted", () => {
    const fields = evidence({ forwardedFor: REMOTE });
    expect(clientAddress(fields, new Set())).toEqual({ address: "127.0.0.1", local: true });
  });
});
