import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserProgram, launchBrowser } from "../browser.ts";
import { hostilePayloads } from "../hostile-payloads.ts";
import { hostileSession } from "../hostile-sessions.ts";
import { codeOf, postJson, sendRequest } from "../raw-http.ts";
import { type RealService, SHARING, SUGGESTS_PROXY, startRealService } from "../real-service.ts";
import { STRANGER } from "../transports.ts";

// A shared page lies on the service's own origin, and its reader may be on this machine, where no token is needed:
// what a transcript holds must reach neither commands nor what the page of the service keeps in the browser.

const EMAIL = "jane.doe@example.org";

let service: RealService;

beforeAll(async () => {
  service = await startRealService({ config: SHARING, expectedProblems: [SUGGESTS_PROXY] });
});

afterAll(() => service[Symbol.asyncDispose]());

interface Shared {
  id: string;
  url: string;
}

/** Shares a session; gives the link as this machine reaches it. */
async function share(path: string): Promise<{ id: string; address: string }> {
  const { id, url } = await service.ask<Shared>("share_session", { path });
  return { id, address: service.url + new URL(url).pathname };
}

const read = (address: string, headers: Record<string, string> = STRANGER) => sendRequest(address, { headers });

/** What a script in the page tries, each with what comes of it. */
const ATTEMPTS = `(async (path) => {
  const tried = (work) => { try { return String(work()); } catch ({ name }) { return name; } };
  const sent = async (work) => { try { return (await work()).status; } catch ({ name }) { return name; } };
  const command = (name, payload) => ({
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ command: name, payload }),
  });
  const opened = (source, good) => new Promise((resolve) => {
    source.onerror = () => resolve("refused");
    source[good] = () => resolve("open");
  });
  return {
    origin: self.origin,
    storage: tried(() => localStorage.getItem("token")),
    cookies: tried(() => document.cookie),
    commands: await sent(() => fetch("/api", command("create_token", { name: "taken" }))),
    plain: await sent(() => fetch("/api", { ...command("delete_session", { path }), mode: "no-cors", headers: {} })),
    download: await sent(() => fetch("/api/export?format=jsonl&path=" + encodeURIComponent(path))),
    events: await opened(new EventSource("/api/events"), "onopen"),
    socket: await opened(new WebSocket(location.href.replace("http", "ws").replace(/share.*/, "ws")), "onopen"),
    worker: tried(() => new Worker("/")),
    beacon: tried(() => navigator.sendBeacon("/api", JSON.stringify({ command: "create_token" }))),
  };
})`;

describe("a stranger with a link", () => {
  it("reads the page as it was shared, without secrets, and nothing else", async () => {
    const said = { role: "user", content: `Write to ${EMAIL} about the tides.` };
    const time = "2026-03-01T10:00:00.000Z";
    const header = { type: "session", version: 3, id: "said", timestamp: time, cwd: "/home/jane/tides" };
    const first = { type: "message", id: "s1", parentId: null, timestamp: time, message: said };
    const path = await service.home.add("said", [header, first]);
    const { address } = await share(path);
    const later = { ...first, id: "s2", parentId: "s1", message: { role: "user", content: "Said afterwards." } };
    await service.home.add("said", [header, first, later]);
    await service.settled();
    const { status, body } = await read(address);
    expect(status).toBe(200);
    expect(body).toContain("about the tides");
    for (const hidden of [EMAIL, "jane", "Said afterwards"]) expect(body).not.toContain(hidden);
    for (const route of ["/api/events", "/metrics", "/api/openapi.json", `${new URL(address).pathname}/metrics`]) {
      expect((await sendRequest(service.url + route, { headers: STRANGER })).status, route).toBe(401);
    }
    expect((await postJson(service.url, STRANGER)).status).toBe(401);
  });

  it("gets nothing once it is revoked, or its session deleted, nor for a guess", async () => {
    const revoked = await share(service.home.paths.plain);
    const copy = await service.home.copy();
    const deleted = await share(copy);
    for (const { address } of [revoked, deleted]) expect((await read(address)).status).toBe(200);
    await service.ask("revoke_share", { id: revoked.id });
    await service.ask("delete_session", { path: copy });
    const guess = `${service.url}/share/${"A".repeat(43)}`;
    const answers = await Promise.all([revoked.address, deleted.address, guess].map((address) => read(address)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
  });

  it("cannot make or end links, whatever the way in", async () => {
    const { path, id } = { path: service.home.paths.plain, ...(await share(service.home.paths.plain)) };
    const { token } = await service.ask<{ token: string }>("create_token", { name: "reader", scope: "read" });
    for (const headers of [STRANGER, { ...STRANGER, Authorization: `Bearer ${token}` }]) {
      for (const [command, payload] of [
        ["share_session", { path }],
        ["revoke_share", { id }],
      ]) {
        const { body } = await postJson(service.url, headers, JSON.stringify({ command, payload }));
        expect(["UNAUTHORIZED", "FORBIDDEN"]).toContain(codeOf(body));
      }
    }
  });

  it("finds no link in the log, the metrics or the data of commands", async () => {
    const { address } = await share(service.home.paths.plain);
    await read(address);
    const secret = address.slice(address.lastIndexOf("/") + 1);
    const seen = [service.log.join(""), (await sendRequest(`${service.url}/metrics`)).body];
    seen.push(JSON.stringify(await service.ask("list_shares")), JSON.stringify(await service.ask("get_config_bundle")));
    for (const text of seen) expect(text).not.toContain(secret);
    expect(seen[1]).toContain('route="/share/:secret"');
  });
});

describe("without a way for others to the service", () => {
  it.each([
    ["switched off", {}, "off", "Sharing is turned off"],
    ["on loopback", { sharing: { enabled: true } }, "loopback", "listens on 127.0.0.1 only"],
  ])("%s: no links are made, with the reason", async (_, config, problem, reason) => {
    await using own = await startRealService({ config });
    const { error } = await own.call("share_session", { path: own.home.paths.plain });
    expect(error).toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining(reason) });
    expect(await own.ask("list_shares")).toEqual({ problem, shares: [] });
  });
});

