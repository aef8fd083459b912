import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { APPEARANCES, accessibilityProblems, openWebPage, PHONE } from "./web-browser.ts";

const field = (page: Page) => page.getByRole("searchbox", { name: "Search all sessions" });
const results = (page: Page) => page.getByRole("region", { name: "Results" });
const hits = (page: Page) => results(page).locator("a[href*='entry=']");
const headings = (page: Page) => results(page).getByRole("heading").getByRole("link");
/** Facets of time count back from now. */
const START = Date.now() - 60_000;

const query = (page: Page) => new URL(page.url()).searchParams.get("q");

describe.skipIf(browserProgram === null)("searching", () => {
  let service: RealService;
  let browser: Browser;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage() });
    // Two pages of hits.
    for (let number = 0; number < 14; number++) await add(`Paged ${number}`, Array(5).fill("pagedword here"));
    await add("Tides", [
      "When is the tide clock wound? \u202eהטיה",
      "The tide moves the Clock, and nothing else.",
      "Nothing about it.",
    ]);
    await service.settled();
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const open = (path = "/search", options = {}) => openWebPage(browser, service.url + path, options);

  /** Adds a session in which each text is said, by a user and the assistant in turns. */
  function add(title: string, texts: readonly string[]): Promise<string> {
    const id = title.toLowerCase().replaceAll(" ", "-");
    const at = (second: number) => new Date(START + second * 1_000).toISOString();
    const entries = texts.map((text, index) => ({
      type: "message",
      id: `${id}-${index}`,
      parentId: index === 0 ? null : `${id}-${index - 1}`,
      timestamp: at(index + 1),
      message:
        index % 2 === 0
          ? { role: "user", content: text }
          : { role: "assistant", content: [{ type: "text", text }], model: "searched-model" },
    }));
    return service.home.add(id, [
      { type: "session", version: 3, id, timestamp: at(0), cwd: "/home/user/found" },
      { type: "session_info", id: `${id}-name`, parentId: null, timestamp: at(0), name: title },
      ...entries,
    ]);
  }

  it("begins with / anywhere, finds as one types, and asks less often than one types", async () => {
    await using opened = await open("/");
    const { page, problems } = opened;
    const asked: string[] = [];
    page.on("websocket", (socket) =>
      socket.on("framesent", ({ payload }) => {
        const message = JSON.parse(String(payload)) as { command: string; payload: { query: string } };
        if (message.command === "search") asked.push(message.payload.query);
      }),
    );
    await page.reload();
    await page.getByRole("grid").waitFor();
    await page.keyboard.press("/");
    await expect.poll(() => field(page).evaluate("document.activeElement?.type"), PATIENT).toBe("search");
    await page.keyboard.type("tide clock");
    await expect.poll(() => hits(page).count(), PATIENT).toBe(2);
    expect(query(page)).toBe("tide clock");
    expect(asked.at(-1)).toBe("tide clock");
    expect(asked.length).toBeLessThan("tide clock".length);
    expect(await headings(page).allTextContents()).toEqual(["Tides"]);
    const marked = await hits(page).locator("mark").allTextContents();
    expect(marked.map((text) => text.toLowerCase()).sort()).toEqual(["clock", "clock", "tide", "tide"]);
    await page.getByText("2 matches").waitFor();
    expect(problems).toEqual([]);
  });

  it("opens a hit at its entry with its words marked, and comes back to where one was", async () => {
    await using opened = await open("/search?q=tide+clock");
    const { page, problems } = opened;
    await hits(page).first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.evaluate("document.activeElement.href"), PATIENT).toContain("entry=");
    const address = new URL(String(await page.evaluate("document.activeElement.href")));
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/session\?/);
    const entry = page.locator(`[data-entry="${address.searchParams.get("entry")}"]`);
    await entry.waitFor();
    const marked = () =>
      page.evaluate(`[...(CSS.highlights.get("found") ?? [])].map((range) => range.toString().toLowerCase())`);
    await expect.poll(marked, PATIENT).toEqual(expect.arrayContaining(["tide", "clock"]));
    const here = () => page.evaluate(`[...(CSS.highlights.get("found-here") ?? [])].length`);
    await expect.poll(here, PATIENT).toBe(1);
    await page.goBack();
    await hits(page).first().waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.href"), PATIENT).toBe(address.href);
    await page.keyboard.press("Escape");
    expect(await field(page).evaluate("document.activeElement?.type")).toBe("search");
    expect(problems).toEqual([]);
  });

  it("keeps the results beside the hit that is read, with nothing wrong", async () => {
    await using opened = await open("/search?q=pagedword&sort=newest");
    const { page, problems } = opened;
    await hits(page).first().click();
    await page.waitForURL(/\/session\?.*hits=/);
    await page.locator("[data-entry]").first().waitFor();
    const current = () => results(page).locator("a[aria-current=true]");
    await current().waitFor();
    const [list, transcript] = await Promise.all([results(page).boundingBox(), page.getByRole("main").boundingBox()]);
    expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThanOrEqual(transcript?.x ?? 0);
    const addresses = new Set<string>();
    for (let step = 0; step < 20; step++) {
      addresses.add(page.url());
      await page.keyboard.press("n");
    }
    await expect.poll(async () => (await current().count()) === 1, PATIENT).toBe(true);
    const [box, pane] = await Promise.all([current().boundingBox(), results(page).boundingBox()]);
    expect(box?.y ?? 0).toBeGreaterThanOrEqual(pane?.y ?? 0);
    expect(new Set([...addresses].map((url) => new URL(url).searchParams.get("path"))).size).toBeGreaterThan(2);
    expect(await accessibilityProblems(page, "section")).toEqual([]);
    await page.goBack();
    await page.waitForURL(/\/search\?/);
    expect(problems).toEqual([]);
  });

  it("finds in a session what the search has found, from the hit on", async () => {
    await using opened = await open("/search?q=tide+clock");
    const { page, problems } = opened;
    await hits(page).first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/session\?/);
    await page.locator("[data-entry]").first().waitFor();
    await page.keyboard.press("ControlOrMeta+f");
    const find = page.getByRole("textbox", { name: "Find in this session" });
    await expect.poll(() => find.inputValue(), PATIENT).toMatch(/^(tide clock|clock tide)$/);
    const place = () => page.locator(".find-count").textContent();
    await expect.poll(place, PATIENT).toMatch(/^[13] of 4$/);
    const marked = () =>
      page.evaluate(
        `[...new Set([...(CSS.highlights.get("found") ?? [])].map((range) => String(range).toLowerCase()))]`,
      );
    await expect.poll(async () => ((await marked()) as string[]).sort(), PATIENT).toEqual(["clock", "tide"]);
    const before = await place();
    await page.keyboard.press("Enter");
    await expect.poll(place, PATIENT).toBe(before === "1 of 4" ? "2 of 4" : "4 of 4");
    await page.keyboard.type("nothing");
    await expect.poll(place, PATIENT).toMatch(/^1 of \d$/);
    expect(problems).toEqual([]);
  });

  it("shows the project of a session whole, however long its title is", async () => {
    await add(`Long ${"and longer ".repeat(20)}`, ["lengthyword"]);
    await service.settled();
    await using opened = await open("/search?q=lengthyword", PHONE);
    const { page } = opened;
    const project = results(page).getByRole("heading").getByText("found", { exact: true });
    await project.waitFor();
    const isWhole = `[...document.querySelectorAll("h2 span[title='/home/user/found']")]
      .every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)`;
    expect(await page.evaluate(isWhole)).toBe(true);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });

  it("loads page after page, with the keyboard", async () => {
    await using opened = await open("/search?q=pagedword&sort=newest");
    const { page } = opened;
    await hits(page).first().waitFor();
    await page.keyboard.press("ArrowDown");
    const last = async () => {
      await page.keyboard.press("End");
      return page.evaluate("document.activeElement.closest('[data-index]')?.dataset.index");
    };
    await page.getByText("70 matches").waitFor();
    await expect.poll(async () => Number(await last()), PATIENT).toBeGreaterThan(70);
    await page.keyboard.press("Home");
    await expect
      .poll(() => page.evaluate("document.activeElement.closest('[data-index]')?.dataset.index"), PATIENT)
      .toBe("1");
  });

  it("narrows by facets, which are in the URL and on chips", async () => {
    const tag = await service.ask<{ id: string }>("create_tag", { name: "ebb", color: "#336699", parent_id: null });
    await using opened = await open("/search?q=tide");
    const { page, problems } = opened;
    await expect.poll(() => hits(page).count(), PATIENT).toBe(2);
    await page.getByRole("button", { name: "Author" }).click();
    await page.getByRole("menuitemradio", { name: "Assistant" }).click();
    await expect.poll(() => hits(page).count(), PATIENT).toBe(1);
    await page.getByRole("button", { name: "Model", exact: true }).click();
    await page.getByRole("menuitemradio", { name: "searched-model" }).click();
    await page.getByRole("button", { name: "Project", exact: true }).click();
    await page.getByRole("menuitemradio", { name: "found" }).click();
    await page.getByRole("button", { name: "Time" }).click();
    await page.getByRole("menuitemradio", { name: "Last 365 days" }).click();
    const parameters = () => Object.fromEntries(new URL(page.url()).searchParams);
    const all = {
      q: "tide",
      role: "assistant",
      model: "searched-model",
      project: "/home/user/found",
      since: "365d",
    };
    await expect.poll(parameters, PATIENT).toEqual(all);
    await page.reload();
    await expect.poll(() => hits(page).count(), PATIENT).toBe(1);
    await page.getByRole("button", { name: "Tag" }).click();
    await page.getByRole("menuitemcheckbox", { name: "ebb" }).click();
    await page.keyboard.press("Escape");
    await page.getByText("No results").waitFor();
    expect(parameters()).toEqual({ ...all, tag: tag.id });
    await page.getByRole("button", { name: "Remove filter ebb" }).click();
    await page.getByRole("button", { name: "Remove filter Assistant" }).click();
    await page.getByRole("button", { name: "Remove filter searched-model" }).click();
    await expect.poll(() => hits(page).count(), PATIENT).toBe(2);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(parameters, PATIENT).toEqual({ q: "tide" });
    expect(problems).toEqual([]);
  });

  it("asks for a tool alone without any word", async () => {
    await using opened = await open("/search?tool=edit");
    const { page } = opened;
    await hits(page).first().waitFor();
    expect(await headings(page).first().textContent()).toBe("Names with umlauts");
  });

  it("explains itself, and remembers and keeps searches", async () => {
    await using opened = await open();
    const { page, problems } = opened;
    await page.getByRole("button", { name: "Search syntax" }).click();
    await page.getByRole("dialog").getByRole("button", { name: '"tide clock"' }).click();
    await expect.poll(() => query(page), PATIENT).toBe('"tide clock"');
    await expect.poll(() => hits(page).count(), PATIENT).toBe(1);
    await field(page).press("Enter");
    await page.getByRole("button", { name: "Save this search" }).click();
    await page.getByLabel("Name").fill("Tide clocks");
    await page.keyboard.press("Enter");
    const saved = page.getByRole("navigation").getByRole("link", { name: "Tide clocks" });
    await saved.waitFor();
    await field(page).fill("");
    await page.getByRole("button", { name: '"tide clock"', exact: true }).first().waitFor();
    await page.getByRole("heading", { name: "Recent searches" }).waitFor();
    await page.reload();
    await saved.click();
    await expect.poll(() => query(page), PATIENT).toBe('"tide clock"');
    await page.getByRole("button", { name: "Delete saved search" }).click();
    await saved.waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  });

  it("finds what is written while one looks at it, when asked again", async () => {
    await using opened = await open("/search?q=floodword");
    const { page } = opened;
    await page.getByText("No results").waitFor();
    await add("Flood", ["floodwords in the plural"]);
    await service.settled();
    await page.getByRole("button", { name: "Words that start with floodword" }).click();
    await expect.poll(() => hits(page).count(), PATIENT).toBe(1);
  });

  it.each(APPEARANCES)("is accessible in the %s theme on %s", async (colorScheme, _device, options) => {
    await using opened = await open("/search?q=tide+OR+pagedword&role=user&since=365d", { colorScheme, ...options });
    const { page, problems } = opened;
    await hits(page).first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await field(page).fill("tide OR (");
    await page.locator("#search-problem code").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto(`${service.url}/search`);
    await page.getByRole("heading", { name: "Search syntax" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(problems).toEqual([]);
  });
});
