import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ListedTerminal, LiveSession } from "@sm/core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { firefoxProgram, launchFirefox } from "../firefox.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { linesOf } from "../sample-home.ts";
import { buildPage } from "./built-page.ts";
import { forkedSession, longSession } from "./transcript-sessions.ts";
import { openWebPage, type WebPage } from "./web-browser.ts";

/** An agent that does what a prompt says, see there. */
const FAKE_AGENT = fileURLToPath(new URL("../../../agent/src/live/fake-agent.fixture.mjs", import.meta.url));

/** Letters that are keys of the page, or of Firefox, where they come to no field. */
const TYPED = "fix ' settings / k";

/** What a tool has said at length, in each of 5,000 turns: 80 MB in all. */
const OUTPUT = "a tool that has much to say\n".repeat(570);

const firstRow = (page: Page) => page.getByRole("grid").locator("[role=row][aria-selected]").first();
const textbox = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const isThere = (page: Page, entry: string) => page.locator(`[data-entry="${entry}"]`).waitFor();
const scrollTop = (page: Page, box: string) => page.locator(box).evaluate((element) => Math.round(element.scrollTop));
const marked = (page: Page, name: "found" | "found-here") =>
  page.evaluate<string[]>(`[...(CSS.highlights.get("${name}") ?? [])].map((range) => String(range).toLowerCase())`);

