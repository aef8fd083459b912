import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { longSession } from "./transcript-sessions.ts";
import { openWebPage } from "./web-browser.ts";

describe.skipIf(browserProgram === null)("whoever comes back", () => {
  let service: RealService;
  let browser: Browser;
  let long: string;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage() });
    long = await service.home.add("long", longSession(1_000));
    const [header] = longSession(0);
    for (let number = 0; number < 60; number++) {
      await service.home.add(`other-${number}`, [{ ...header, id: `other-${number}` }, ...longSession(1).slice(1)]);
    }
    await service.settled();
  }, 120_000);

  afterAll(() => service?.[Symbol.asyncDispose]());

  const go = (page: Page, link: string) => page.getByRole("navigation").getByRole("link", { name: link }).click();
  const scrollTop = (page: Page, box: string) => page.locator(box).evaluate((element) => Math.round(element.scrollTop));

  /** The entry that the window begins in, and the pixels of it that are above; `null` while entries are loaded. */
  const reading = (page: Page) =>
    page.evaluate<[entry: string, hidden: number] | null>(`(() => {
      if (document.querySelector(".transcript-row") === null || document.querySelector(".placeholder") !== null) return null;
      const top = document.querySelector(".transcript-scroller").getBoundingClientRect().top;
      const row = [...document.querySelectorAll(".transcript-row")]
        .find((one) => one.getBoundingClientRect().bottom > top + 1 && one.querySelector("[data-entry]") !== null);
      return [row.querySelector("[data-entry]").dataset.entry, Math.round(top - row.getBoundingClientRect().top)];
    })()`);

  const firstPlace = (page: Page) =>
    page.locator(".transcript-row").evaluateAll((rows) => Math.min(...rows.map((row) => Number(row.dataset.index))));

  it("finds the list where it was", async () => {
    await using opened = await openWebPage(browser, service.url);
    const { page, problems } = opened;
    const grid = page.getByRole("grid");
    await grid.locator("[role=row][aria-selected]").first().waitFor();
    await grid.hover();
    await page.mouse.wheel(0, 1_500);
    await expect.poll(() => scrollTop(page, "[role=grid]"), PATIENT).toBe(1_500);
    await go(page, "Search");
    await grid.waitFor({ state: "detached" });
    await page.goBack();
    await grid.waitFor();
    expect(await scrollTop(page, "[role=grid]")).toBe(1_500);
    await page.reload();
    await grid.waitFor();
    expect(await scrollTop(page, "[role=grid]")).toBe(1_500);
    expect(problems).toEqual([]);
  });

  it("finds a session where it was being read, also after a reload, and a link to it leads to its end", async () => {
    await using opened = await openWebPage(browser, `${service.url}/session?${new URLSearchParams({ path: long })}`);
    const { page, problems } = opened;
    await page.locator('[data-entry="d999"]').waitFor();
    await page.locator(".transcript-scroller").hover();
    for (let turn = 0; turn < 10; turn++) await page.mouse.wheel(0, -1_000);
    await page.getByRole("button", { name: /newest/i }).waitFor();
    let before: [entry: string, hidden: number] = ["", 0];
    await expect
      .poll(async () => {
        const last = before;
        before = (await reading(page)) ?? ["", 0];
        return before[0] !== "" && last[0] === before[0] && last[1] === before[1];
      }, PATIENT)
      .toBe(true);
    // However the heights above are guessed once all of the session is known.
    expect(await firstPlace(page)).toBeGreaterThan(3_700);
    const isThere = () =>
      expect.poll(async () => {
        const [entry, hidden] = (await reading(page)) ?? ["", 0];
        return entry === before[0] && Math.abs(hidden - before[1]) <= 2;
      }, PATIENT);

    await go(page, "Statistics");
    await page.getByRole("heading", { name: "Statistics" }).waitFor();
    await page.goBack();
    await page.locator(`[data-entry="${before[0]}"]`).waitFor();
    await isThere().toBe(true);
    await page.reload();
    await page.locator(`[data-entry="${before[0]}"]`).waitFor();
    await isThere().toBe(true);
    // Another entry of the history for the same place.
    await page.keyboard.press("c");
    await page.getByRole("complementary").waitFor();
    await page.reload();
    await page.locator(`[data-entry="${before[0]}"]`).waitFor();
    await isThere().toBe(true);

    await page.goto(`${service.url}/session?${new URLSearchParams({ path: long })}`);
    await page.locator('[data-entry="d999"]').waitFor();
    expect(problems).toEqual([]);
  });
});
