import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { APPEARANCES, accessibilityProblems, openWebPage } from "./web-browser.ts";

describe.skipIf(browserProgram === null)("notes", () => {
  let service: RealService;
  let browser: Browser;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage() });
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const notes = async (path: string) =>
    (await service.ask<{ entry_id: string | null; text: string }[]>("list_notes", { path })).map(({ text }) => text);

  async function write(page: Page, name: string, text: string): Promise<void> {
    const dialog = page.getByRole("dialog", { name });
    await dialog.getByRole("textbox", { name: "Your note" }).fill(text);
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
  }

  it.each(APPEARANCES)(
    "are written on a session and its entries, in the %s theme on %s",
    async (colorScheme, _device, options) => {
      const path = await service.home.copy();
      const address = `${service.url}/session?${new URLSearchParams({ path })}`;
      await using opened = await openWebPage(browser, address, { colorScheme, ...options });
      const { page, problems } = opened;
      const entry = page.getByRole("article").first();
      await entry.waitFor();
      await page.getByRole("button", { name: "More actions for this session" }).click();
      await page.getByRole("menuitem", { name: "Note…" }).click();
      await write(page, "Note on the session", "Has the fix.");
      await page.getByRole("button", { name: /Has the fix\./ }).waitFor();
      await entry.hover();
      await entry.getByRole("button", { name: "More actions for this entry" }).click({ force: true });
      await page.getByRole("menuitem", { name: "Add a note" }).click();
      await write(page, "Note on this entry", "Look\nhere.");
      const note = entry.getByRole("button", { name: /Look/ });
      await note.waitFor();
      expect((await notes(path)).sort()).toEqual(["Has the fix.", "Look\nhere."]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await page.reload();
      await note.click();
      await write(page, "Note on this entry", "");
      await note.waitFor({ state: "detached" });
      expect(await notes(path)).toEqual(["Has the fix."]);
      await page.getByRole("button", { name: "Undo" }).last().click();
      await note.waitFor();
      await expect.poll(async () => (await notes(path)).length, PATIENT).toBe(2);
      expect(problems).toEqual([]);
    },
  );
});
