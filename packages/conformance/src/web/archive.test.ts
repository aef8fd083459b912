import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { APPEARANCES, accessibilityProblems, openWebPage } from "./web-browser.ts";

const rows = (page: Page) => page.getByRole("grid").locator("[role=row][aria-selected]");
const titles = (page: Page) => rows(page).locator("a").allTextContents();

describe.skipIf(browserProgram === null)("the archive", () => {
  let service: RealService;
  let browser: Browser;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage() });
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const open = (path: string, options = {}) => openWebPage(browser, service.url + path, options);
  const total = async (archived: "exclude" | "only") =>
    (await service.ask<{ total: number }>("list_sessions", { archived })).total;

  it("takes sessions with a key, and gives them back", async () => {
    await using opened = await open("/?group=none&sort=title");
    const { page, problems } = opened;
    await rows(page).first().waitFor();
    const all = await titles(page);
    await page.getByRole("grid").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("e");
    await expect.poll(() => titles(page), PATIENT).toEqual(all.slice(1));
    await expect.poll(() => total("only"), PATIENT).toBe(1);
    await page.keyboard.press("z");
    await expect.poll(() => titles(page), PATIENT).toEqual(all);
    await expect.poll(() => total("only"), PATIENT).toBe(0);
    await page.getByRole("grid").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("e");
    const archive = page.getByRole("navigation").getByRole("link", { name: /^Archived/ });
    await archive.getByText("1", { exact: true }).waitFor();
    await archive.click();
    await expect.poll(() => titles(page), PATIENT).toEqual(all.slice(0, 1));
    await page.reload();
    await rows(page).first().click();
    await page.locator(".session-facts").getByText("Archived").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "More actions for this session" }).click();
    await page.getByRole("menuitem", { name: "Unarchive" }).click();
    await expect.poll(() => total("only"), PATIENT).toBe(0);
    await page.getByText("Nothing is archived").waitFor();
    expect(problems).toEqual([]);
  });

  it.each(APPEARANCES)(
    "takes all old sessions after a question, in the %s theme on %s",
    async (colorScheme, _device, options) => {
      await using opened = await open("/?group=none", { colorScheme, ...options });
      const { page, problems } = opened;
      await rows(page).first().waitFor();
      const before = await total("exclude");
      await page.getByRole("button", { name: "Sort and group" }).click();
      await page.getByRole("menuitem", { name: /^Archive old sessions/ }).click();
      const dialog = page.getByRole("dialog", { name: "Archive old sessions" });
      await dialog.getByText(/^\d+ sessions, .+ are left out/).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await dialog.getByRole("button", { name: "Archive", exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      expect(await total("exclude")).toBeLessThan(before);
      await page.getByRole("button", { name: "Undo" }).click();
      await expect.poll(() => total("exclude"), PATIENT).toBe(before);
      await expect.poll(async () => (await titles(page)).length, PATIENT).toBe(before);
      expect(problems).toEqual([]);
    },
  );
});
