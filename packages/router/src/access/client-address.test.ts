import { describe, expect, it } from "vitest";
import { type ClientAddress, type ClientEvidence, clientAddress } from "./client-address.ts";

const PROXIES = new Set(["127.0.0.1", "0:0:0:0:0:0:0:1", "10.0.0.9"]);

const evidence = (fields: Partial<ClientEvidence>): ClientEvidence => ({
  address: "127.0.0.1",
  end: { isUnixSocket: false, doubt: null },
  forwardedFor: undefined,
  otherForwarding: null,
  httpVersion: "1.1",
  ...fields,
});

const UNIX_SOCKET = { isUnixSocket: true, doubt: null };
const OTHER_ACCOUNT = { isUnixSocket: false, doubt: "It comes from another account." };
const doubted = { address: "127.0.0.1", local: false, doubt: OTHER_ACCOUNT.doubt };
const HTTP_1_0 =
  "The request uses HTTP/1.0, which suggests a proxy that does not forward the client's address. Use HTTP/1.1.";

const REMOTE = "203.0.113.7";

describe("clientAddress", () => {
  it.each<[string, Partial<ClientEvidence>, ClientAddress]>([
    ["a direct local client", {}, { address: "127.0.0.1", local: true }],
    ["a local client over IPv6", { address: "::1" }, { address: "0:0:0:0:0:0:0:1", local: true }],
    ["a local client on a dual-stack socket", { address: "::ffff:127.0.0.1" }, { address: "127.0.0.1", local: true }],
    ["another loopback address", { address: "127.0.0.2" }, { address: "127.0.0.2", local: true }],
    ["a direct remote client", { address: REMOTE }, { address: REMOTE, local: false }],
    ["a socket that has gone", { address: undefined }, { address: null, local: false }],
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
      { address: REMOTE, forwardedFor: "127.0.0.1" },
      { address: REMOTE, local: false },
    ],
    [
      "a header from a loopback peer that is no proxy",
      { address: "127.0.0.2", forwardedFor: REMOTE },
      { address: "127.0.0.2", local: true },
    ],
    [
      "a proxy that forwards without naming the client",
      { otherForwarding: "via" },
      {
        address: "127.0.0.1",
        local: false,
        doubt: 'The request has the header "via" of a proxy or tunnel. Configure it to send X-Forwarded-For too.',
      },
    ],
    [
      "other forwarding headers beside the right one",
      { forwardedFor: "127.0.0.1", otherForwarding: "via" },
      { address: "127.0.0.1", local: true },
    ],
    [
      "other forwarding headers from a peer that is no proxy",
      { address: "127.0.0.2", otherForwarding: "via" },
      { address: "127.0.0.2", local: true },
    ],
    ["an address with a port", { forwardedFor: `${REMOTE}:4711` }, { address: REMOTE, local: false }],
    ["an address in brackets", { forwardedFor: "[::1]:4711" }, { address: "0:0:0:0:0:0:0:1", local: true }],
    ["an address mapped to IPv6", { forwardedFor: `::ffff:${REMOTE}` }, { address: REMOTE, local: false }],
    ["an empty header", { forwardedFor: "" }, { address: "127.0.0.1", local: false }],
    ["an unknown client", { forwardedFor: "unknown" }, { address: "127.0.0.1", local: false }],
    ["garbage to the left of proxies", { forwardedFor: "<x>, 127.0.0.1" }, { address: "127.0.0.1", local: false }],
    [
      "a proxy on another machine, whose own machine is not this one",
      { address: "10.0.0.9", forwardedFor: "127.0.0.1" },
      { address: "127.0.0.1", local: false },
    ],
    ["HTTP/1.0 of a proxy", { httpVersion: "1.0" }, { address: "127.0.0.1", local: false, doubt: HTTP_1_0 }],
    [
      "HTTP/1.0 of a proxy that names a local client",
      { httpVersion: "1.0", forwardedFor: "127.0.0.1" },
      { address: "127.0.0.1", local: false, doubt: HTTP_1_0 },
    ],
    [
      "HTTP/1.0 of a peer that is no proxy",
      { address: "127.0.0.2", httpVersion: "1.0" },
      { address: "127.0.0.2", local: true },
    ],
    ["another account", { end: OTHER_ACCOUNT }, doubted],
    ["another account over IPv6", { address: "::1", end: OTHER_ACCOUNT }, { ...doubted, address: "0:0:0:0:0:0:0:1" }],
    [
      "another account that is no proxy",
      { address: "127.0.0.2", end: OTHER_ACCOUNT },
      { ...doubted, address: "127.0.0.2" },
    ],
    ["another account that says whom it asks for", { end: OTHER_ACCOUNT, forwardedFor: "127.0.0.1" }, doubted],
    [
      "a remote client behind another account",
      { end: OTHER_ACCOUNT, forwardedFor: REMOTE },
      { address: REMOTE, local: false },
    ],
    ["the UNIX socket", { address: undefined, end: UNIX_SOCKET }, { address: null, local: true }],
    [
      "a proxy on the UNIX socket",
      { address: undefined, end: UNIX_SOCKET, forwardedFor: REMOTE },
      { address: REMOTE, local: false },
    ],
    [
      "a proxy on the UNIX socket that names nobody",
      { address: undefined, end: UNIX_SOCKET, httpVersion: "1.0" },
      { address: null, local: false, doubt: HTTP_1_0 },
    ],
    ["garbage to the right", { forwardedFor: "127.0.0.1, 127.1" }, { address: "127.0.0.1", local: false }],
  ])("finds %s", (_case, fields, expected) => {
    expect(clientAddress(evidence(fields), PROXIES)).toEqual(expected);
  });

  it("believes nobody when no proxy is trusted", () => {
    const fields = evidence({ forwardedFor: REMOTE });
    expect(clientAddress(fields, new Set())).toEqual({ address: "127.0.0.1", local: true });
  });
});
