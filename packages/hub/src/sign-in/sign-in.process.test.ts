import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@sm/router/client";
import { withUserAccounts } from "@sm/store-postgres";
import { needsPostgres, type PostgresServer, startPostgres } from "@sm/store-postgres/postgres-server.fixture";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type RunningHub, startHub } from "../start-hub.ts";
import { Browser, givenIn, type Seen } from "./browser.fixture.ts";
import { TestProvider } from "./provider.fixture.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };
/** Where people open the hub; the browser of the test takes it to one of the servers. */
const ADDRESS = "http://localhost:59998";
const BEGIN = `${ADDRESS}/auth/sign-in`;
const SECRET = "a secret/with+signs";

describe.runIf(needsPostgres())("signing in to two servers of a hub", () => {
  let postgres: PostgresServer;
  let store: string;
  let provider: TestProvider;
  let hubs: [RunningHub, RunningHub];
  let folder: string;
  const logged: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "sign-in-"));
    postgres = await startPostgres();
    store = await postgres.newDatabase();
    provider = await TestProvider.start({ id: "hub", secret: SECRET, address: ADDRESS });
    writeFileSync(join(folder, "secret"), `${SECRET}\n`);
    const oidc = {
      ...{ issuer: provider.issuer, client_id: "hub", client_secret_file: join(folder, "secret") },
      ...{ name: "Acme", public_url: ADDRESS, allowed_domains: ["example.com"] },
      ...{ role_claim: "groups", roles: { admins: "owner", guests: "reader" } },
    };
    writeFileSync(join(folder, "session-manager.json"), JSON.stringify({ oidc }));
    const start = () =>
      startHub({
        version: "1.2.3",
        store,
        settings: {
          port: { value: "0", source: "test" },
          "config-dir": { value: folder, source: "test" },
          "log-level": { value: "info", source: "test" },
        },
        output: { write: (line) => logged.push(line) },
      });
    hubs = [await start(), await start()];
  });

  afterAll(async () => {
    for (const hub of hubs) await hub.close();
    await provider.close();
    await postgres.close();
    rmSync(folder, { recursive: true });
  });

  beforeEach(() => {
    provider.person = "s-1";
    provider.accounts.set("s-1", account("ada"));
  });

  const account = (name: string, more: object = {}) => ({
    ...{ preferred_username: name, email: `${name}@example.com`, email_verified: true },
    ...more,
  });

  /** A browser whose requests go to the first server, or to the second one. */
  function browser(server = 0): Browser {
    const one = new Browser();
    toServer(one, server);
    return one;
  }
  const toServer = (one: Browser, server: number) => one.hosts.set(ADDRESS, hubs[server]?.url ?? "");
  /** Goes to the provider and comes back, up to the address that the provider has sent it to. */
  const upToCallback = (one: Browser, begin = BEGIN) => one.open(begin, { until: "/auth/callback" });
  const signedIn = async (one = browser()) => givenIn(await one.open(BEGIN))?.token ?? "";
  const clientOf = (token: string, server = 0) => createClient({ url: hubs[server]?.url ?? "", token });
  const users = () => withUserAccounts({ url: store, log }, (accounts) => accounts.list());
  const roleOf = async (name: string) => (await users()).find((user) => user.name === name)?.role;

  it("gives a token that all servers take, whichever of them the browser comes back to", async () => {
    const one = browser();
    const sent = await upToCallback(one, `${BEGIN}?return_to=${encodeURIComponent("/session?path=%2Fa")}`);
    toServer(one, 1);
    const given = givenIn(await one.open(sent.url));
    expect(given).toEqual({ token: expect.stringMatching(/^sm_/), return_to: "/session?path=%2Fa" });
    expect(one.cookiesOf(ADDRESS).size).toBe(0);
    for (const server of [0, 1]) {
      const listed = () => clientOf(given?.token ?? "", server).call("list_tokens", {});
      await expect
        .poll(() => listed().catch(() => []), { timeout: 2_000 })
        .toMatchObject([{ name: "Signed in with Acme" }]);
    }
    const [token] = await clientOf(given?.token ?? "").call("list_tokens", {});
    const hours = (Date.parse(token?.expires_at ?? "") - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(11.9);
    expect(hours).toBeLessThanOrEqual(12);
    expect(logged.join("")).not.toContain(given?.token);
    expect(logged.join("")).not.toContain(new URL(sent.url).searchParams.get("code"));
  });

  it("knows people at the other server again, whatever they are called now", async () => {
    provider.accounts.set("s-1", account("countess"));
    await signedIn(browser(1));
    const known = await users();
    expect(known.map(({ name }) => name)).toEqual(["ada", "owner"]);
    expect(known[0]).toMatchObject({ role: "member", issuers: [provider.issuer], last_seen_at: expect.any(String) });
  });

  it("lets people make tokens for their machines, which outlive signing out", async () => {
    const token = await signedIn();
    const machine = (await clientOf(token).call("create_token", { name: "laptop" })).token;
    const signOut = async (own: string) =>
      (
        await fetch(`${hubs[0].url}/auth/sign-out`, {
          method: "POST",
          body: "{}",
          headers: { "Content-Type": "application/json", Authorization: `Bearer ${own}` },
        })
      ).json();
    expect(await signOut(machine)).toMatchObject({ data: { revoked: false, url: null } });
    const { data } = await signOut(token);
    expect(data.revoked).toBe(true);
    const url = new URL(data.url);
    expect(url.origin).toBe(provider.issuer);
    expect(url.searchParams.get("post_logout_redirect_uri")).toBe(`${ADDRESS}/auth/signed-out`);
    expect(url.searchParams.get("id_token_hint")).toMatch(/^ey/);
    expect((await new Browser().open(url.href)).status).toBe(200);
    await expect(clientOf(token).call("ping")).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(await clientOf(machine).call("ping")).toEqual({ pong: true });
    expect((await browser().open(`${ADDRESS}/auth/signed-out`)).body).toContain("You are signed out");
  });

  it.each<[string, object]>([
    ["of another domain", { email: "eve@example.org" }],
    ["whose address is not confirmed", { email_verified: false }],
    ["whose domain only looks like it", { email: "eve@example.com.evil.org" }],
    ["without an address", { email: undefined }],
  ])("refuses people %s, and adds nobody", async (_, more) => {
    provider.person = "s-9";
    provider.accounts.set("s-9", account("eve", more));
    const seen = await browser().open(BEGIN);
    expect(seen.status).toBe(403);
    expect(seen.body).toContain("no confirmed e-mail address");
    expect(await roleOf("eve")).toBeUndefined();
  });

  it("gives the role of a claim at each time, at once for tokens that there are", async () => {
    const token = await signedIn();
    const marked = () => clientOf(token, 1).call("create_tag", { name: randomUUID(), color: "#112233" });
    await expect
      .poll(() => marked().catch(() => null), { timeout: 2_000 })
      .toMatchObject({ color: expect.any(String) });
    provider.accounts.set("s-1", account("ada", { groups: ["guests", "others"] }));
    await signedIn();
    expect(await roleOf("ada")).toBe("reader");
    await expect.poll(() => marked().catch(({ code }: { code: string }) => code), { timeout: 2_000 }).toBe("FORBIDDEN");
    provider.accounts.set("s-1", account("ada", { groups: ["guests", "admins"] }));
    await signedIn();
    expect(await roleOf("ada")).toBe("owner");
    provider.accounts.set("s-1", account("ada"));
    await signedIn();
    expect(await roleOf("ada")).toBe("member");
  });

  it("does not demote the last owner", async () => {
    provider.accounts.set("s-1", account("ada", { groups: ["admins"] }));
    await signedIn();
    await withUserAccounts({ url: store, log }, (accounts) => accounts.setRole("owner", "member"));
    provider.accounts.set("s-1", account("ada"));
    expect(await signedIn()).toMatch(/^sm_/);
    expect(await roleOf("ada")).toBe("owner");
    await withUserAccounts({ url: store, log }, (accounts) => accounts.setRole("owner", "owner"));
  });

  describe("refuses", () => {
    const refused = async (seen: Promise<Seen>, status: number, message: RegExp) => {
      const { status: got, body } = await seen;
      expect(body).toMatch(message);
      expect(got).toBe(status);
      expect(body).not.toContain("sm_");
    };
    const changed = (url: string, name: string, value: string) => {
      const other = new URL(url);
      other.searchParams.set(name, value);
      return other.href;
    };

    it("an answer that is used again, at any server", async () => {
      const one = browser();
      const sent = await upToCallback(one);
      const [[name, value] = ["", ""]] = [...one.cookiesOf(ADDRESS)];
      expect(givenIn(await one.open(sent.url))).not.toBeNull();
      for (const server of [0, 1]) {
        toServer(one, server);
        one.cookiesOf(ADDRESS).set(name, value);
        await refused(one.open(sent.url), 400, /used already/);
      }
    });

    it("the answer to somebody else's sign-in: nobody is signed in as another", async () => {
      const attacker = browser();
      const { url } = await upToCallback(attacker);
      await refused(browser().open(url), 400, /did not begin in this browser/);
      const victim = browser();
      await upToCallback(victim);
      await refused(victim.open(url), 400, /another sign-in/);
    });

    it("a code of another sign-in with the own state", async () => {
      const [attacker, victim] = [browser(), browser()];
      const { url: stolen } = await upToCallback(attacker);
      const { url } = await upToCallback(victim);
      const code = new URL(stolen).searchParams.get("code") ?? "";
      await refused(victim.open(changed(url, "code", code)), 400, /used already, or has expired/);
    });

    it.each([
      ["another state", "state", "x", 400, /another sign-in/],
      ["the issuer of another provider", "iss", "https://evil.example.com", 403, /not valid/],
      ["a code that nobody gave", "code", "x", 400, /used already, or has expired/],
    ] as const)("%s", async (_, name, value, status, message) => {
      const one = browser();
      const { url } = await upToCallback(one);
      await refused(one.open(changed(url, name, value)), status, message);
    });

    it("a cookie that is not the hub's own", async () => {
      const one = browser();
      const { url } = await upToCallback(one);
      const [[name, value] = ["", ""]] = [...one.cookiesOf(ADDRESS)];
      one.cookiesOf(ADDRESS).set(name, `${value.slice(0, -2)}AA`);
      await refused(one.open(url), 400, /did not begin in this browser/);
    });

    it("whom the provider refuses, and says so", async () => {
      const one = browser();
      const { url } = await upToCallback(one);
      const { searchParams } = new URL(url);
      const query = new URLSearchParams({ error: "access_denied", state: searchParams.get("state") ?? "" });
      query.set("iss", provider.issuer);
      await refused(one.open(`${ADDRESS}/auth/callback?${query}`), 403, /Acme did not let you in \(access_denied\)/);
    });
  });

  it("brings who comes by another address to the one that the provider knows, once", async () => {
    const [{ url }] = hubs;
    const seen = await new Browser().open(`${url}/auth/sign-in?return_to=%2Flive`, { until: ADDRESS });
    expect(seen.url).toBe(`${BEGIN}?return_to=at_address%2Flive`);
    // A proxy may hide the name.
    const again = await new Browser().open(`${url}/auth/sign-in?return_to=at_address%2Flive`, { until: "/auth?" });
    expect(again.url).toContain(provider.issuer);
  });

  // Last: the provider does not come back.
  it("says that the provider does not answer; tokens go on working", async () => {
    const token = await signedIn();
    const one = browser();
    const { url } = await upToCallback(one);
    await provider.close();
    const seen = await one.open(url);
    expect(seen.status).toBe(503);
    expect(seen.body).toContain("Acme does not answer");
    expect(await clientOf(token).call("ping")).toEqual({ pong: true });
    const health = await (await fetch(`${hubs[0].url}/health`)).json();
    expect(health).toMatchObject({ status: "ok", sign_in: { url: "/auth/sign-in", provider: "Acme" } });
  });
});
