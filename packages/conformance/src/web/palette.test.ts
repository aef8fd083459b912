import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { accessibilityProblems, openWebPage, PHONE } from "./web-browser.ts";

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
    await service.ask("create_tag", { name: "high water", color: "#336699", parent_id: null });
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const open = (path = "/", options = {}) => openWebPage(browser, service.url + path, options);

  it("does what is chosen, also from a field, and puts it first the next time", async () => {
    await using opened = await open("/");
    const { page, problems } = opened;
    await page.getByRole("searchbox").click();
    await type(page, "light and dark");
    await expect.poll(() => entries(page).count(), PATIENT).toBe(1);
    await page.keyboard.press("Enter");
    await palette(page).waitFor({ state: "detached" });
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await type(page, "");
    await expect.poll(() => chosen(page).textContent(), PATIENT).toContain("Switch between light and dark");
    expect(await page.getByText("Recently used").count()).toBe(1);
    await page.keyboard.press("Escape");
    await palette(page).waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement?.type")).toBe("search");
    expect(problems).toEqual([]);
  });

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

  it.each([
    ["a session by its title", "umlau", "Names with umlauts", /^\/session\?path=.*branched/],
    ["a project", "/home/user/other", "/home/user/other", /^\/\?project=%2Fhome%2Fuser%2Fother$/],
    ["a tag", "high wat", "high water", /^\/\?tag=/],
    ["a saved search", "kept", "Kept", /^\/search\?q=tide&role=user$/],
    ["a screen", "statistics", "Statistics", /^\/statistics/],
  ])("goes to %s", async (_what, text, name, address) => {
    await using opened = await open("/");
    const { page, problems } = opened;
    await page.evaluate(
      `localStorage.setItem("session-manager.saved-searches", '[{"name":"Kept","search":"?q=tide&role=user"}]')`,
    );
    await page.reload();
    await page.getByRole("grid").getByRole("link").first().waitFor();
    await type(page, text);
    await chosen(page).filter({ hasText: name }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url().slice(service.url.length), PATIENT).toMatch(address);
    expect(problems).toEqual([]);
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

  it("says that nothing has such a name, and closes by its own keys", async () => {
    await using opened = await open("/");
    const { page } = opened;
    await page.getByRole("grid").waitFor();
    await type(page, "no such thing anywhere");
    await palette(page).getByText("No matches").waitFor();
    await page.keyboard.press("ControlOrMeta+k");
    await palette(page).waitFor({ state: "detached" });
  });

  it.each([
    ["light", "a desktop", {}],
    ["dark", "a desktop", {}],
    ["light", "a phone", PHONE],
    ["dark", "a phone", PHONE],
  ] as const)("is accessible in the %s theme on %s", async (colorScheme, _device, options) => {
    await using opened = await open("/", { colorScheme, ...options });
    const { page, problems } = opened;
    await page.getByRole("grid").getByRole("link").first().waitFor();
    await type(page, "");
    await entries(page).first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
