import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, SHARING, SUGGESTS_PROXY, startRealService } from "../real-service.ts";
import { STRANGER } from "../transports.ts";
import { buildPage } from "./built-page.ts";
import { said } from "./transcript-sessions.ts";
import { APPEARANCES, accessibilityProblems, openWebPage } from "./web-browser.ts";

const EMAIL = "jane.doe@example.org";
const HEADER = { type: "session", version: 3, id: "tides", timestamp: "2026-03-01T10:00:00.000Z", cwd: "/srv/tides" };

const dialog = (page: Page) => page.getByRole("dialog", { name: "Share with a link" });
const newLink = (page: Page) => dialog(page).getByText(/\/share\//);
const links = (page: Page) => dialog(page).getByRole("list", { name: "Links" }).getByRole("listitem");

describe.skipIf(browserProgram === null)("sharing", () => {
  let browser: Browser;
  let web: string;
  let service: RealService;
  let path: string;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    web = await buildPage();
    service = await startRealService({ web, config: SHARING, expectedProblems: [SUGGESTS_PROXY] });
    path = await service.home.add("tides", [HEADER, said("t1", null, `Write to ${EMAIL} about the tide clock.`)]);
    await service.settled();
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  /** Opens a session and the dialog for it, by the session's menu. */
  async function openDialog(own = service, of = path, options = {}) {
    const opened = await openWebPage(browser, `${own.url}/session?${new URLSearchParams({ path: of })}`, options);
    const { page } = opened;
    await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("main").getByRole("button", { name: "More actions for this session" }).click();
    await page.getByRole("menuitem", { name: "Share…" }).click();
    await dialog(page).waitFor();
    return opened;
  }

  it("makes a link that a stranger reads, until it is revoked", async () => {
    await using opened = await openDialog();
    const { page, problems } = opened;
    await dialog(page).getByRole("region", { name: "Replacements" }).getByText("[redacted:email-1]").first().waitFor();
    await dialog(page).getByRole("combobox", { name: "Expires after" }).click();
    await page.getByRole("option", { name: "30 days" }).click();
    await dialog(page).getByRole("button", { name: "Create link" }).click();
    const url = await newLink(page).textContent();
    expect(url).toMatch(/^https:\/\/sessions\.example\.org\/share\/[\w-]{43}$/);
    const address = service.url + new URL(url ?? "").pathname;

    const context = await browser.newContext({ extraHTTPHeaders: STRANGER });
    const stranger = await context.newPage();
    await stranger.goto(address);
    await stranger.locator("main").getByText("about the tide clock").first().waitFor();
    expect(await stranger.content()).not.toContain(EMAIL);
    const called = `fetch("/api", { method: "POST", body: "{}" }).then(() => "reached", ({ name }) => name)`;
    expect(await stranger.evaluate(called)).toBe("TypeError");

    await dialog(page).getByRole("button", { name: "Done" }).click();
    await links(page).waitFor();
    // The list that was known is shown first.
    await expect.poll(() => links(page).textContent(), PATIENT).toMatch(/opened once/);
    await links(page)
      .getByRole("button", { name: /^Revoke/ })
      .click();
    await expect.poll(() => links(page).count(), PATIENT).toBe(0);
    expect((await stranger.reload())?.status()).toBe(404);
    await stranger.getByText("This link has expired, was revoked, or is not complete.").waitFor();
    await context.close();
    expect(problems).toEqual([]);
  });

  it("lists all links in the settings", async () => {
    await service.ask("share_session", { path: service.home.paths.branched });
    await using opened = await openWebPage(browser, `${service.url}/settings/api-keys`);
    const { page, problems } = opened;
    const line = page.getByRole("list", { name: "Links" }).getByRole("listitem").filter({ hasText: "umlauts" });
    await line.getByText("never opened").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await line.getByRole("button", { name: /^Revoke the link: Names with umlauts/ }).click();
    await expect.poll(() => line.count(), PATIENT).toBe(0);
    expect(await service.ask("list_shares")).toMatchObject({ shares: [] });
    expect(problems).toEqual([]);
  });

  it.each([
    ["switched off", {}, "Sharing is turned off"],
    ["on this machine only", { sharing: { enabled: true } }, "Nobody else could open a link"],
  ])("%s: says what to do, and offers the export", async (_, config, text) => {
    await using own = await startRealService({ web, config });
    await using opened = await openDialog(own, own.home.paths.branched);
    const { page, problems } = opened;
    await dialog(page).getByRole("heading", { name: text }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog(page).getByRole("button", { name: "Export…" }).click();
    await page.getByRole("dialog", { name: "Export" }).waitFor();
    expect(await dialog(page).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it.each(APPEARANCES)("is accessible in the %s theme on %s", async (colorScheme, _device, options) => {
    await service.ask("share_session", { path });
    await using opened = await openDialog(service, path, { colorScheme, ...options });
    const { page, problems } = opened;
    await dialog(page).getByRole("region", { name: "Replacements" }).waitFor();
    await links(page).first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog(page).getByRole("button", { name: "Create link" }).click();
    await newLink(page).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
