import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { accessibilityProblems, openWebPage, PHONE } from "./web-browser.ts";
import { startWebProxy } from "./web-proxy.ts";

const rows = (page: Page) => page.getByRole("grid").locator("[role=row][aria-selected]");
const dialog = (page: Page) => page.getByRole("dialog", { name: "API token required" });
const field = (page: Page) => dialog(page).getByLabel("Token", { exact: true });

/** What a browser says of answers that refuse, which is not said of the page. */
const unexpected = (problems: readonly string[]) =>
  problems.filter((problem) => !/Failed to load resource|WebSocket connection to/.test(problem));

describe.skipIf(browserProgram === null)("a visitor from another machine", () => {
  let service: RealService;
  let browser: Browser;
  let token: string;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    const web = await buildPage();
    service = await startRealService({ web, expectedProblems: ["A wrong API token was rejected."] });
    ({ token } = await service.ask<{ token: string }>("create_token", { name: "visitor" }));
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  it.each([
    ["over a WebSocket", { webSockets: true }],
    ["over HTTP, where WebSockets do not get through", { webSockets: false }],
  ])("is asked for a token %s, told of a wrong one, and let in with the right one", async (_, options) => {
    await using proxy = await startWebProxy(service.url, options);
    await using opened = await openWebPage(browser, proxy.url);
    const { page, problems } = opened;
    await dialog(page).waitFor();
    await expect.poll(() => field(page).evaluate((element) => element.matches(":focus")), PATIENT).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.type("sm_wrong");
    await page.keyboard.press("Enter");
    await dialog(page).getByText("rejected this token").waitFor();
    expect(await rows(page).count()).toBe(0);
    await field(page).fill(token);
    await page.keyboard.press("Enter");
    await dialog(page).waitFor({ state: "detached" });
    await rows(page).first().waitFor();
    await page.reload();
    await rows(page).first().waitFor();
    expect(await dialog(page).count()).toBe(0);
    expect(unexpected(problems)).toEqual([]);
  });

  it("is asked again in another tab, unless this browser is to remember", async () => {
    await using proxy = await startWebProxy(service.url, { webSockets: true });
    await using opened = await openWebPage(browser, proxy.url, PHONE);
    const { page } = opened;
    const another = async () => {
      const tab = await page.context().newPage();
      await tab.goto(proxy.url);
      return tab;
    };
    await field(page).fill(token);
    await dialog(page).getByRole("button", { name: "Continue" }).tap();
    await rows(page).first().waitFor();
    const asked = await another();
    await dialog(asked).waitFor();
    await dialog(asked).getByLabel("Remember it in this browser").check();
    await field(asked).fill(token);
    await asked.keyboard.press("Enter");
    await rows(asked).first().waitFor();
    await rows(await another())
      .first()
      .waitFor();
  });

  it("follows what happens over HTTP alone, and brings the token in the address, where it does not stay", async () => {
    await using proxy = await startWebProxy(service.url, { webSockets: false });
    await using opened = await openWebPage(browser, `${proxy.url}/?token=${token}&q=umlauts`);
    const { page, problems } = opened;
    await rows(page).first().waitFor();
    expect(new URL(page.url()).search).toBe("?q=umlauts");
    await page.getByRole("img", { name: "over HTTP" }).waitFor();
    const { branched } = service.home.paths;
    await service.ask("rename_session", { path: branched, name: "Told over HTTP, with umlauts" });
    await rows(page).getByText("Told over HTTP").waitFor();
    expect(unexpected(problems)).toEqual([]);
  });

  it("can do only what the token allows, and is told so", async () => {
    const { token: reading } = await service.ask<{ token: string }>("create_token", { name: "reader", scope: "read" });
    await using proxy = await startWebProxy(service.url, { webSockets: true });
    await using opened = await openWebPage(browser, `${proxy.url}/?token=${reading}`);
    const { page } = opened;
    await rows(page).first().waitFor();
    await rows(page).first().click({ button: "right" });
    await page.getByRole("menuitem", { name: "Add to favorites" }).click();
    await page.getByRole("region", { name: "Notifications" }).getByText("read").waitFor();
    expect(await service.ask<string[]>("list_favorites")).toEqual([]);
  });
});
