import { readFile } from "node:fs/promises";
import { formatDollars } from "@sm/core";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { APPEARANCES, accessibilityProblems, openWebPage, PHONE } from "./web-browser.ts";

interface Statistics {
  totals: { sessions: number; messages: number; usage: { cost_usd: number } };
  by_model: { model: string; usage: { cost_usd: number | null } }[];
  by_day: { date: string; sessions: number; messages: number }[];
  by_weekday_hour: { weekday: number; hour: number; messages: number }[];
}

const figure = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const total = (page: Page, name: string) =>
  page
    .locator("dl > div")
    .filter({ has: page.locator("dt", { hasText: name }) })
    .locator("dd")
    .first();
const parameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

describe.skipIf(browserProgram === null)("the statistics", () => {
  let web: string;
  let service: RealService;
  let browser: Browser;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    web = await buildPage();
    service = await startRealService({ web });
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const open = (search = "?period=all", options: BrowserContextOptions = {}) =>
    openWebPage(browser, `${service.url}/statistics${search}`, { timezoneId: "UTC", ...options });
  const statistics = (payload: object = {}) =>
    service.ask<Statistics>("get_session_stats", { time_zone: "UTC", ...payload });

  /** The sessions behind a mark, as a search finds them. */
  async function sessionsBehind(mark: Locator): Promise<string[]> {
    const url = new URL((await mark.getAttribute("href")) ?? "", service.url);
    expect(url.pathname).toBe("/search");
    const found = await service.ask<{ hits: { session_id: string }[] }>("search", {
      query: url.searchParams.get("q"),
      sort: "newest",
    });
    return [...new Set(found.hits.map(({ session_id }) => session_id))].sort();
  }

  it("show what the service has added up", async () => {
    await using opened = await open();
    const { page, problems } = opened;
    const { totals, by_model } = await statistics();
    await expect.poll(() => total(page, "Sessions").textContent(), PATIENT).toBe(String(totals.sessions));
    // What is counted as a session depends on the time that is chosen: this is all of it.
    expect(await page.getByTitle(/messages of their own/).textContent()).toBe("Sessions");
    expect(await page.getByText(/^in \d+ projects?$/).count()).toBe(1);
    expect(await total(page, "Messages").textContent()).toBe(String(totals.messages));
    expect(await total(page, "Cost").textContent()).toBe(formatDollars(totals.usage.cost_usd));
    await figure(page, "Models")
      .getByText(by_model[0]?.model ?? "")
      .first()
      .waitFor();
    await page.getByRole("region", { name: /^By / }).locator("canvas").waitFor();
    expect(await page.title()).toBe("Statistics · Session Manager");
    expect(problems).toEqual([]);
  });

  it.each(APPEARANCES)("are accessible in the %s theme on %s", async (colorScheme, _device, options) => {
    await using opened = await open("?period=all&measure=cost", { colorScheme, ...options });
    const { page, problems } = opened;
    await page.locator("canvas").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const asTable = page.getByRole("button", { name: /as a table$/ });
    const figures = await asTable.count();
    for (let left = figures; left > 0; left--) await asTable.first().click();
    expect(await page.getByRole("table").count()).toBe(figures);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(problems).toEqual([]);
  });

  it("keep the time, the project and what is shown in the URL", async () => {
    await using opened = await open("");
    const { page } = opened;
    await page.getByRole("combobox", { name: "Period" }).click();
    await page.getByRole("option", { name: "All time" }).click();
    await page.getByRole("combobox", { name: "Project" }).click();
    await page.getByRole("option", { name: "other", exact: true }).click();
    await page.getByRole("radio", { name: "Cost" }).click();
    await expect.poll(() => total(page, "Sessions").textContent(), PATIENT).toBe("1");
    const state = { period: "all", project: "/home/user/other", measure: "cost" };
    expect(parameters(page)).toEqual(state);
    await page.reload();
    await expect.poll(() => total(page, "Sessions").textContent(), PATIENT).toBe("1");
    expect(await page.getByRole("combobox", { name: "Project" }).textContent()).toBe("other");
    await page.getByRole("combobox", { name: "Period" }).click();
    await page.getByRole("option", { name: "Custom range" }).click();
    await page.getByLabel("From", { exact: true }).fill("2026-02-01");
    await page.getByLabel("To", { exact: true }).fill("2026-02-01");
    await expect.poll(() => total(page, "Messages").textContent(), PATIENT).toBe("2");
    expect(parameters(page)).toMatchObject({ since: "2026-02-01", until: "2026-02-02" });
  });

  it("lead from each mark to its sessions", async () => {
    await using opened = await open("?since=2025-06-01&until=2026-03-31");
    const { page } = opened;
    await page.locator("canvas").waitFor();
    const calendar = figure(page, "Calendar").getByRole("group");
    const day = calendar.getByRole("link", { name: /^Sun, Mar 1, 2026/ });
    expect(await sessionsBehind(day)).toEqual(["branched"]);
    expect(await sessionsBehind(calendar.getByRole("link", { name: /^Sun, Feb 1, 2026/ }))).toEqual(["plain"]);
    const hour = figure(page, "Hours of the week").getByRole("link", { name: /^Sunday 10:00/ });
    expect(await sessionsBehind(hour)).toEqual(["branched", "plain"]);
    const model = figure(page, "Models").getByRole("link", { name: /^model-1/ });
    expect(await sessionsBehind(model)).toEqual(["branched", "old", "plain"]);
    expect(await sessionsBehind(figure(page, "Tools").getByRole("link", { name: /^edit/ }))).toEqual(["branched"]);
    expect(await sessionsBehind(figure(page, "Projects").getByRole("link", { name: /^other/ }))).toEqual(["plain"]);
    const block = figure(page, "Five-hour blocks").getByRole("link", { name: /^Nov 1, 2025/ });
    expect(await sessionsBehind(block)).toEqual(["old"]);
    const bar = figure(page, "By week").getByRole("link");
    expect(await sessionsBehind(bar)).toEqual([]);
    await bar.focus();
    await page.keyboard.press("Home");
    for (let week = 0; week < 22; week++) await page.keyboard.press("ArrowRight");
    expect(await bar.getAttribute("aria-label")).toMatch(/^Oct 27 – Nov 2, 2025: /);
    expect(await sessionsBehind(bar)).toEqual(["old"]);
    await day.click();
    await page.waitForURL(/\/search\?q=/);
    await page.goBack();
    const session = figure(page, "Longest sessions").getByRole("link", { name: /^Names with umlauts/ });
    await session.click();
    await page.waitForURL(/\/session\?path=.*branched/);
  });

  it("lead to the list where all time is shown", async () => {
    await using opened = await open();
    const { page } = opened;
    await figure(page, "Projects")
      .getByRole("link", { name: /^other/ })
      .click();
    await page.waitForURL(/\/\?project=/);
    expect(parameters(page)).toEqual({ project: "/home/user/other" });
    await page.getByRole("grid").getByText("Say hello.").first().waitFor();
  });

  it("are walked through with the keyboard", async () => {
    await using opened = await open("?since=2026-01-01&until=2026-03-31");
    const { page } = opened;
    const calendar = figure(page, "Calendar").getByRole("group");
    await calendar.getByRole("link").first().waitFor();
    const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')");
    await page.getByRole("button", { name: "Save Calendar as CSV" }).focus();
    await page.keyboard.press("Tab");
    expect(await focused()).toMatch(/^Sun, Mar 1, 2026/);
    await page.keyboard.press("ArrowLeft");
    expect(await focused()).toMatch(/^Sun, Feb 1, 2026/);
    await page.keyboard.press("Home");
    expect(await focused()).toMatch(/^Thu, Jan 1, 2026/);
    await figure(page, "Calendar").getByRole("paragraph").getByText("Thu, Jan 1, 2026").waitFor();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/search\?q=after%3A2026-03-01/);
  });

  it("say where a cost is unknown, in the chart, its table and its file", async () => {
    await using opened = await open("?period=all&measure=cost&project=/home/user/other");
    const { page } = opened;
    await expect.poll(() => total(page, "Cost").textContent(), PATIENT).toBe("unknown");
    const models = figure(page, "Models");
    await models.getByRole("link", { name: /cost unknown$/ }).waitFor();
    await models.getByRole("button", { name: "Models as a table" }).click();
    const cells = models.getByRole("row").last().getByRole("cell");
    const shown = ["model-1", "provider-1", "1", "5", "2", "0", "0", "7", "unknown", "–"];
    expect(await cells.allTextContents()).toEqual(shown);
    expect(parameters(page).table).toBe("models");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      models.getByRole("button", { name: "Save Models as CSV" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("statistics-models.csv");
    expect(await readFile(await file.path(), "utf8")).toBe(
      "\ufeffModel,Provider,Messages,Input,Output,Cache read,Cache write,Tokens,Cost (USD),Estimated cost (USD)\r\nmodel-1,provider-1,1,5,2,0,0,7,,\r\n",
    );
    await page.reload();
    await models.getByRole("table").waitFor();
    expect(await page.getByText("$0.00").count()).toBe(0);
  });

  it("leave out what the legend says, with the pointer and the keyboard", async () => {
    await using opened = await open("?since=2026-03-01&until=2026-03-02");
    const { page, problems } = opened;
    const days = figure(page, "By day");
    const bar = days.getByRole("link");
    await days.locator("canvas").waitFor();
    const painted = () => page.evaluate("document.querySelector('canvas').toDataURL()");
    const [text, before] = [await bar.getAttribute("aria-label"), await painted()];
    const legend = days.getByRole("group", { name: "What the chart shows" });
    const input = legend.getByRole("button", { name: "Input" });
    await input.click();
    await expect.poll(() => bar.getAttribute("aria-label"), PATIENT).not.toBe(text);
    expect(await input.getAttribute("aria-pressed")).toBe("false");
    expect(await painted()).not.toBe(before);
    expect(parameters(page).without).toBe("input");
    await legend.getByRole("button", { name: "Output" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).searchParams.getAll("without")).toEqual(["input", "output"]);
    await page.reload();
    await page.keyboard.press("Tab");
    await input.focus();
    await page.keyboard.press("Space");
    await legend.getByRole("button", { name: "Output" }).click();
    await expect.poll(() => bar.getAttribute("aria-label"), PATIENT).toBe(text);
    expect(problems).toEqual([]);
  });

  it.each([
    ["light", {}],
    ["dark", PHONE],
  ] as const)("tell days apart by model, accessibly in the %s theme", async (colorScheme, options) => {
    await using opened = await open("?period=all&stack=model", { colorScheme, ...options });
    const { page, problems } = opened;
    const legend = page.getByRole("group", { name: "What the chart shows" });
    await legend.getByRole("button", { name: "model-1" }).waitFor();
    await page.locator("canvas").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(problems).toEqual([]);
  });

  it("load the charts' code only where there are charts", async () => {
    await using opened = await open("/../");
    const { page } = opened;
    await page.getByRole("grid").waitFor();
    const scripts =
      "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /days-chart/.test(name))";
    expect(await page.evaluate(scripts)).toEqual([]);
    await page.getByRole("navigation").getByRole("link", { name: "Statistics" }).click();
    await page.locator("canvas").waitFor();
    expect(await page.evaluate(`${scripts}.length`)).toBeGreaterThan(0);
  });

  it("grow while somebody looks at them, and say where there is nothing", async () => {
    await using opened = await open("?since=2020-01-01&until=2020-12-31");
    const { page, problems } = opened;
    await page.getByText("No messages in this period").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Show all time" }).click();
    const before = (await statistics()).totals.sessions;
    await expect.poll(() => total(page, "Sessions").textContent(), PATIENT).toBe(String(before));
    await service.home.copy();
    await expect.poll(() => total(page, "Sessions").textContent(), PATIENT).toBe(String(before + 1));
    expect(problems).toEqual([]);
  });

  it("are read in Chinese", async () => {
    await using opened = await open("?period=all", { locale: "zh-CN" });
    const { page, problems } = opened;
    await figure(page, "日历").waitFor();
    await page.locator("canvas").waitFor();
    expect(problems).toEqual([]);
  });
});
