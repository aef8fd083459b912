import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { accessibilityProblems, openWebPage } from "./web-browser.ts";

const AGENT = dirname(fileURLToPath(import.meta.resolve("@earendil-works/pi-coding-agent")));

const colors = (page: Page) =>
  page.evaluate(() => {
    const { dataset, style } = document.documentElement;
    return [dataset.theme, style.getPropertyValue("--selected")];
  });

describe.skipIf(browserProgram === null)("the themes of the agent", () => {
  let service: RealService;
  let browser: Browser;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage() });
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  it("are chosen, kept and there before the service answers", async () => {
    const folder = join(service.home.folder, "agent", "themes");
    await mkdir(folder, { recursive: true });
    const text = await readFile(join(AGENT, "modes/interactive/theme/dark.json"), "utf8");
    await writeFile(join(folder, "sea.json"), text.replace('"name": "dark"', '"name": "sea"'));
    await using opened = await openWebPage(browser, service.url, { colorScheme: "light" });
    const { page, problems } = opened;
    await page.getByRole("button", { name: "Theme, Language" }).click();
    await page.getByRole("menuitemradio", { name: "sea" }).click();
    await expect.poll(() => colors(page), PATIENT).toEqual(["dark", "#3a3a4a"]);
    await page.getByRole("menu").waitFor({ state: "detached" });
    // The button has the focus again, and with it its tooltip.
    await page.keyboard.press("Escape");
    await page.getByRole("tooltip").waitFor({ state: "detached" });
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.route("**/assets/*.js", (route) => route.abort());
    await page.reload({ waitUntil: "domcontentloaded" });
    expect(await colors(page)).toEqual(["dark", "#3a3a4a"]);
    await page.unroute("**/assets/*.js");
    expect(problems.filter((problem) => !problem.includes("ERR_FAILED"))).toEqual([]);

    await page.reload();
    await page.getByRole("button", { name: "Theme, Language" }).click();
    await page.getByRole("menuitemradio", { name: "Light" }).click();
    await expect.poll(() => colors(page), PATIENT).toEqual(["light", ""]);
  });
});
