import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { openWebPage } from "./web-browser.ts";

const grid = (page: Page) => page.getByRole("grid");
const rows = (page: Page) => grid(page).locator("[role=row][aria-selected]");

describe.skipIf(browserProgram === null)("rows of the list", () => {
  let service: RealService;
  let browser: Browser;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage() });
    for (let number = 0; number < 40; number++) {
      await add(`Session ${number}`, { daysAgo: number / 7, cwd: `/home/user/project-${number}` });
    }
    await service.settled();
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const open = (path = "/", options = {}) => openWebPage(browser, service.url + path, options);

  function add(title: string, { daysAgo, cwd }: { daysAgo: number; cwd: string }): Promise<string> {
    const id = title.toLowerCase().replaceAll(" ", "-");
    const timestamp = new Date(Date.now() - 60_000 - daysAgo * 86_400_000).toISOString();
    return service.home.add(id, [
      { type: "session", version: 3, id, timestamp, cwd },
      { type: "message", id: "00000001", parentId: null, timestamp, message: { role: "user", content: title } },
    ]);
  }

  it("are not below the heading of their day where the keyboard goes", async () => {
    await using opened = await open();
    const { page, problems } = opened;
    await rows(page).first().waitFor();
    await grid(page).focus();
    await page.keyboard.press("End");
    for (let steps = 0; steps < 25; steps++) await page.keyboard.press("ArrowUp");
    const hidden = `(() => {
      const grid = document.querySelector("[role=grid]");
      const heading = grid.previousElementSibling.getBoundingClientRect();
      const row = document.getElementById(grid.getAttribute("aria-activedescendant")).getBoundingClientRect();
      return Math.round(Math.max(0, heading.bottom - row.top));
    })()`;
    // Rows begin a pixel below the place that they have.
    await expect.poll(() => page.evaluate(hidden), PATIENT).toBe(0);
    expect(await grid(page).evaluate("document.querySelector('[role=grid]').scrollTop")).toBeGreaterThan(0);
    expect(problems).toEqual([]);
  });

  it("are nineteen and more on a small screen where the user wants many", async () => {
    const script = `localStorage.setItem("session-manager.density", '"compact"')`;
    await using opened = await open("/?group=none", { viewport: { width: 1440, height: 900 }, script });
    const { page, problems } = opened;
    await rows(page).first().waitFor();
    const whole = `(() => {
      const grid = document.querySelector("[role=grid]").getBoundingClientRect();
      const boxes = [...document.querySelectorAll("[role=row][aria-selected]")].map((row) => row.getBoundingClientRect());
      return boxes.filter(({ top, bottom }) => top >= grid.top && bottom <= grid.bottom).length;
    })()`;
    await expect.poll(async () => Number(await page.evaluate(whole)), PATIENT).toBeGreaterThanOrEqual(19);
    const texts = `[...document.querySelectorAll("[role=row][aria-selected]")]
      .filter((row) => row.scrollHeight > row.clientHeight || row.scrollWidth > row.clientWidth).length`;
    expect(await page.evaluate(texts)).toBe(0);
    expect(problems).toEqual([]);
  });
});
