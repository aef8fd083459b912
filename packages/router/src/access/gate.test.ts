import { inspect } from "node:util";
import { AppError, type TokenGrant, type TokenScope } from "@sm/core";
import { describe, expect, it, vi } from "vitest";
import { type AccessSettings, accessRules } from "./admission.ts";
import { createGate, type Gate, type GateOptions } from "./gate.ts";

const FULL = `sm_${"f".repeat(43)}`;
const READ = `sm_${"r".repeat(43)}`;
const WRONG = `sm_${"w".repeat(43)}`;
const MINUTE_MS = 60_000;

const GRANTS = new Map<string, TokenGrant>([
  [FULL, { id: "id-full", scope: "full" }],
  [READ, { id: "id-read", scope: "read" }],
]);

const SETTINGS: AccessSettings = {
  authEnabled: true,
  allowedHosts: [],
  allowedOrigins: [],
  trustedProxies: ["127.0.0.1", "::1"],
  machineName: "workstation",
};

function setUp(settings: Partial<AccessSettings> = {}, options: Partial<Omit<GateOptions, "rules" | "tokens">> = {}) {
  const clock = { now: 0 };
  const tokens = {
    verify: vi.fn((token: string) => GRANTS.get(token) ?? null),
    onEnd: vi.fn((_id: string, _listener: () => void) => () => {}),
  };
  const onFailure = vi.fn();
  const rules = accessRules({ ...SETTINGS, ...settings });
  const gate = createGate({ rules, tokens, onFailure, now: () => clock.now, ...options });
  return { gate, tokens, onFailure, clock };
}

interface Sent {
  peer?: string | undefined;
  headers?: Record<string, string | string[] | undefined>;
  url?: string;
}

const REMOTE = "203.0.113.7";

