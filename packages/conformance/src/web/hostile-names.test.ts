import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { hostileSession } from "../hostile-sessions.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { openWebPage } from "./web-browser.ts";

/** Marks that turn the direction of text, and characters without a width. */
const NAME = "pic\u202egpj\u2066.exe\u200b \ufeff\u2069\u061c\u200e\u00ad\u2060\u3164 word";

describe.skipIf(browserProgram === null)("names that mislead", () => {
  let service: RealService;
  let browser: Browser;
  let path: string;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage() });
    path = await service.home.add(NAME, hostileSession([NAME]));
    await service.settled();
    const { id } = await service.ask<{ id: string }>("create_tag", { name: NAME, color: "#cc3333" });
    await service.ask("assign_tag", { session_path: path, tag_id: id });
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const open = (address: string) => openWebPage(browser, service.url + address);
  const openSession = (search = {}) => open(`/session?${new URLSearchParams({ path, ...search })}`);

  /** Waits for a part of the page, and lists what it and the rest show as it was written. */
  async function hiddenIn(page: Page, part: string): Promise<string[]> {
    await page.locator(part).filter({ hasText: "⟦U+" }).first().waitFor(PATIENT);
    return page.evaluate(hiddenTexts);
  }

  it.each([
    ["the list", "/?group=project", "[role=row]", null],
    ["a menu of the list", "/?group=none", "[role=menuitemcheckbox]", "tags"],
    ["the palette", "/", "[cmdk-item]", "palette"],
    ["a search", "/search?q=word", "[data-row]", null],
    ["the statistics", "/statistics?period=all", "main section", null],
    ["tables of the statistics", "/statistics?period=all", "td, th", "tables"],
  ])("are seen in %s", async (_, address, part, act) => {
    await using opened = await open(address);
    const { page, problems } = opened;
    if (act === "tags") {
      await page.locator("[role=row]", { hasText: "⟦U+202E⟧" }).first().click({ button: "right" });
      await page.getByRole("menuitem", { name: "Tags" }).click();
    }
    if (act === "palette") {
      await page.locator("[role=row]").first().waitFor(PATIENT);
      await page.keyboard.press("ControlOrMeta+k");
      await page.keyboard.type("word");
    }
    if (act === "tables") {
      await page.locator("main section").filter({ hasText: "⟦U+" }).first().waitFor(PATIENT);
      const buttons = page.getByRole("button", { name: /as a table/i });
      for (let left = await buttons.count(); left > 0; left--) {
        await buttons.first().click();
        await expect.poll(() => buttons.count(), PATIENT).toBe(left - 1);
      }
    }
    expect(await hiddenIn(page, part)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("are seen in the transcript, its panel, its dialogs and the name of the window", async () => {
    await using opened = await openSession({ panel: "tree" });
    const { page, problems } = opened;
    expect(await hiddenIn(page, "#content h1")).toEqual([]);
    expect(await page.title()).toContain("pic⟦U+202E⟧gpj⟦U+2066⟧.exe⟦U+200B⟧");
    await page.getByRole("radio", { name: "All" }).click();
    expect(await hiddenIn(page, ".tree-item")).toEqual([]);
    for (const key of ["t", "o"]) await page.keyboard.press(key);
    for (let step = 0; step <= 10; step++) {
      await page.locator(".transcript-scroller").evaluate((scroller, step) => {
        scroller.scrollTop = (scroller.scrollHeight * step) / 10;
        for (const button of scroller.querySelectorAll<HTMLElement>(".aside > .summary")) button.click();
      }, step);
      expect(await hiddenIn(page, ".transcript-scroller")).toEqual([]);
    }
    await page.keyboard.press("ControlOrMeta+Shift+e");
    expect(await hiddenIn(page, "[role=dialog]")).toEqual([]);
    expect(problems).toEqual([]);
  }, 60_000);

  it("are as they were where they are changed", async () => {
    await using opened = await openSession();
    const { page, problems } = opened;
    await page
      .getByRole("button", { name: /⟦U\+202E⟧/ })
      .first()
      .waitFor(PATIENT);
    await page.locator("#content h1 button").click();
    const field = page.getByRole("main").getByRole("textbox", { name: "Name" });
    expect(await field.inputValue()).toBe(NAME);
    await field.press("End");
    await field.pressSequentially("!");
    await field.press("Enter");
    const nameOf = async () => {
      const { sessions } = await service.ask<{ sessions: { path: string; name: string }[] }>("list_sessions");
      return sessions.find((session) => session.path === path)?.name;
    };
    await expect.poll(nameOf, PATIENT).toBe(`${NAME}!`);
    expect(problems).toEqual([]);
  });
});

/** Lists, in the page, texts and attributes with a character that nobody sees. */
function hiddenTexts(): string[] {
  const TURNING = /[\u202a-\u202e\u2066-\u2069]/u;
  // Emoji and several scripts need the joiners.
  const INVISIBLE = /(?!\p{Join_Control}|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/u;
  const SHOWN = /^(?:title|alt|placeholder|aria-(?:label|description|valuetext))$/;
  const found: string[] = [];
  for (const element of document.querySelectorAll("*")) {
    // Prose in several scripts needs more of them.
    const hidden = element.closest(".prose") !== null && element.closest("code") === null ? TURNING : INVISIBLE;
    for (const { name, value } of element.attributes) {
      if (SHOWN.test(name) && INVISIBLE.test(value)) found.push(`${name} of ${element.outerHTML.slice(0, 200)}`);
    }
    for (const node of element.childNodes) {
      if (node instanceof Text && hidden.test(node.data)) found.push(`text of ${element.outerHTML.slice(0, 200)}`);
    }
  }
  if (INVISIBLE.test(document.title)) found.push(`title: ${document.title}`);
  return found.map((text) => JSON.stringify(text));
}
