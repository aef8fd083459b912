import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { openWebPage } from "./web-browser.ts";
import { startWebProxy } from "./web-proxy.ts";

/** Notes what the page sends, by connection. */
const NOTE_SENT = `
  globalThis.sent = new Map();
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    globalThis.sent.set(this, [...(globalThis.sent.get(this) ?? []), JSON.parse(text)]);
    send.call(this, text);
  };`;

const NEVER_IDLE = "globalThis.requestIdleCallback = () => 0;";

interface Sent {
  id: string | number;
  command: string;
  payload: { limit?: number };
}

/** What the page has sent over its connection, of which it has one. */
async function sentBy(page: Page): Promise<Sent[]> {
  const connections = await page.evaluate<Sent[][]>("[...globalThis.sent.values()]");
  expect(connections).toHaveLength(1);
  return connections.flat();
}

describe.skipIf(browserProgram === null)("the start of the page", () => {
  let service: RealService;
  let browser: Browser;
  let path: string;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage() });
    const { sessions } = await service.ask<{ sessions: { path: string }[] }>("list_sessions");
    path = sessions[0]?.path ?? "";
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const rows = (page: Page) => page.getByRole("grid").locator("[role=row][aria-selected]");
  const atSession = () => `/session?${new URLSearchParams({ path })}`;

  it("asks for the list once, before its program is there", async () => {
    await using opened = await openWebPage(browser, service.url, { script: NOTE_SENT });
    const { page, problems } = opened;
    await rows(page).first().waitFor();
    const lists = (await sentBy(page)).filter(
      ({ command, payload }) => command === "list_sessions" && payload.limit === 60,
    );
    expect(lists.map(({ id }) => id)).toEqual(["early-0"]);
    expect(problems).toEqual([]);
  });

  it("asks for a session once, and needs few files for it", async () => {
    // What is loaded when the page is idle is not needed for it.
    const script = `${NOTE_SENT} ${NEVER_IDLE}`;
    await using opened = await openWebPage(browser, service.url + atSession(), { script });
    const { page, problems } = opened;
    await page.locator(".entry").first().waitFor();
    const sent = await sentBy(page);
    expect(sent.slice(0, 2).map(({ id, command }) => [id, command])).toEqual([
      ["early-0", "read_transcript"],
      ["early-1", "list_sessions"],
    ]);
    expect(sent.filter(({ command }) => command === "read_transcript")).toHaveLength(1);
    const scripts = await page.evaluate<number>(
      `performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js")).length`,
    );
    expect(scripts).toBeLessThan(12);
    expect(problems).toEqual([]);
  });

  it.each([
    ["/", []],
    ["/session", ["en", "home", "session"]],
  ])("loads what %s needs before its program is there", async (address, names) => {
    // The page before it is at rest.
    await using opened = await openWebPage(browser, service.url, { script: NEVER_IDLE });
    const { page } = opened;
    await page.locator("main").waitFor();
    await page.waitForLoadState("networkidle");
    await page.route("**/assets/index-*.js", (route) => route.abort());
    const loaded = new Set<string>();
    page.on("request", (request) => {
      const [, name] = /\/assets\/(\w+)-.*\.js$/.exec(request.url()) ?? [];
      if (name !== undefined) loaded.add(name);
    });
    await page.goto(service.url + address, { waitUntil: "load" });
    await page.unroute("**/assets/index-*.js");
    expect([...loaded].sort()).toEqual([...names, "index", "rolldown"].sort());
  });

  it("shows its token before it asks", async () => {
    const { token } = await service.ask<{ token: string }>("create_token", { name: "visitor" });
    await using proxy = await startWebProxy(service.url, { webSockets: true });
    await using opened = await openWebPage(browser, `${proxy.url}/?token=${token}`, { script: NOTE_SENT });
    const { page, problems } = opened;
    await rows(page).first().waitFor();
    const sent = await sentBy(page);
    expect(sent.slice(0, 2).map(({ id, command }) => [id, command])).toEqual([
      ["early-0", "auth"],
      ["early-1", "list_sessions"],
    ]);
    expect(sent.filter(({ command }) => command === "auth")).toHaveLength(1);
    expect(problems).toEqual([]);
  });
});
