import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { admitted } from "./admitted.ts";
import { CARRIED_MINUTES, seal, unseal } from "./carried-sign-in.ts";
import { Provider } from "./provider.ts";
import { ownPath, publicAddress } from "./public-address.ts";

const log = { info() {}, warn() {}, error() {} } as never;
const ORIGIN = "https://hub.example.com";

describe("ownPath", () => {
  it.each([
    ["/", "/"],
    ["/session?path=%2Fa#b", "/session?path=%2Fa#b"],
    ["/session?token=sm_x&a=1", "/session?a=1"],
    [null, "/"],
    ["", "/"],
    ["https://evil.example.com/", "/"],
    ["//evil.example.com/", "/"],
    ["/\\evil.example.com/", "/"],
    ["/\t/evil.example.com/", "/"],
    ["/a\\b", "/"],
    ["\\\\evil.example.com", "/"],
    ["/.//evil.example.com", "/"],
    ["javascript:alert(1)", "/"],
    ["live", "/"],
    ["/auth/sign-in", "/"],
    ["/x/../auth/callback?code=1", "/"],
    ["/api/export?path=/a", "/"],
    [`/${"a".repeat(1_000)}`, "/"],
  ])("of %j is %j", (given, expected) => {
    expect(ownPath(given, ORIGIN)).toBe(expected);
  });
});

describe("publicAddress", () => {
  const local = { bind_addr: "127.0.0.1", http_port: 52131, allowed_hosts: [], allowed_origins: [], oidc: null };
  it.each([
    [{}, "http://localhost:52131"],
    [{ bind_addr: "0.0.0.0", allowed_origins: ["https://hub.example.com/"] }, ORIGIN],
    [{ allowed_origins: ["https://a.example.com"], oidc: { public_url: `${ORIGIN}/` } as never }, ORIGIN],
  ])("of %j is %j", (settings, expected) => {
    expect(publicAddress({ ...local, ...settings })).toBe(expected);
  });

  it.each([
    { bind_addr: "0.0.0.0" },
    { http_port: 0 },
    { allowed_hosts: ["hub.example.com"] },
    { allowed_origins: ["https://a.example.com", "https://b.example.com"] },
  ])("of %j has to be said", (settings) => {
    expect(() => publicAddress({ ...local, ...settings })).toThrow(/"public_url"/);
  });
});

describe("what a browser carries", () => {
  const key = randomBytes(32);
  const begunAt = Date.now();
  const carried = { state: "s", nonce: "n", verifier: "v", returnTo: "/", begunAt };

  it("is read with the same key for ten minutes", () => {
    const sealed = seal(carried, key);
    expect(sealed).not.toContain(Buffer.from('"verifier"').toString("base64url"));
    expect(unseal(sealed, key)).toEqual(carried);
    expect(unseal(sealed, randomBytes(32))).toBeNull();
    expect(unseal(sealed, key, begunAt + CARRIED_MINUTES * 60_000)).toBeNull();
    expect(unseal(`A${sealed.slice(1)}`, key)).toBeNull();
    for (const text of ["", "x", sealed.slice(0, 20), sealed.slice(0, -4)]) expect(unseal(text, key)).toBeNull();
  });
});

describe("admitted", () => {
  const settings = {
    ...{ issuer: "https://id.example.com", client_id: "hub", client_secret_file: null, name: null, public_url: null },
    ...{ scopes: ["openid"], name_claim: null, allowed_domains: [], required_claims: {}, session_hours: 12 },
    ...{ default_role: "member" as const, role_claim: null, roles: {} },
  };
  const who = (claims: object) => ({ iss: settings.issuer, sub: "1", ...claims });

  it.each<[object, string]>([
    [{ preferred_username: "ada", name: "Ada" }, "ada"],
    [{ email: "ada@example.com" }, "ada@example.com"],
    [{ preferred_username: " a\u202Ed\u200Ba\n\u0007 x ", name: "Ada" }, "ada x"],
    [{ preferred_username: { a: 1 }, nickname: "ada" }, "ada"],
    [{ preferred_username: "\u200B" }, "user"],
    [{ preferred_username: "é".repeat(200) }, "é".repeat(80)],
  ])("of %j has the name %j", (claims, name) => {
    expect(admitted(who(claims), settings, "Acme")).toEqual({ name, role: null, newRole: "member" });
  });

  it.each([
    [{ hd: "example.com" }, {}, true],
    [{ hd: ["a", "b"] }, { hd: "b" }, true],
    [{ "realm_access.roles": "hub" }, { realm_access: { roles: ["hub", "x"] } }, true],
    [{ "https://example.com/tenant": "t" }, { "https://example.com/tenant": "t" }, true],
    [{ hd: "example.com" }, { hd: "example.org" }, false],
    [{ hd: "example.com" }, { hd: { "example.com": 1 } }, false],
    [{ "toString.name": "toString" }, {}, false],
  ])("asks for %j of %j: %s", (required, claims, isLetIn) => {
    const required_claims = Object.fromEntries(Object.entries(required).map(([name, value]) => [name, [value].flat()]));
    const given = who(Object.keys(claims).length === 0 && isLetIn ? { hd: "example.com" } : claims);
    const ask = () => admitted(given, { ...settings, required_claims }, "Acme");
    if (isLetIn) expect(ask()).toMatchObject({ newRole: "member" });
    else expect(ask).toThrow(/does not have what/);
  });

  it("takes the role with the most rights, and refuses whoever has none where there is no other", () => {
    const roles = { a: "reader", b: "owner" } as const;
    const own = { ...settings, role_claim: "groups", roles, default_role: null };
    expect(admitted(who({ groups: ["a", "b", "c"] }), own, "Acme")).toMatchObject({ role: "owner" });
    for (const groups of [undefined, [], ["c"], "constructor", [["a"]]]) {
      expect(() => admitted(who({ groups }), own, "Acme"), `${groups}`).toThrow(/no role here/);
    }
  });
});

it("a provider that does not answer is said to, and asked again", async () => {
  const options = { clientId: "hub", clientSecret: null, scopes: ["openid"], redirectUri: `${ORIGIN}/x`, name: "Acme" };
  const provider = new Provider({ ...options, issuer: "http://127.0.0.1:9", log });
  for (const _ of [1, 2]) {
    const refused = provider.authorizationUrl(provider.newSecrets());
    await expect(refused).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(/Acme does not/),
    });
  }
});