const requestOf = ({ peer = REMOTE, headers = {}, url = "/api" }: Sent) => ({
  socket: { remoteAddress: peer, localPort: 52_131 },
  headers: { host: "localhost:52131", ...headers },
  url,
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** What a request comes in as, or the code of the error that it gets. */
function outcome(work: () => ReturnType<Gate["admit"]>): object | string {
  try {
    return work().caller;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

describe("admit", () => {
  const local = { local: true, scope: "full", tokenId: null };
  const open = { local: false, scope: "full", tokenId: null };
  const nobody = { local: false, scope: null, tokenId: null };
  const granted = (scope: TokenScope) => ({ local: false, scope, tokenId: `id-${scope}` });

  const clients: [string, Sent, isLocal: boolean][] = [
    ["a local client", { peer: "127.0.0.1" }, true],
    ["a local client over IPv6", { peer: "::1" }, true],
    ["a local client behind a proxy", { peer: "127.0.0.1", headers: { "x-forwarded-for": "127.0.0.1" } }, true],
    ["a remote client", { peer: REMOTE }, false],
    ["a remote client over IPv6", { peer: "2001:db8::7" }, false],
    ["a remote client behind a proxy", { peer: "127.0.0.1", headers: { "x-forwarded-for": REMOTE } }, false],
    ["a remote client who claims to be local", { peer: REMOTE, headers: { "x-forwarded-for": "127.0.0.1" } }, false],
  ];
  const credentials: [string, Sent, needed: object | string][] = [
    ["no token", {}, nobody],
    ["a full token", { headers: bearer(FULL) }, granted("full")],
    ["a reading token", { headers: bearer(READ) }, granted("read")],
    ["a full token in the URL", { url: `/api/events?topics=sessions&token=${FULL}` }, granted("full")],
    ["a reading token in the URL", { url: `/ws?token=${READ}` }, granted("read")],
    ["a wrong token", { headers: bearer(WRONG) }, "UNAUTHORIZED"],
    ["a wrong token in the URL", { url: `/ws?token=${WRONG}` }, "UNAUTHORIZED"],
  ];
  const rows = [true, false].flatMap((authEnabled) =>
    clients.flatMap(([client, from, isLocal]) =>
      credentials.map(([credential, sent, needed]) => ({
        authEnabled,
        client,
        credential,
        sent: { ...from, ...sent, headers: { ...from.headers, ...sent.headers } },
        expected: isLocal ? local : authEnabled ? needed : open,
        looksAtToken: !isLocal && authEnabled && needed !== nobody,
      })),
    ),
  );

  it.each(rows)("$client with $credential, auth_enabled $authEnabled", (row) => {
    const { gate, tokens, onFailure } = setUp({ authEnabled: row.authEnabled });
    expect(outcome(() => gate.admit(requestOf(row.sent)))).toEqual(row.expected);
    expect(tokens.verify).toHaveBeenCalledTimes(row.looksAtToken ? 1 : 0);
    expect(onFailure).toHaveBeenCalledTimes(row.expected === "UNAUTHORIZED" ? 1 : 0);
  });

  it("names the client as the rules of addresses do", () => {
    const { gate } = setUp();
    const request = requestOf({ peer: "::1", headers: { "x-forwarded-for": REMOTE, ...bearer(READ) } });
    expect(gate.admit(request)).toEqual({ client: { address: REMOTE, local: false }, caller: granted("read") });
  });

  it.each<[string, Sent]>([
    ["a rebound name", { headers: { host: "rebound.example.com" } }],
    ["a foreign page", { headers: { origin: "https://example.com" } }],
    ["a cross-site request", { headers: { "sec-fetch-site": "cross-site" } }],
  ])("does not let %s in with a right token either", (_, sent) => {
    const { gate, tokens } = setUp();
    const request = requestOf({ ...sent, headers: { ...sent.headers, ...bearer(FULL) } });
    expect(outcome(() => gate.admit(request))).toBe("FORBIDDEN");
    expect(tokens.verify).not.toHaveBeenCalled();
  });

  it.each<[string, Sent, object | string]>([
    ["the header, not the URL", { headers: bearer(READ), url: `/?token=${FULL}` }, granted("read")],
    ["the header, though it is wrong", { headers: bearer(WRONG), url: `/?token=${FULL}` }, "UNAUTHORIZED"],
    ["a scheme in small letters", { headers: { authorization: `bearer ${FULL}` } }, granted("full")],
    ["more spaces than one", { headers: { authorization: `Bearer   ${FULL} ` } }, granted("full")],
    ["another scheme, for a proxy", { headers: { authorization: "Basic dXNlcjpwYXNz" } }, nobody],
    [
      "another scheme beside the URL",
      { headers: { authorization: "Basic dXNlcjpwYXNz" }, url: `/?token=${FULL}` },
      granted("full"),
    ],
    ["a scheme without a token", { headers: { authorization: "Bearer" } }, nobody],
    ["a scheme with nothing but spaces", { headers: { authorization: "Bearer  " } }, nobody],
    ["a token without a scheme", { headers: { authorization: FULL } }, nobody],
    ["two headers", { headers: { authorization: [`Bearer ${FULL}`, `Bearer ${WRONG}`] } }, "UNAUTHORIZED"],
    ["an empty parameter", { url: "/?token=" }, nobody],
    ["two parameters: the first", { url: `/?token=${FULL}&token=${WRONG}` }, granted("full")],
    ["an encoded parameter", { url: `/?token=%73m_${"f".repeat(43)}` }, granted("full")],
    ["a parameter that only ends so", { url: `/?my_token=${FULL}` }, nobody],
    ["a path that looks like a parameter", { url: `/token=${FULL}` }, nobody],
    ["a broken encoding", { url: "/?token=%ff%zz" }, "UNAUTHORIZED"],
    ["a URL that is none", { url: "//[::?token=&%" }, nobody],
    ["a whole URL", { url: `http://localhost:52131/api?token=${FULL}` }, granted("full")],
    ["no URL", { url: "" }, nobody],
  ])("reads %s", (_, sent, expected) => {
    expect(outcome(() => setUp().gate.admit(requestOf(sent)))).toEqual(expected);
  });
});

describe("authenticate", () => {
  it("lets in by a token", () => {
    const { gate } = setUp();
    const stranger = gate.admit(requestOf({}));
    const admission = gate.authenticate(READ, stranger);
    expect(admission).toEqual({
      client: stranger.client,
      caller: { local: false, scope: "read", tokenId: "id-read" },
    });
    expect(gate.authenticate(FULL, admission).caller).toMatchObject({ scope: "full", tokenId: "id-full" });
    expect(outcome(() => gate.authenticate(WRONG, admission))).toBe("UNAUTHORIZED");
  });

  it.each<[string, Sent, boolean]>([
    ["a local client", { peer: "127.0.0.1" }, true],
    ["anybody while auth_enabled is false", {}, false],
  ])("does not look at the token of %s", (_, sent, authEnabled) => {
    const { gate, tokens } = setUp({ authEnabled });
    const admission = gate.admit(requestOf(sent));
    expect(gate.authenticate(WRONG, admission)).toEqual(admission);
    expect(tokens.verify).not.toHaveBeenCalled();
  });
});

describe("wrong tokens", () => {
  const attempt = (gate: Gate, sent: Sent = {}) =>
    outcome(() => gate.admit(requestOf({ ...sent, headers: { ...sent.headers, ...bearer(WRONG) } })));

  const attempts = (gate: Gate, count: number, sent: Sent = {}) =>
    Array.from({ length: count }, () => attempt(gate, sent));

  const unauthorized = (count: number) => Array<string>(count).fill("UNAUTHORIZED");

  it("are refused from the eleventh in a minute on, with the time to wait", () => {
    const { gate, clock, onFailure } = setUp();
    expect(attempts(gate, 5)).toEqual(unauthorized(5));
    clock.now = 1_000.5;
    expect(attempts(gate, 5)).toEqual(unauthorized(5));
    clock.now = 2_000;
    expect(() => gate.admit(requestOf({ headers: bearer(WRONG) }))).toThrow(
      expect.objectContaining({
        code: "RATE_LIMITED",
        message: expect.stringContaining("58 s"),
        details: { retry_after_ms: 58_000 },
      }),
    );
    clock.now = MINUTE_MS - 0.5;
    expect(attempt(gate)).toBe("RATE_LIMITED");
    clock.now = MINUTE_MS;
    expect(attempts(gate, 6)).toEqual([...unauthorized(5), "RATE_LIMITED"]);
    expect(onFailure).toHaveBeenCalledTimes(10 + 2 + 6);
  });

  it("are limited as the service is told", () => {
    const { gate } = setUp({}, { wrongTokensPerMinute: 2 });
    expect(attempts(gate, 3)).toEqual([...unauthorized(2), "RATE_LIMITED"]);
  });

  it("are told with the client who sent them", () => {
    const { gate, onFailure } = setUp();
    attempt(gate);
    expect(onFailure.mock.calls).toEqual([[{ address: REMOTE, local: false }]]);
  });

  it("are not repeated in what is said of them", () => {
    const { gate, onFailure } = setUp();
    const stranger = gate.admit(requestOf({}));
    const said: unknown[] = [onFailure.mock.calls];
    for (let n = 0; n < 11; n++) {
      for (const work of [
        () => gate.admit(requestOf({ headers: bearer(WRONG) })),
        () => gate.admit(requestOf({ url: `/?token=${WRONG}` })),
        () => gate.authenticate(WRONG, stranger),
      ]) {
        try {
          work();
        } catch (error) {
          said.push(error);
        }
      }
    }
    expect(said).toHaveLength(1 + 33);
    expect(inspect(said, { depth: null })).not.toContain("wwww");
  });

  it("that are refused do not make the wait longer", () => {
    const { gate, clock } = setUp();
    attempts(gate, 10);
    for (clock.now = 1_000; clock.now < MINUTE_MS; clock.now += 1_000) expect(attempt(gate)).toBe("RATE_LIMITED");
    expect(attempt(gate)).toBe("UNAUTHORIZED");
  });

  it("are counted wherever they come: header, URL, message", () => {
    const { gate } = setUp();
    attempts(gate, 8);
    expect(outcome(() => gate.admit(requestOf({ url: `/?token=${WRONG}` })))).toBe("UNAUTHORIZED");
    const stranger = gate.admit(requestOf({}));
    expect(outcome(() => gate.authenticate(WRONG, stranger))).toBe("UNAUTHORIZED");
    expect(outcome(() => gate.authenticate(WRONG, stranger))).toBe("RATE_LIMITED");
  });

  it("lock out neither a right token nor requests without one, nor another address", () => {
    const { gate } = setUp();
    expect(attempts(gate, 11).at(-1)).toBe("RATE_LIMITED");
    expect(outcome(() => gate.admit(requestOf({ headers: bearer(READ) })))).toMatchObject({ scope: "read" });
    expect(outcome(() => gate.admit(requestOf({})))).toMatchObject({ scope: null });
    expect(attempt(gate, { peer: "203.0.113.8" })).toBe("UNAUTHORIZED");
    expect(attempt(gate)).toBe("RATE_LIMITED");
  });

  it("do not include tokens that cannot be checked", () => {
    const { gate, tokens, onFailure } = setUp();
    tokens.verify.mockImplementation(() => {
      throw new AppError("UNAVAILABLE", "The tokens cannot be read.");
    });
    expect(attempts(gate, 11)).toEqual(Array(11).fill("UNAVAILABLE"));
    expect(onFailure).not.toHaveBeenCalled();
  });

  it("do not include requests without a token", () => {
    const { gate, onFailure } = setUp();
    for (let n = 0; n < 100; n++) gate.admit(requestOf({}));
    expect(onFailure).not.toHaveBeenCalled();
    expect(attempts(gate, 10)).toEqual(unauthorized(10));
  });

  it.each<[string, Sent, Sent, same: boolean]>([
    ["one /64 of IPv6", { peer: "2001:db8:1:2::1" }, { peer: "2001:db8:1:2:ffff::2" }, true],
    ["two /64 of IPv6", { peer: "2001:db8:1:2::1" }, { peer: "2001:db8:1:3::1" }, false],
    ["IPv4 and the same as IPv6", { peer: REMOTE }, { peer: `::ffff:${REMOTE}` }, true],
    ["two of IPv4 as IPv6", { peer: `::ffff:${REMOTE}` }, { peer: "::ffff:203.0.113.8" }, false],
    [
      "two clients behind a proxy",
      { peer: "127.0.0.1", headers: { "x-forwarded-for": REMOTE } },
      { peer: "127.0.0.1", headers: { "x-forwarded-for": "203.0.113.8" } },
      false,
    ],
    [
      "a client who makes up addresses before its own",
      { peer: "127.0.0.1", headers: { "x-forwarded-for": `198.51.100.1, ${REMOTE}` } },
      { peer: "127.0.0.1", headers: { "x-forwarded-for": `198.51.100.2, ${REMOTE}` } },
      true,
    ],
    ["two unknown addresses", { peer: "" }, { peer: "" }, true],
    ["an unknown address and a known one", { peer: "" }, { peer: REMOTE }, false],
  ])("count for %s", (_, one, another, same) => {
    const { gate } = setUp();
    expect(attempts(gate, 10, one)).toEqual(unauthorized(10));
    expect(attempt(gate, another)).toBe(same ? "RATE_LIMITED" : "UNAUTHORIZED");
  });
});

describe("a connection of another account", () => {
  const doubt = "It comes from another account.";
  const here = { peer: "127.0.0.1" };

  it.each<[string, Sent, boolean, object | string]>([
    ["without a token", {}, true, { local: false, scope: null, tokenId: null, doubt }],
    ["with a token", { headers: bearer(FULL) }, true, { local: false, scope: "full", tokenId: "id-full" }],
    ["with a wrong token", { headers: bearer(WRONG) }, true, "UNAUTHORIZED"],
    ["where nobody is asked for one", {}, false, { local: false, scope: "full", tokenId: null, doubt }],
  ])("is like another machine: %s", (_, sent, authEnabled, expected) => {
    const { gate } = setUp({ authEnabled }, { lookUpAccount: () => doubt });
    const request = requestOf({ ...here, ...sent });
    void gate.registerConnection(request.socket);
    expect(outcome(() => gate.admit(request))).toEqual(expected);
  });
});

describe("the token of this start", () => {
  const LOCAL = `sm_${"l".repeat(43)}`;
  const isLocalToken = (token: string) => token === LOCAL;
  const here = { peer: "127.0.0.1" };
  const asked = expect.objectContaining({ local: false, scope: null, doubt: expect.stringContaining("server.json") });
  const local = { local: true, scope: "full", tokenId: null };

  it.each<[string, Sent, object | string]>([
    ["is asked for", here, asked],
    ["lets a client of this machine in", { ...here, headers: bearer(LOCAL) }, local],
    ["does so in the URL", { ...here, url: `/ws?token=${LOCAL}` }, local],
    [
      "leaves other tokens their rights",
      { ...here, headers: bearer(READ) },
      { local: false, scope: "read", tokenId: "id-read" },
    ],
    ["is none of the others", { ...here, headers: bearer(WRONG) }, "UNAUTHORIZED"],
    ["is worth nothing elsewhere", { peer: REMOTE, headers: bearer(LOCAL) }, "UNAUTHORIZED"],
    [
      "is worth nothing through a proxy",
      { ...here, headers: { "x-forwarded-for": REMOTE, ...bearer(LOCAL) } },
      "UNAUTHORIZED",
    ],
    [
      "is worth nothing through a proxy that hides",
      { ...here, headers: { via: "x", ...bearer(LOCAL) } },
      "UNAUTHORIZED",
    ],
  ])("%s", (_, sent, expected) => {
    const { gate } = setUp({}, { isLocalToken });
    expect(outcome(() => gate.admit(requestOf(sent)))).toEqual(expected);
  });

  it("is worth nothing to another account", () => {
    const { gate } = setUp({}, { isLocalToken, lookUpAccount: () => "It comes from another account." });
    const request = requestOf({ ...here, headers: bearer(LOCAL) });
    void gate.registerConnection(request.socket);
    expect(outcome(() => gate.admit(request))).toBe("UNAUTHORIZED");
  });

  it("is not asked for on the UNIX socket", () => {
    const { gate } = setUp({}, { isLocalToken });
    const request = { ...requestOf({}), socket: {} };
    gate.registerUnixSocket(request.socket);
    expect(outcome(() => gate.admit(request))).toEqual(local);
  });

  it("can be shown in a message", () => {
    const { gate } = setUp({}, { isLocalToken });
    const admission = gate.admit(requestOf(here));
    expect(gate.authenticate(LOCAL, admission).caller).toEqual(local);
    expect(outcome(() => gate.authenticate(WRONG, admission))).toBe("UNAUTHORIZED");
  });

  it("makes a client local that would not be asked for any", () => {
    const { gate } = setUp({ authEnabled: false }, { isLocalToken });
    expect(outcome(() => gate.admit(requestOf(here)))).toMatchObject({ local: false, scope: "full", tokenId: null });
    expect(outcome(() => gate.admit(requestOf({ ...here, headers: bearer(LOCAL) })))).toEqual(local);
  });
});

describe("onEnd", () => {
  it("hands on the id of the token and what stops it", () => {
    const { gate, tokens } = setUp();
    const listener = vi.fn();
    const stop = vi.fn();
    tokens.onEnd.mockReturnValue(stop);
    const { caller } = gate.admit(requestOf({ headers: bearer(FULL) }));
    expect(gate.onEnd(caller, listener)).toBe(stop);
    expect(tokens.onEnd).toHaveBeenCalledWith("id-full", listener);
  });

  it("never comes for those who need no token", () => {
    const { gate, tokens } = setUp();
    const { caller } = gate.admit(requestOf({ peer: "127.0.0.1" }));
    gate.onEnd(caller, () => {})();
    expect(tokens.onEnd).not.toHaveBeenCalled();
  });
});
