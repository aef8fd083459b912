import { describe, expect, it } from "vitest";
import { type AccessSettings, accessRules, admit, clientName } from "./admission.ts";

const SETTINGS: AccessSettings = {
  authEnabled: true,
  allowedHosts: ["Sessions.Example.org:8443"],
  allowedOrigins: ["https://Sessions.Example.org/"],
  trustedProxies: ["127.0.0.1", "::1"],
  machineName: "Workstation",
};

const OWN_ACCOUNT = { isUnixSocket: false, doubt: null };

function decide(
  headers: Record<string, string | string[] | undefined>,
  { peer = "127.0.0.1", settings = {} }: { peer?: string; settings?: Partial<AccessSettings> } = {},
) {
  const request = {
    socket: { remoteAddress: peer, localPort: 52_131 },
    headers: { host: "localhost:52131", ...headers },
  };
  return admit(request, accessRules({ ...SETTINGS, ...settings }), OWN_ACCOUNT);
}

describe("clientName", () => {
  it.each([
    ["the token", "7", "127.0.0.1", "token 7"],
    ["the address of a client without one", null, "127.0.0.1", "address 127.0.0.1"],
    ["the IPv6 network, which one client may have all of", null, "2001:db8:1:2:3:4:5:6", "address 2001:db8:1:2"],
    ["nobody's where the connection has gone", null, null, "address null"],
  ])("is %s", (_case, tokenId, address, name) => {
    const caller = { local: false, scope: "read", tokenId } as const;
    expect(clientName({ client: { address, local: false }, caller })).toBe(name);
  });
});

describe("admit", () => {
  it("lets a local client do everything", () => {
    expect(decide({})).toEqual({
      client: { address: "127.0.0.1", local: true },
      caller: { local: true, scope: "full", tokenId: null },
    });
  });

  it("lets a local client do nothing without a token where all need one", () => {
    expect(decide({}, { settings: { localNeedsToken: true } }).caller).toEqual({
      ...{ local: false, scope: null, tokenId: null },
    });
  });

  it("gives a remote client no scope while authentication is on", () => {
    expect(decide({}, { peer: "203.0.113.7" }).caller).toEqual({ local: false, scope: null, tokenId: null });
  });

  it("gives a remote client all scope when authentication is off, but does not call it local", () => {
    const { caller } = decide({}, { peer: "203.0.113.7", settings: { authEnabled: false } });
    expect(caller).toEqual({ local: false, scope: "full", tokenId: null });
  });

  it.each(["forwarded", "x-real-ip", "x-forwarded-host", "via"])("does not call a request with %s local", (name) => {
    const doubt = `The request has the header "${name}" of a proxy or tunnel. Configure it to send X-Forwarded-For too.`;
    expect(decide({ [name]: "1.1 proxy" }).caller).toEqual({ local: false, scope: null, tokenId: null, doubt });
    expect(decide({ [name]: "1.1 proxy", "x-forwarded-for": "127.0.0.1" }).caller.local).toBe(true);
  });

  it("reads the client from the header of a trusted proxy", () => {
    expect(decide({ "x-forwarded-for": "127.0.0.1, 203.0.113.7" })).toEqual({
      client: { address: "203.0.113.7", local: false },
      caller: { local: false, scope: null, tokenId: null },
    });
  });

  it("knows a proxy that is configured in another notation", () => {
    const settings = { trustedProxies: ["::ffff:10.0.0.9"] };
    const { client } = decide({ "x-forwarded-for": "203.0.113.7" }, { peer: "10.0.0.9", settings });
    expect(client.address).toBe("203.0.113.7");
  });

  it.each(["sessions.example.org", "workstation:52131"])("allows the configured host %s", (host) => {
    expect(decide({ host }).caller.scope).toBe("full");
  });

  it("allows the configured origin", () => {
    expect(decide({ origin: "https://sessions.example.org" }).caller.scope).toBe("full");
  });

  it("forbids several hosts, whichever of them is right", () => {
    const rawHeaders = ["Host", "localhost", "Accept", "*/*", "hOST", "a.example"];
    const request = { socket: { remoteAddress: "127.0.0.1" }, headers: { host: "localhost" } };
    const rules = accessRules(SETTINGS);
    expect(admit({ ...request, rawHeaders: rawHeaders.slice(0, 4) }, rules, OWN_ACCOUNT).caller.local).toBe(true);
    expect(() => admit({ ...request, rawHeaders }, rules, OWN_ACCOUNT)).toThrow(
      expect.objectContaining({ code: "FORBIDDEN" }),
    );
  });

  it.each([
    ["a rebound name", { host: "rebound.example.com:52131" }],
    ["no host", { host: undefined }],
    ["a foreign page", { origin: "http://example.com" }],
    ["a foreign page that hides its origin", { "sec-fetch-site": "cross-site" }],
    ["two origins", { origin: ["http://localhost:52131", "http://example.com"] }],
  ])("forbids %s, even to a local client", (_case, headers) => {
    expect(() => decide(headers)).toThrow(expect.objectContaining({ code: "FORBIDDEN" }));
  });
});
