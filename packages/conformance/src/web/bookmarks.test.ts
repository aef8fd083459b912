import type { Browser } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { APPEARANCES, accessibilityProblems, openWebPage } from "./web-browser.ts";

describe.skipIf(browserProgram === null)("bookmarks", () => {
  let service: RealService;
  let browser: Browser;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage() });
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const bookmarks = async (path: string) =>
    (await service.ask<{ created_at: string | null }[]>("list_bookmarks", { path })).filter(
      ({ created_at }) => created_at !== null,
    ).length;

  it.each(APPEARANCES)(
    "are set on entries and listed, in the %s theme on %s",
    async (colorScheme, _device, options) => {
      const path = await service.home.copy();
      const address = `${service.url}/session?${new URLSearchParams({ path })}`;
      await using opened = await openWebPage(browser, address, { colorScheme, ...options });
      const { page, problems } = opened;
      const entry = page.getByRole("article").first();
      await entry.waitFor();
      const choose = async (name: string) => {
        await entry.hover();
        await entry.getByRole("button", { name: "More actions for this entry" }).click({ force: true });
        await page.getByRole("menuitem", { name }).click();
      };
      await choose("Add a bookmark");
      await entry.getByText("Bookmarked").waitFor();
      expect(await bookmarks(path)).toBe(1);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);

      await page.reload();
      await entry.getByText("Bookmarked").waitFor();
      await page.keyboard.press("c");
      const contents = page.getByRole("list", { name: "Prompts" });
      await contents.getByText("Bookmarked").waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.keyboard.press("c");

      await choose("Remove the bookmark");
      await entry.getByText("Bookmarked").waitFor({ state: "detached" });
      await expect.poll(() => bookmarks(path), PATIENT).toBe(0);
      await page.getByRole("button", { name: "Undo" }).last().click();
      await entry.getByText("Bookmarked").waitFor();
      expect(await bookmarks(path)).toBe(1);

      await page.goto(`${service.url}/search`);
      await page.getByRole("heading", { name: "Bookmarks" }).waitFor();
      await page
        .getByRole("main")
        .getByRole("link", { name: /1 bookmark/ })
        .first()
        .click();
      await entry.getByText("Bookmarked").waitFor();
      expect(problems).toEqual([]);
    },
  );
});
