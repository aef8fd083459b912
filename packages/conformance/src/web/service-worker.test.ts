import type { Browser, Page, Worker } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { openWebPage } from "./web-browser.ts";

describe.skipIf(browserProgram === null)("the service worker", () => {
  let service: RealService;
  let browser: Browser;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage() });
    await service.settled();
  }, 120_000);

  afterAll(() => service?.[Symbol.asyncDispose]());

  const openWithWorker = async (address: string) => {
    const opened = await openWebPage(browser, address, { hasWorker: true, isLast: true });
    await opened.page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
    return opened;
  };

  it("opens the page without the service, which the page says, and keeps nothing of a session", async () => {
    const own = await startRealService({ web: await buildPage() });
    let isOver = false;
    const end = async () => {
      if (!isOver) await own[Symbol.asyncDispose]();
      isOver = true;
    };
    await using _service = { [Symbol.asyncDispose]: end };
    await own.settled();
    await using opened = await openWithWorker(own.url);
    const { page } = opened;
    await page.getByRole("row", { name: /Names with umlauts/ }).click();
    await page.getByText("normal form").first().waitFor();
    const kept = await page.evaluate<string[]>(`(async () => {
      const urls = [];
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) urls.push(new URL(url).pathname);
      return urls;
    })()`);
    expect(kept).toContain("/");
    expect(kept.filter((path) => !/^\/(assets\/[\w.-]+|[\w-]+\.(js|svg|png|webmanifest))?$/.test(path))).toEqual([]);

    await end();
    await page.reload();
    await page
      .getByRole("status")
      .filter({ hasText: /connection/i })
      .first()
      .waitFor();
    expect(await page.getByText("Names with umlauts").count()).toBe(0);
  });

  /** Sends a message as the browser's push service would. */
  async function deliver(page: Page, message: object): Promise<void> {
    const devTools = await page.context().newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      devTools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(service.url));
        if (own !== undefined) resolve(own.registrationId);
      });
    });
    await devTools.send("ServiceWorker.enable");
    const registrationId = await registered;
    await devTools.send("ServiceWorker.deliverPushMessage", {
      origin: service.url,
      registrationId,
      data: JSON.stringify(message),
    });
    await devTools.detach();
  }

  /** The worker, which only writes down what it would show: a browser without windows shows nothing. */
  async function recordingWorker(page: Page): Promise<Worker> {
    const [worker] = page.context().serviceWorkers();
    if (worker === undefined) throw new Error("The page has no service worker.");
    await worker.evaluate(`{
      self.shown = [];
      self.registration.showNotification = async (title, { body, data }) => void self.shown.push({ title, body, data });
    }`);
    return worker;
  }

  const shown = (worker: Worker) => worker.evaluate<{ title: string; body: string; data: string }[]>("self.shown");

  const ASKS = { news: "asks", session_id: "s1", title: "Tides", text: "Delete the table?" };

  it("shows what an agent asks, and leads to its session", async () => {
    await using opened = await openWithWorker(service.url);
    const { page } = opened;
    const worker = await recordingWorker(page);
    await deliver(page, ASKS);
    await expect
      .poll(() => shown(worker), PATIENT)
      .toEqual([{ title: "Tides", body: "Delete the table?", data: "/live?session=s1" }]);
    await worker.evaluate(`{
      const notification = { data: self.shown[0].data, close() {} };
      self.dispatchEvent(Object.assign(new ExtendableEvent("notificationclick"), { notification }));
    }`);
    await page.waitForURL(/\/live\?session=s1$/);
  });

  it("is quiet about a session that somebody looks at, and about what it does not understand", async () => {
    await using opened = await openWithWorker(`${service.url}/live?session=s1`);
    const { page } = opened;
    const worker = await recordingWorker(page);
    await page.bringToFront();
    await deliver(page, ASKS);
    await deliver(page, { news: "unheard of", title: "Tides" });
    // This one comes after whatever the others would have shown.
    await deliver(page, { ...ASKS, session_id: "s2", title: "Another" });
    await expect.poll(async () => (await shown(worker)).map(({ title }) => title), PATIENT).toEqual(["Another"]);
  });
});