describe.skipIf(firefoxProgram === null)("the page in Firefox", () => {
  let service: RealService;
  let browser: Browser;
  let project: string;
  let forked: string;
  let heavy: string;

  beforeAll(async () => {
    const web = await buildPage();
    [browser, service] = await Promise.all([
      launchFirefox(),
      startRealService({ web, config: { agent_command: FAKE_AGENT } }),
    ]);
    project = join(await realpath(service.home.folder), "project");
    await mkdir(project);
    forked = await service.home.add("forked", forkedSession());
    heavy = await service.home.add("heavy", longSession(5_000).map(withOutput));
    const [header] = longSession(0);
    for (let number = 0; number < 60; number++) {
      await service.home.add(`other-${number}`, [{ ...header, id: `other-${number}` }, ...longSession(1).slice(1)]);
    }
    await service.settled();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const open = (path = "/"): Promise<WebPage> => openWebPage(browser, service.url + path);
  const addressOf = (path: string, search: Record<string, string> = {}) =>
    `/session?${new URLSearchParams({ path, ...search })}`;

  it("finds the list where it was, after a session, a reload and the way back", async () => {
    await using opened = await open();
    const { page, problems } = opened;
    await firstRow(page).waitFor();
    await page.getByRole("grid").hover();
    await page.mouse.wheel(0, 1_500);
    const offset = () => scrollTop(page, "[role=grid]");
    await expect.poll(offset, PATIENT).toBeGreaterThan(1_000);
    const before = await offset();
    await page.getByRole("navigation").getByRole("link", { name: "Statistics" }).click();
    await page.getByRole("heading", { name: "Statistics" }).waitFor();
    await page.goBack();
    await expect.poll(offset, PATIENT).toBe(before);
    await page.reload();
    await firstRow(page).waitFor();
    await expect.poll(offset, PATIENT).toBe(before);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/session\?/);
    await page.locator(".entry").first().waitFor();
    await page.goBack();
    await page.waitForURL((url) => url.pathname === "/");
    await page.goForward();
    await page.locator(".entry").first().waitFor();
    expect(problems).toEqual([]);
  });

  it("reads 80 MB: at the end, scrolled, after a reload, and found in", async () => {
    await using opened = await open(addressOf(heavy));
    const { page, problems } = opened;
    await isThere(page, "d4999");
    await page.locator(".transcript-scroller").hover();
    for (let turn = 0; turn < 8; turn++) await page.mouse.wheel(0, -1_000);
    await page.getByRole("button", { name: /newest/i }).waitFor();
    const reading = () =>
      page.evaluate<string | undefined>(`(() => {
        const top = document.querySelector(".transcript-scroller").getBoundingClientRect().top;
        const entry = [...document.querySelectorAll(".transcript-row [data-entry]")]
          .find((one) => one.getBoundingClientRect().bottom > top + 1);
        return entry?.dataset.entry;
      })()`);
    let before: string | undefined;
    await expect
      .poll(async () => {
        const last = before;
        before = await reading();
        return before !== undefined && before === last;
      }, PATIENT)
      .toBe(true);
    await page.reload();
    await expect.poll(reading, PATIENT).toBe(before);

    await page.keyboard.press("Control+f");
    await textbox(page, "Find in this session").waitFor();
    await page.keyboard.type("NEEDLE");
    await expect.poll(() => page.locator(".find-count").textContent(), PATIENT).toBe("1 of 1");
    await isThere(page, "c3");
    await expect.poll(() => marked(page, "found-here"), PATIENT).toEqual(["needle"]);
    await page.keyboard.press("Escape");
    await page.locator(".find-bar").waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  });

  it("searches as one types, and reads hits beside the results", async () => {
    await using opened = await open();
    const { page, problems } = opened;
    await firstRow(page).waitFor();
    // In Firefox it is a key that finds in the page.
    await page.keyboard.press("/");
    await page.getByRole("searchbox", { name: "Search all sessions" }).waitFor();
    await page.keyboard.type("umlauts OR parsed");
    const results = page.getByRole("region", { name: "Results" });
    const hits = results.locator("a[href*='entry=']");
    await expect.poll(() => hits.count(), PATIENT).toBeGreaterThan(2);
    await hits.first().click();
    await page.waitForURL(/\/session\?.*hits=/);
    await expect.poll(() => marked(page, "found-here"), PATIENT).toHaveLength(1);
    const current = results.locator("a[aria-current=true]");
    await current.waitFor();
    const before = page.url();
    await page.keyboard.press("n");
    await expect.poll(() => page.url(), PATIENT).not.toBe(before);
    await expect.poll(() => current.count(), PATIENT).toBe(1);
    await page.goBack();
    await hits.first().waitFor();
    expect(problems).toEqual([]);
  });

  it("shows the tree with its branches, and what was changed", async () => {
    await using opened = await open(addressOf(forked, { entry: "found" }));
    const { page, problems } = opened;
    await isThere(page, "found");
    await page.keyboard.press("b");
    await page.locator(".tree-item", { hasText: "An older way" }).click();
    await isThere(page, "old1");
    await page.getByRole("complementary").getByText("Changes", { exact: true }).click();
    const changed = page.getByRole("list", { name: "Changes" }).getByRole("button", { name: /parse\.ts/ });
    await changed.click();
    await page.locator(".changed-diff ins").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("complementary").waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  });

  it("exports with a preview, which keeps to itself", async () => {
    await using opened = await open(addressOf(forked));
    const { page, problems } = opened;
    await page.locator(".entry").first().waitFor();
    await page.keyboard.press("Control+Shift+e");
    const dialog = page.getByRole("dialog", { name: "Export" });
    await dialog.waitFor();
    const preview = page.frameLocator("iframe[title=Preview]");
    await preview.getByRole("heading", { level: 1, name: "How is it parsed?" }).waitFor();
    expect(await preview.locator("html").evaluate("globalThis.origin")).toBe("null");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Save" }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.html$/);
    await dialog.waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  });

  it("takes what is typed where something was opened: a tag, a name, a note", async () => {
    await using opened = await open(addressOf(forked));
    const { page, problems } = opened;
    await page.locator(".entry").first().waitFor();
    await page.getByRole("button", { name: "More actions for this session" }).last().click();
    await page.getByRole("menuitem", { name: "Tags" }).press("ArrowRight");
    await page.getByRole("menuitem", { name: "New tag…" }).press("Enter");
    await textbox(page, "Tag name").waitFor();
    await page.keyboard.type(TYPED);
    expect(await textbox(page, "Tag name").inputValue()).toBe(TYPED);
    await page.keyboard.press("Enter");
    await page.getByRole("navigation").getByRole("link", { name: TYPED }).waitFor();

    await page.getByRole("heading", { level: 1 }).getByRole("button").click();
    await textbox(page, "Session name").waitFor();
    await page.keyboard.type(TYPED);
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await linesOf(forked)).at(-1), PATIENT).toMatchObject({ name: TYPED });
    await page.getByRole("heading", { level: 1, name: TYPED }).waitFor();

    await page.getByRole("main").getByRole("button", { name: "Add a note" }).click();
    await textbox(page, "Your note").waitFor();
    await page.keyboard.type(TYPED);
    expect(await textbox(page, "Your note").inputValue()).toBe(TYPED);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  });

  it("finds what one means in the palette, and keeps the theme that is chosen", async () => {
    await using opened = await open();
    const { page, problems } = opened;
    await firstRow(page).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("appearance");
    await page
      .getByRole("option", { name: /Appearance/ })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/settings\/appearance/);
    await page.getByRole("radio", { name: "Dark" }).click();
    const colors = () =>
      page.evaluate("[document.documentElement.dataset.theme, getComputedStyle(document.body).colorScheme]");
    await expect.poll(colors, PATIENT).toEqual(["dark", "dark"]);
    await page.reload();
    expect(await colors()).toEqual(["dark", "dark"]);
    await page.getByRole("radio", { name: "Dark" }).waitFor();
    expect(problems).toEqual([]);
  });

  it("starts an agent and talks to it, with nothing but keys", async () => {
    await using opened = await open("/live");
    const { page, problems } = opened;
    await page.getByRole("heading").first().waitFor();
    await page.keyboard.type("gn");
    await expect.poll(() => textbox(page, "Folder").inputValue(), PATIENT).toBe("/home/user/project");
    await page.keyboard.press("Control+a");
    await page.keyboard.type(project);
    await page.keyboard.press("Enter");
    await page.waitForURL(/session=/);
    await textbox(page, "Prompt").waitFor();
    await page.keyboard.type(TYPED);
    expect(await textbox(page, "Prompt").inputValue()).toBe(TYPED);
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "Assistant" }).getByText(`You said: ${TYPED}`).waitFor();
    const [session] = await service.ask<LiveSession[]>("get_coding_live_sessions");
    await service.ask("stop_coding_session", { session_id: session?.session_id });
    expect(problems).toEqual([]);
  });

  it("runs what is typed in a terminal", async () => {
    const { id } = await service.ask<ListedTerminal>("create_terminal", { cwd: project, shell: "/bin/sh" });
    await using opened = await open(`/terminals?id=${id}`);
    const { page, problems } = opened;
    const screen = async () => (await page.locator(".xterm-rows > div").allInnerTexts()).join("\n");
    await expect.poll(screen, PATIENT).toMatch(/[#$]/);
    await page.keyboard.type("echo typed''here");
    await page.keyboard.press("Enter");
    await expect.poll(screen, PATIENT).toMatch(/^typedhere/m);
    await service.ask("terminal_close", { id });
    expect(problems).toEqual([]);
  });
});

/** Adds to what a tool has returned. */
function withOutput(line: object): object {
  const { message } = line as { message?: { role: string; content: object[] } };
  if (message?.role !== "toolResult") return line;
  return { ...line, message: { ...message, content: [...message.content, { type: "text", text: OUTPUT }] } };
}
