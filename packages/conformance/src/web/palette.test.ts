import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { APPEARANCES, accessibilityProblems, openWebPage } from "./web-browser.ts";

const palette = (page: Page) => page.getByRole("dialog", { name: "Command palette" });
const entries = (page: Page) => palette(page).getByRole("option");
const chosen = (page: Page) => palette(page).locator("[role=option][aria-selected=true]");

/** Opens the palette and types. */
async function type(page: Page, text: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+k");
  await palette(page).waitFor();
  await page.keyboard.type(text);
}

describe.skipIf(browserProgram === null)("the command palette", () => {
  let service: RealService;
  let browser: Browser;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage() });
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const open = (path = "/", options = {}) => openWebPage(browser, service.url + path, options);

  it("shows actions with their keys, those of what is open among them", async () => {
    await using opened = await open("/");
    const { page } = opened;
    await page.getByRole("grid").getByRole("link", { name: "Names with umlauts" }).click();
    await page.getByRole("heading", { level: 1, name: "Names with umlauts" }).waitFor();
    await type(page, "find in this");
    await expect.poll(() => chosen(page).textContent(), PATIENT).toMatch(/Find in this session.*Ctrl.*F/);
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Find in this session" }).waitFor();
  });

  it("goes to what is found for all that was typed, where Enter comes before it is shown", async () => {
    await using opened = await open("/");
    const { page, problems } = opened;
    await page.getByRole("grid").getByRole("link").first().waitFor();
    await type(page, "");
    await entries(page).first().waitFor();
    await page.evaluate(async () => {
      const field = document.activeElement;
      if (!(field instanceof HTMLInputElement)) throw new Error("The field does not have the focus.");
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, "statistics");
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      // A keystroke has its effects, and the list none yet, which has lower priority.
      await null;
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    });
    await page.waitForURL(/\/statistics/);
    expect(problems).toEqual([]);
  });

  it.each(APPEARANCES)("is accessible in the %s theme on %s", async (colorScheme, _device, options) => {
    await using opened = await open("/", { colorScheme, ...options });
    const { page, problems } = opened;
    await page.getByRole("grid").getByRole("link").first().waitFor();
    await type(page, "");
    await entries(page).first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
