import { appendFile } from "node:fs/promises";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { APPEARANCES, accessibilityProblems, openWebPage, PHONE } from "./web-browser.ts";

const grid = (page: Page) => page.getByRole("grid");
const rows = (page: Page) => grid(page).locator("[role=row][aria-selected]");
const row = (page: Page, title: string): Locator => rows(page).filter({ has: page.getByText(title, { exact: true }) });
const titles = (page: Page) => rows(page).locator("a").allTextContents();
const menuItem = (page: Page, name: string) => page.getByRole("menuitem", { name });

describe.skipIf(browserProgram === null)("the list of sessions", () => {
  let web: string;
  let service: RealService;
  let browser: Browser;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    web = await buildPage();
    service = await startRealService({ web });
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const open = (path = "/", options = {}) => openWebPage(browser, service.url + path, options);

  /** Adds a session with a title of its own. */
  async function add(title: string, more: object = {}): Promise<string> {
    const id = title.toLowerCase().replaceAll(" ", "-");
    const at = (second: number) => new Date(Date.now() - 60_000 + second * 1000).toISOString();
    return service.home.add(id, [
      { type: "session", version: 3, id, timestamp: at(0), cwd: "/home/user/list", ...more },
      { type: "message", id: "00000001", parentId: null, timestamp: at(1), message: { role: "user", content: title } },
    ]);
  }

  it("shows all sessions with nothing wrong", async () => {
    await using opened = await open();
    const { page, problems } = opened;
    await rows(page).first().waitFor();
    const { sessions } = await service.ask<{ sessions: { title: string }[] }>("list_sessions");
    expect(await titles(page)).toEqual(sessions.map(({ title }) => title));
    expect(await page.title()).toBe("Sessions · Session Manager");
    expect(problems).toEqual([]);
  });

  it("needs less than 180 KB of compressed JavaScript for it", async () => {
    // What is loaded afterwards, when the page is idle, is not needed for it.
    await using opened = await open("/", { script: "globalThis.requestIdleCallback = () => 0" });
    const { page } = opened;
    await rows(page).first().waitFor();
    const scripts = await page.evaluate(`performance.getEntriesByType("resource")
      .filter(({ name }) => name.endsWith(".js"))
      .map(({ encodedBodySize, decodedBodySize }) => [encodedBodySize, decodedBodySize])`);
    const [encoded, decoded] = [0, 1].map((index) =>
      (scripts as number[][]).reduce((sum, sizes) => sum + (sizes[index] ?? 0), 0),
    );
    expect(decoded).toBeGreaterThan(300_000);
    expect(encoded).toBeLessThan(180_000);
  });

  it.each(APPEARANCES)("is accessible in the %s theme on %s", async (colorScheme, _device, options) => {
    await using opened = await open("/?group=project", { colorScheme, ...options });
    const { page, problems } = opened;
    await rows(page).first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await rows(page)
      .first()
      .click({ modifiers: ["ControlOrMeta"] });
    await page.getByRole("toolbar").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("keeps its filters and its order in the URL", async () => {
    await add("Filter me by words");
    await using opened = await open("/?sort=title&group=none");
    const { page } = opened;
    // The list may be there before what was just added.
    await row(page, "Filter me by words").waitFor();
    const all = await titles(page);
    expect(all).toEqual([...all].sort(new Intl.Collator(undefined, { numeric: true, sensitivity: "base" }).compare));
    await page.keyboard.press("f");
    await page.keyboard.type("WORDS filter");
    await expect.poll(() => titles(page), PATIENT).toEqual(["Filter me by words"]);
    await expect.poll(() => new URL(page.url()).searchParams.get("q"), PATIENT).toBe("WORDS filter");
    await page.reload();
    await expect.poll(() => titles(page), PATIENT).toEqual(["Filter me by words"]);
    await page.getByRole("searchbox").fill("no such thing");
    await page.getByText("No matching sessions").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(() => titles(page), PATIENT).toEqual(all);
    expect(new URL(page.url()).search).toBe("?sort=title&group=none");
  });

  it("is moved in, chosen from and opened with the keyboard, and the browser goes back", async () => {
    await using opened = await open("/?q=conversation&group=none&sort=title");
    const { page, problems } = opened;
    for (const name of ["One conversation", "Two conversation", "X conversation"]) await add(name);
    await expect.poll(() => titles(page), PATIENT).toHaveLength(3);
    await page.mouse.move(1000, 10);
    const all = await titles(page);
    await grid(page).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await page.getByText("2 selected").waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.getByText("3 selected").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("toolbar").waitFor({ state: "detached" });
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/session\?.*path=/);
    expect(
      await row(page, all[1] ?? "")
        .locator("a")
        .getAttribute("aria-current"),
    ).toBe("page");
    expect(new URL(page.url()).searchParams.get("q")).toBe("conversation");
    await page.keyboard.press("Shift+J");
    await expect
      .poll(
        () =>
          row(page, all[2] ?? "")
            .locator("a")
            .getAttribute("aria-current"),
        PATIENT,
      )
      .toBe("page");
    await page.goBack();
    await expect
      .poll(
        () =>
          row(page, all[1] ?? "")
            .locator("a")
            .getAttribute("aria-current"),
        PATIENT,
      )
      .toBe("page");
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe("/");
    expect(problems).toEqual([]);
  });

  it("renames in place", async () => {
    const path = await add("To be named");
    await using opened = await open();
    const { page } = opened;
    await row(page, "To be named").hover();
    await row(page, "To be named").getByRole("button", { name: "Actions for" }).click();
    await menuItem(page, "Rename").click();
    await page.keyboard.type("A better name");
    await page.keyboard.press("Enter");
    await row(page, "A better name").waitFor();
    const named = async () =>
      (await service.ask<{ sessions: { path: string; name: string }[] }>("list_sessions", { query: "better name" }))
        .sessions;
    await expect.poll(named, PATIENT).toMatchObject([{ path, name: "A better name" }]);
    await page.keyboard.press("F2");
    await page.keyboard.type("Never mind");
    await page.keyboard.press("Escape");
    await row(page, "A better name").waitFor();
    expect(await named()).toHaveLength(1);
  });

  it("tags and stars what is chosen", async () => {
    const paths = [await add("Starred one"), await add("Starred two")];
    await using opened = await open("/?q=starred");
    const { page } = opened;
    await expect.poll(() => titles(page), PATIENT).toHaveLength(2);
    await rows(page)
      .first()
      .click({ modifiers: ["ControlOrMeta"] });
    await rows(page)
      .last()
      .click({ modifiers: ["Shift"] });
    await page.getByText("2 selected").waitFor();
    await page.keyboard.press("s");
    const favorites = () => service.ask<string[]>("list_favorites");
    await expect.poll(async () => (await favorites()).sort(), PATIENT).toEqual([...paths].sort());
    await page.getByRole("toolbar").getByRole("button", { name: "Tags" }).click();
    await menuItem(page, "New tag").click();
    await page.getByRole("textbox", { name: "Tag name" }).fill("Important");
    await page.keyboard.press("Enter");
    await page
      .getByRole("navigation")
      .getByRole("link", { name: /^Important/ })
      .click();
    await expect.poll(() => titles(page), PATIENT).toHaveLength(2);
    const [tag] = await service.ask<{ id: string; session_count: number }[]>("list_tags");
    expect(tag).toMatchObject({ name: "Important", session_count: 2 });
    expect(new URL(page.url()).searchParams.getAll("tag")).toEqual([tag?.id]);
    await page
      .getByRole("navigation")
      .getByRole("link", { name: /^Favorites/ })
      .click();
    await expect.poll(() => titles(page), PATIENT).toHaveLength(2);
  });

  it("deletes after some seconds, in which that can be undone", async () => {
    const [kept, deleted] = [await add("Delete and undo"), await add("Delete for real")];
    await using opened = await open("/?q=delete", { isLast: true });
    const { page } = opened;
    await expect.poll(() => titles(page), PATIENT).toHaveLength(2);
    // Else the time in which it can be undone might pass before a busy machine comes to that.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    /** Lets as much time pass as what is shown needs to come or go. */
    const shows = (locator: Locator, count: number) =>
      expect
        .poll(async () => {
          await page.clock.runFor(20);
          return locator.count();
        }, PATIENT)
        .toBe(count);
    const chooseDelete = async (title: string) => {
      await row(page, title).click({ button: "right" });
      await shows(menuItem(page, "Delete"), 1);
      await menuItem(page, "Delete").click();
      await shows(row(page, title), 0);
    };
    await chooseDelete("Delete and undo");
    const undo = page.getByRole("button", { name: "Undo" });
    await shows(undo, 1);
    await undo.click();
    await shows(row(page, "Delete and undo"), 1);
    await chooseDelete("Delete for real");
    expect(await service.call("read_session_tree", { path: deleted })).toMatchObject({ success: true });
    await page.clock.runFor(20_000);
    await expect
      .poll(async () => (await service.call("read_session_tree", { path: deleted })).success, PATIENT)
      .toBe(false);
    await shows(row(page, "Delete for real"), 0);
    expect(await titles(page)).toEqual(["Delete and undo"]);
    expect(await service.call("read_session_tree", { path: kept })).toMatchObject({ success: true });
  });

  it("exports one session as a file and several as a zip", async () => {
    await Promise.all([add("Export one"), add("Export two")]);
    await using opened = await open("/?q=export");
    const { page } = opened;
    await expect.poll(() => titles(page), PATIENT).toHaveLength(2);
    const download = async (act: () => Promise<void>) => {
      const [file] = await Promise.all([page.waitForEvent("download"), act()]);
      return file.suggestedFilename();
    };
    const asMarkdown = async () => {
      await menuItem(page, "Export…").click();
      await page.getByRole("radio", { name: "Markdown" }).click();
      await page.getByRole("button", { name: /^Save/ }).click();
    };
    await row(page, "Export one").click({ button: "right" });
    expect(await download(asMarkdown)).toMatch(/\.md$/);
    await grid(page).focus();
    await page.keyboard.press("ControlOrMeta+a");
    await row(page, "Export one").click({ button: "right" });
    expect(await download(asMarkdown)).toMatch(/\.zip$/);
  });

  it("changes in place, and never under the pointer", async () => {
    const older = await add("Steady older");
    await service.settled();
    await add("Steady newer");
    await using opened = await open("/?q=steady");
    const { page, problems } = opened;
    await expect.poll(() => titles(page), PATIENT).toEqual(["Steady newer", "Steady older"]);
    await row(page, "Steady older").hover();
    const answer = { role: "assistant", content: [{ type: "text", text: "Grown." }], model: "grown-model" };
    const entry = { type: "message", id: "00000002", parentId: "00000001", timestamp: new Date().toISOString() };
    await appendFile(older, `${JSON.stringify({ ...entry, message: answer })}\n`);
    await row(page, "Steady older").getByText("grown-model").waitFor();
    await add("Steady newest");
    await page.getByRole("button", { name: "1 new session" }).waitFor();
    expect(await titles(page)).toEqual(["Steady newer", "Steady older"]);
    await page.mouse.move(1000, 10);
    await expect.poll(() => titles(page), PATIENT).toEqual(["Steady older", "Steady newest", "Steady newer"]);
    expect(problems).toEqual([]);
  });

  it("shows one pane at a time on a phone, with the way back", async () => {
    await using opened = await open("/", PHONE);
    const { page, problems } = opened;
    await rows(page).first().tap();
    await page.waitForURL(/\/session/);
    await grid(page).waitFor({ state: "hidden" });
    await page.goBack();
    await grid(page).waitFor();
    await page.getByRole("button", { name: "Menu" }).tap();
    await page
      .getByRole("dialog")
      .getByRole("link", { name: /^Favorites/ })
      .tap();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => new URL(page.url()).search, PATIENT).toBe("?favorites=1");
    const narrow = "document.documentElement.scrollWidth <= innerWidth";
    expect(await page.evaluate(narrow)).toBe(true);
    expect(problems).toEqual([]);
  });

  it("says what to do where there are no sessions, and shows the first one when it comes", async () => {
    await using empty = await startRealService({ web });
    const { sessions } = await empty.ask<{ sessions: { path: string }[] }>("list_sessions");
    await empty.ask("delete_sessions", { paths: sessions.map(({ path }) => path) });
    await using opened = await openWebPage(browser, empty.url);
    const { page, problems } = opened;
    await page.getByRole("heading", { name: "No sessions yet" }).waitFor();
    await page.getByText(empty.home.sessions).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await empty.home.copy();
    await rows(page).first().waitFor();
    expect(problems).toEqual([]);
  });
});
