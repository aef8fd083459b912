import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { recordedSession } from "./transcript-sessions.ts";
import { accessibilityProblems, openWebPage } from "./web-browser.ts";

describe.skipIf(browserProgram === null)("what newer agents record, in Chromium", () => {
  let service: RealService;
  let browser: Browser;
  let path: string;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage() });
    path = await service.home.add("recorded", recordedSession());
    await service.settled();
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const open = (search: Record<string, string> = {}, options = {}) =>
    openWebPage(browser, `${service.url}/session?${new URLSearchParams({ path, ...search })}`, {
      viewport: { width: 1280, height: 1600 },
      ...options,
    });
  const entry = (page: Page, id: string) => page.locator(`[data-entry="${id}"]`).first();
  const textOf = (page: Page, id: string) => entry(page, id).textContent(PATIENT);

  it("folds instructions under a line that tells what they hold", async () => {
    await using opened = await open();
    const { page, problems } = opened;
    const line = entry(page, "system").locator(".summary").first();
    await line.waitFor(PATIENT);
    expect(await line.textContent()).toBe(
      "Instructions for the model · 1 section · 1 section removed · 3 tools added · 1 tool removed",
    );
    expect(await textOf(page, "system")).not.toContain("zebra");
    await line.click();
    await expect.poll(() => textOf(page, "system"), PATIENT).toContain("You are a zebra assistant");
    expect(await textOf(page, "system")).toContain("skills (removed)");
    expect(await textOf(page, "system")).not.toContain("What bash does");
    await entry(page, "system").locator(".summary", { hasText: "Tool added: bash" }).click();
    await expect.poll(() => textOf(page, "system"), PATIENT).toContain("What bash does");
    expect(problems).toEqual([]);
  });

  it("marks what the model sees otherwise, with what it sees by the newest edit", async () => {
    await using opened = await open();
    const { page, problems } = opened;
    const mark = entry(page, "long").locator(".edited .summary");
    await mark.waitFor(PATIENT);
    expect(await mark.textContent()).toBe("The model sees other content here");
    await mark.click();
    await expect.poll(() => textOf(page, "long"), PATIENT).toContain("The question, in short");
    expect(await textOf(page, "long")).toContain("A long question about lighthouses");
    expect(await textOf(page, "long")).not.toContain("of an older edit");

    // The mark of a result is in the line of its call, and with the result.
    await entry(page, "script").locator(".edited-sign").waitFor();
    await entry(page, "script").locator(".call > .summary").click();
    await expect.poll(() => textOf(page, "out"), PATIENT).toContain("The model no longer sees this");
    expect(await textOf(page, "edit3")).toContain("From here on the model no longer sees an entry");
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("marks nothing on a branch without the edits", async () => {
    await using opened = await open({ leaf: "orphan" });
    const { page } = opened;
    await entry(page, "orphan").waitFor(PATIENT);
    expect(await page.locator(".entry").count()).toBe(1);
    expect(await page.locator(".edited").count()).toBe(0);
  });

  it("shows the calls of a script beneath its call, and finds them", async () => {
    await using opened = await open({ find: "walrus" });
    const { page, problems } = opened;
    await expect.poll(() => textOf(page, "out"), PATIENT).toContain("no walrus there");
    const shown = await textOf(page, "out");
    expect(shown).toContain("2 nested calls (recorded incompletely)");
    expect(shown).toContain("src/lamp.ts");
    expect(shown).toContain("3 ms");
    expect(shown).toContain("The agent omitted the arguments (9,000 bytes)");
    expect(problems).toEqual([]);
  });

  it("shows usage where it was spent, the model that answered and how it ended", async () => {
    await using opened = await open();
    const { page } = opened;
    await expect.poll(() => textOf(page, "warm"), PATIENT).toContain("Cache kept warm · 130 tokens · $0.02");
    expect(await entry(page, "script").locator(".call > .summary .usage").textContent()).toBe("130 tokens · $0.25");
    expect(await entry(page, "compacted").locator(".summary .usage").textContent()).toBe("130 tokens · $0.25");
    expect(await textOf(page, "answer")).toContain("Deferred: the provider responds later.");
    expect(await entry(page, "answer").locator(".model").textContent()).toBe("auto → model-9");
    expect(await entry(page, "answer").locator(".model").getAttribute("title")).toBe("Thinking level: max");
  });

  it("tells that a compaction keeps nothing, and folds what it repeats", async () => {
    await using opened = await open();
    const { page } = opened;
    await entry(page, "compacted").locator(".summary").first().click(PATIENT);
    await expect.poll(() => textOf(page, "compacted"), PATIENT).toContain("Nothing before this summary is kept");
    expect(await textOf(page, "compacted")).toContain("Instructions for the model at this point · 1 section");
    expect(await textOf(page, "compacted")).not.toContain("zebra");
  });

  it("keeps requests that are no conversation out of the tree", async () => {
    await using opened = await open({ panel: "tree" });
    const { page } = opened;
    const tree = page.locator(".outline-list");
    await page.getByText("All", { exact: true }).click(PATIENT);
    await expect.poll(() => tree.textContent(), PATIENT).toContain("From here on the model no longer sees an entry");
    expect(await tree.textContent()).not.toContain("cache_warm");
  });

  it("says it in Chinese", async () => {
    await using opened = await open({}, { locale: "zh-CN" });
    const { page } = opened;
    await expect.poll(() => textOf(page, "warm"), PATIENT).toContain("缓存保活");
    expect(await textOf(page, "system")).toContain("新增 3 个工具");
  });
});
