import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { openWebPage } from "./web-browser.ts";

/** More than there is to go to on a screen. */
const MAX_STOPS = 80;

/** Presses a key until the focus is on an element. */
async function walkTo(page: Page, key: "Tab" | "Shift+Tab", selector: string): Promise<void> {
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    await page.keyboard.press(key);
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`${key} never comes to ${selector}.`);
}

interface Position {
  scrollTop: number;
}

const opened = (page: Page) => new URL(page.url()).searchParams.get("path");

describe.skipIf(browserProgram === null)("without a mouse", () => {
  let service: RealService;
  let browser: Browser;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage() });
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  it("one comes from the list to a session, into its text, and back to open another", async () => {
    await using web = await openWebPage(browser, service.url);
    const { page, problems } = web;
    await page.locator("[role=row][aria-selected]").first().waitFor();
    await walkTo(page, "Tab", "[role=grid]");
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/session\?/);
    const first = opened(page);
    await page.locator(".entry").first().waitFor();
    const hasFocus = (selector: string) =>
      expect
        .poll(() => page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`), PATIENT)
        .toBe(true);
    await hasFocus(".transcript-scroller");
    const scrolled = () =>
      page.locator(".transcript-scroller").evaluate((box) => (box as unknown as Position).scrollTop);
    await expect.poll(scrolled, PATIENT).toBeGreaterThan(0);
    await page.keyboard.press("Home");
    await expect.poll(scrolled, PATIENT).toBe(0);
    await page.keyboard.press("Escape");
    await hasFocus("[role=grid]");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await expect.poll(() => opened(page), PATIENT).not.toBe(first);
    await hasFocus("[role=grid]");
    expect(problems).toEqual([]);
  });

  it("one skips the navigation, and comes to everything in it", async () => {
    await using web = await openWebPage(browser, service.url);
    const { page } = web;
    await page.locator("[role=row][aria-selected]").first().waitFor();
    await page.keyboard.press("Tab");
    await expect.poll(() => page.evaluate("document.activeElement.textContent"), PATIENT).toMatch(/^Skip/);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.id"), PATIENT).toBe("content");
    const stops = new Set<unknown>();
    for (let stop = 0; stop < MAX_STOPS; stop++) {
      await page.keyboard.press("Tab");
      stops.add(await page.evaluate("document.activeElement.getAttribute('href')?.split('?')[0]"));
    }
    for (const screen of ["/", "/search", "/live", "/terminals", "/statistics"]) expect(stops).toContain(screen);
  });

  it.each([
    ["moves for those who like it", "no-preference", /^0\.1\d*s$/],
    ["does not move for those who do not", "reduce", /^1e-05s$/],
  ] as const)("what opens %s", async (_, reducedMotion, duration) => {
    await using web = await openWebPage(browser, service.url, { reducedMotion });
    const { page } = web;
    await page.locator("[role=row][aria-selected]").first().waitFor();
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await dialog.waitFor();
    const styleOf = "getComputedStyle(document.querySelector('[role=dialog]'))";
    expect(await page.evaluate(`${styleOf}.animationDuration`)).toMatch(duration);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });
});