describe.skipIf(browserProgram === null)("a hostile transcript, read on this machine", () => {
  let browser: Browser;
  let address: string;

  beforeAll(async () => {
    browser = await launchBrowser();
    const path = await service.home.add("hostile", hostileSession(hostilePayloads("127.0.0.1:9").slice(0, 40)));
    await service.settled();
    ({ address } = await share(path));
  });

  afterAll(() => browser?.close());

  /** Opens the link where the page of the service has left a token, with a part of its policy if one is given. */
  async function openLink(policy?: RegExp): Promise<{ page: Page; problems: string[] }> {
    const context = await browser.newContext();
    const page = await context.newPage();
    const problems: string[] = [];
    await page.goto(`${service.url}/`);
    await page.evaluate("localStorage.setItem('token', 'sm_kept')");
    await context.addInitScript(`globalThis.hasRun = () => console.error("A payload has run.")`);
    page.on("console", (message) => message.text().includes("has run") && problems.push(message.text()));
    page.on("request", (request) => {
      if (request.url() !== address && !/^(data|about):/.test(request.url())) problems.push(request.url());
    });
    if (policy !== undefined) {
      await page.route(address, async (route) => {
        const response = await route.fetch();
        const headers = response.headers();
        const [kept = ""] = policy.exec(headers["content-security-policy"] ?? "") ?? [];
        // The page names its policy, too.
        const body = (await response.text()).replace(/<meta http-equiv="Content-Security-Policy".*>/, "");
        await route.fulfill({ body, headers: { ...headers, "content-security-policy": kept } });
      });
    }
    await page.goto(address);
    await page.locator("html.js").waitFor({ state: "attached" });
    return { page, problems };
  }

  it("runs nothing, and asks for nothing", async () => {
    const { page, problems } = await openLink();
    await page.locator("footer").waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it.each([
    ["with its whole policy", undefined],
    ["with the sandbox alone", /sandbox [^;]+/],
  ])("reaches neither commands nor storage: %s", async (_, policy) => {
    const { page } = await openLink(policy);
    const { path } = (await service.ask<{ sessions: { path: string }[] }>("list_sessions")).sessions[0] ?? {};
    const reached = await page.evaluate<Record<string, unknown>>(`${ATTEMPTS}(${JSON.stringify(path)})`);
    expect(reached).toEqual({
      origin: "null",
      storage: "SecurityError",
      cookies: "SecurityError",
      commands: "TypeError",
      plain: "TypeError",
      download: "TypeError",
      events: "refused",
      socket: "refused",
      worker: "SecurityError",
      beacon: expect.anything(),
    });
    expect(await service.ask("list_tokens")).toEqual([expect.objectContaining({ name: "reader" })]);
    const { sessions } = await service.ask<{ sessions: { path: string }[] }>("list_sessions");
    expect(sessions.map((session) => session.path)).toContain(path);
    await page.context().close();
  });

  it("opens no page of the service as itself, neither in its own window nor in another", async () => {
    const { page } = await openLink();
    const download = `/api/export?format=html&disposition=inline&path=${encodeURIComponent(service.home.paths.plain)}`;
    for (const target of ["/", download]) {
      const [popup] = await Promise.all([
        page.context().waitForEvent("page"),
        page.evaluate(`void (globalThis.other = open(${JSON.stringify(service.url + target)}))`),
      ]);
      await popup.waitForLoadState();
      expect(await popup.textContent("body")).toContain("FORBIDDEN");
      expect(await page.evaluate("try { typeof other.document } catch ({ name }) { name }")).not.toBe("object");
      await popup.close();
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url() === service.url + target),
        page.evaluate(`location.assign(${JSON.stringify(target)})`),
      ]);
      expect(answer.status()).toBe(403);
      await page.waitForURL(service.url + target);
      await page.goto(address);
    }
    await page.context().close();
  });

  it("is not framed by another page", async () => {
    const page = await browser.newPage();
    await page.goto(`${service.url}/health`);
    await page.evaluate(`document.body.innerHTML = '<iframe src="${address}"></iframe>'`);
    await page.waitForFunction("frames.length === 1");
    await expect
      .poll(() => page.frames()[1]?.url(), { timeout: 20_000 })
      .toSatisfy((url: unknown) => String(url).startsWith("chrome-error:"));
    await page.close();
  });
});
