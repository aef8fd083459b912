import { readFile } from "node:fs/promises";
import type { Browser, Download, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { hostilePayloads } from "../hostile-payloads.ts";
import { hostileSession } from "../hostile-sessions.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { forkedSession, said } from "./transcript-sessions.ts";
import { APPEARANCES, accessibilityProblems, openWebPage, PHONE } from "./web-browser.ts";

const dialog = (page: Page) => page.getByRole("dialog", { name: "Export" });
const choose = (page: Page, format: string) => dialog(page).getByRole("radio", { name: format, exact: true }).click();
const preview = (page: Page) => page.frameLocator("iframe[title=Preview]");

/** What a page in a frame can reach. */
const REACH = `[
  globalThis.origin,
  (() => { try { return typeof localStorage; } catch { return "no storage"; } })(),
  (() => { try { return typeof parent.document; } catch { return "no parent"; } })(),
]`;

describe.skipIf(browserProgram === null)("exporting", () => {
  let service: RealService;
  let browser: Browser;
  let forked: string;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage() });
    forked = await service.home.add("forked", forkedSession());
    await service.settled();
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const addressOf = (path: string) => `/session?${new URLSearchParams({ path })}`;
  const open = (path: string, options = {}) => openWebPage(browser, service.url + path, options);

  /** Opens a session and the dialog for it. */
  async function openDialog(path: string, options = {}) {
    const opened = await open(addressOf(path), options);
    await opened.page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
    await opened.page.keyboard.press("ControlOrMeta+Shift+e");
    await dialog(opened.page).waitFor();
    return opened;
  }

  async function downloaded(page: Page, act: () => Promise<void>): Promise<{ file: Download; text: string }> {
    const [file] = await Promise.all([page.waitForEvent("download"), act()]);
    return { file, text: await readFile(await file.path(), "utf8") };
  }

  it("shows the page that is made, in a frame that shares nothing with this one", async () => {
    await using opened = await openDialog(forked);
    const { page, problems } = opened;
    await preview(page).getByRole("heading", { level: 1, name: "How is it parsed?" }).waitFor();
    const html = preview(page).locator("html");
    // Its own script has run.
    await expect.poll(() => html.getAttribute("class"), PATIENT).toContain("js");
    expect(await html.evaluate(REACH)).toEqual(["null", "no storage", "no parent"]);
    await dialog(page).getByRole("combobox", { name: "Theme" }).click();
    await page.getByRole("option", { name: "Dark" }).click();
    await expect.poll(() => html.getAttribute("data-theme"), PATIENT).toBe("dark");
    expect(problems).toEqual([]);
  });

  it("opens the page in a new tab by keys alone", async () => {
    await using opened = await open(addressOf(forked));
    const { page, problems } = opened;
    await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
    const [tab] = await Promise.all([page.context().waitForEvent("page"), page.keyboard.press("ControlOrMeta+e")]);
    const content = tab.frameLocator("iframe");
    await content.getByRole("heading", { level: 1, name: "How is it parsed?" }).waitFor();
    const html = content.locator("html");
    expect(await html.evaluate(REACH)).toEqual(["null", "no storage", "no parent"]);
    expect(await tab.title()).toContain("How is it parsed?");
    // The keys of the page itself work at once.
    const thinking = content.getByText("Where is the parser?");
    await expect.poll(() => thinking.isVisible(), PATIENT).toBe(false);
    await expect
      .poll(async () => {
        await tab.keyboard.press("t");
        return thinking.isVisible();
      }, PATIENT)
      .toBe(true);
    expect(await content.getByRole("link", { name: "the page" }).first().getAttribute("target")).toBe("_blank");
    expect(problems).toEqual([]);
  });

  it("saves in each format, with what was chosen, and does the same the next time", async () => {
    await using opened = await openDialog(forked);
    const { page, problems } = opened;
    await choose(page, "Markdown");
    await dialog(page).getByRole("checkbox", { name: "Include thinking" }).click();
    await dialog(page).getByRole("region", { name: "Preview" }).getByText("# Session: How is it parsed?").waitFor();
    const save = () => dialog(page).getByRole("button", { name: "Save" }).click();
    const { file, text } = await downloaded(page, save);
    expect(file.suggestedFilename()).toMatch(/\.md$/);
    expect(text).toContain("The newest answer.");
    expect(text).not.toContain("Where is the parser?");
    await dialog(page).waitFor({ state: "detached" });
    const again = await downloaded(page, () => page.keyboard.press("ControlOrMeta+e"));
    expect(again.text).toBe(text);
    await page.keyboard.press("ControlOrMeta+Shift+e");
    await choose(page, "JSONL");
    expect(await dialog(page).getByRole("checkbox").count()).toBe(0);
    expect((await downloaded(page, save)).text).toBe(await readFile(forked, "utf8"));
    expect(problems).toEqual([]);
  });

  it("exports the branch that is chosen", async () => {
    await using opened = await openDialog(forked);
    const { page } = opened;
    await choose(page, "Markdown");
    const shown = dialog(page).getByRole("region", { name: "Preview" });
    await shown.getByText("The newest answer.").waitFor();
    await dialog(page).getByRole("combobox", { name: "Branch" }).click();
    await page.getByRole("option", { name: "The older answer." }).click();
    await shown.getByText("The older answer.").waitFor();
    expect(await shown.getByText("The newest answer.").count()).toBe(0);
  });

  it("says what it replaces before it does", async () => {
    const path = await service.home.add("secret", [
      { type: "session", version: 3, id: "secret", timestamp: "2026-03-01T10:00:00.000Z", cwd: "/srv" },
      said("s1", null, "Write to jane.doe@example.org, please."),
    ]);
    await service.settled();
    await using opened = await openDialog(path);
    const { page, problems } = opened;
    await choose(page, "JSON");
    await dialog(page)
      .getByRole("checkbox", { name: "Replace secrets, e-mail addresses and home directories" })
      .click();
    const told = dialog(page).getByRole("region", { name: "Replacements" });
    await told.getByText(/^\d replacements?:$/).waitFor();
    await told.getByText("Write to [redacted:email-1], please.").first().waitFor();
    const { text } = await downloaded(page, () => dialog(page).getByRole("button", { name: "Save" }).click());
    expect(text).toContain("[redacted:email-1]");
    expect(text).not.toContain("jane.doe");
    expect(problems).toEqual([]);
  });

  it("exports several sessions at once", async () => {
    await using opened = await open("/");
    const { page, problems } = opened;
    await page.getByRole("grid").getByRole("link").first().waitFor();
    await page.getByRole("grid").focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.getByRole("toolbar").waitFor();
    await page.keyboard.press("ControlOrMeta+e");
    await dialog(page).getByText("Names with umlauts").waitFor();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      dialog(page).getByRole("button", { name: "Save as ZIP" }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.zip$/);
    expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe("PK");
    expect(problems).toEqual([]);
  });

  it("says what is wrong where the session is gone", async () => {
    const path = `${forked}.gone.jsonl`;
    await using opened = await open(addressOf(path));
    const { page } = opened;
    await page.getByText("Could not open the session").waitFor();
    await page.keyboard.press("ControlOrMeta+Shift+e");
    await dialog(page).getByText("Could not create the preview").waitFor();
  });

  it("lets nothing of a hostile session run, in the preview nor in its tab", async () => {
    const path = await service.home.add("hostile", hostileSession(hostilePayloads("127.0.0.1:9")));
    await service.settled();
    await using opened = await openDialog(path);
    const { page, problems } = opened;
    // The page has all payloads in all places.
    const patient = { timeout: 60_000 };
    await preview(page).getByRole("heading", { level: 1 }).waitFor(patient);
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      dialog(page).getByRole("button", { name: "Open in a new tab" }).click(),
    ]);
    const asked: string[] = [];
    tab.on("request", (request) => asked.push(request.url()));
    tab.on("console", (message) => problems.push(message.text()));
    await tab.frameLocator("iframe").getByRole("heading", { level: 1 }).waitFor(patient);
    await tab.frameLocator("iframe").locator("footer").waitFor(patient);
    expect(asked.filter((url) => !/^(blob|data|about):/.test(url))).toEqual([]);
    expect(problems).toEqual([]);
  }, 180_000);

  it.each(APPEARANCES)("is accessible in the %s theme on %s", async (colorScheme, device, options) => {
    await using opened = await openDialog(forked, { colorScheme, ...options });
    const { page, problems } = opened;
    await preview(page).getByRole("heading", { level: 1, name: "How is it parsed?" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await choose(page, "JSON");
    await dialog(page)
      .getByRole("checkbox", { name: "Replace secrets, e-mail addresses and home directories" })
      .click();
    await dialog(page).getByRole("region", { name: "Replacements" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    if (device === "a phone") {
      const box = await dialog(page).boundingBox();
      expect(Math.round((box?.width ?? 0) / PHONE.viewport.width / 0.01)).toBe(95);
    }
    expect(problems).toEqual([]);
  });
});
