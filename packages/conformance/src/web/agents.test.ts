import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { writeOtherHomes } from "../other-homes.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { APPEARANCES, accessibilityProblems, openWebPage } from "./web-browser.ts";

const rows = (page: Page) => page.getByRole("grid").locator("[role=row][aria-selected]");
const row = (page: Page, title: string) => rows(page).filter({ has: page.getByText(title, { exact: true }) });
const titles = (page: Page) => rows(page).locator("a").allTextContents();
const entryOf = (page: Page) => new URL(page.url()).searchParams.get("entry");

const ASKED = "Retry logic";
const TASK = "List every file with retry logic.";

describe.skipIf(browserProgram === null)("sessions of several agents", () => {
  let folder: string;
  let service: RealService;
  let browser: Browser;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    folder = await realpath(await mkdtemp(join(tmpdir(), "session-manager-agents-")));
    const { agents } = await writeOtherHomes(folder);
    service = await startRealService({ web: await buildPage(), config: { agents } });
  });

  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const open = (path: string, options = {}) => openWebPage(browser, service.url + path, options);

  it("are one list, which names their agents and is narrowed to one", async () => {
    await using opened = await open("/?group=none&sort=title");
    const { page, problems } = opened;
    await row(page, ASKED).getByText("Claude Code", { exact: true }).waitFor();
    await page.getByText(/^This list also has sessions from .*Claude Code/).waitFor();
    const all = await titles(page);
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByRole("menuitem", { name: "Agent" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Claude Code" }).click();
    await expect.poll(() => titles(page), PATIENT).toEqual([ASKED]);
    expect(new URL(page.url()).searchParams.get("agent")).toBe("claude-code");
    await page.getByRole("button", { name: "Remove filter Claude Code" }).click();
    await expect.poll(() => titles(page), PATIENT).toEqual(all);
    await page.getByRole("searchbox").fill("agent:claude");
    await expect.poll(() => titles(page), PATIENT).toEqual([ASKED]);
    expect(problems).toEqual([]);
  });

  it.each(APPEARANCES)("are unfolded accessibly in the %s theme on %s", async (colorScheme, _device, options) => {
    await using opened = await open("/?agent=claude&group=none", { colorScheme, ...options });
    const { page, problems } = opened;
    await row(page, ASKED)
      .getByRole("button", { name: /^1 subagent/ })
      .click();
    await row(page, TASK).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(problems).toEqual([]);
  });

  it("have facts that lie on nothing else, and nothing beside the list, on a narrow screen", async () => {
    await using opened = await open("/?agent=claude&group=none&sort=messages", {
      viewport: { width: 1024, height: 768 },
    });
    const { page, problems } = opened;
    await row(page, ASKED)
      .getByRole("button", { name: /^1 subagent/ })
      .waitFor();
    const overlaps = await row(page, ASKED).evaluate(overlappingTexts);
    expect(overlaps).toEqual([]);
    expect(await page.getByRole("grid").evaluate((grid) => grid.scrollWidth - grid.clientWidth)).toBe(0);
    expect(problems).toEqual([]);
  });

  it("lead from the call that has started an agent to what that did, and back, with the keyboard alone", async () => {
    await using opened = await open("/?agent=claude&group=none");
    const { page, problems } = opened;
    await row(page, ASKED).waitFor();
    await page.getByRole("grid").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await row(page, TASK).waitFor();
    await page.keyboard.press("Enter");
    const call = page.getByTitle("Open the transcript of the subagent").filter({ hasText: TASK });
    await call.focus();
    expect(await accessibilityProblems(page, "main")).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("main").getByText("One place: src/net.ts:14.").waitFor();
    const parent = page.getByRole("link", { name: `Subagent of “${ASKED}”` });
    await parent.focus();
    expect(await accessibilityProblems(page, "main")).toEqual([]);
    await page.keyboard.press("Enter");
    await call.waitFor();
    expect(entryOf(page)).toMatch(/03$/);
    expect(problems).toEqual([]);
  });

  it("offer what can be done with them, and the source of their entries", async () => {
    await using opened = await open("/?agent=claude");
    const { page, problems } = opened;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: service.url });
    await row(page, ASKED).click();
    await page.getByRole("button", { name: "Copy resume command" }).click();
    await expect
      .poll(() => page.evaluate("navigator.clipboard.readText()"), PATIENT)
      .toMatch(/^cd \S+ && claude --resume [\da-f-]{36}$/);
    expect(await page.getByRole("button", { name: "Resume as a live session" }).count()).toBe(0);
    const answer = page.getByRole("article").filter({ hasText: "It is in src/net.ts." });
    await answer.hover();
    await answer.getByRole("button", { name: "Actions for this entry" }).click();
    const items = page.getByRole("menuitem");
    await items.filter({ hasText: "Show source" }).waitFor();
    expect(await items.filter({ hasText: "Fork" }).count()).toBe(0);
    await items.filter({ hasText: "Show source" }).click();
    const source = page.getByRole("dialog", { name: "Source of the entry" });
    await source.getByText(/"requestId": *"req_msg_2"/).waitFor();
    expect(problems).toEqual([]);
  });

  it.each(APPEARANCES)("are deleted after a question, in the %s theme on %s", async (colorScheme, _device, options) => {
    await using opened = await open("/?agent=claude&group=none", { colorScheme, ...options });
    const { page, problems } = opened;
    await row(page, ASKED).waitFor();
    await page.getByRole("grid").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("#");
    const question = page.getByRole("dialog", { name: "Delete this session?" });
    await question.getByText("the session of 1 subagent").waitFor();
    await question.getByText("3 other files, such as tool results and images").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await row(page, ASKED).waitFor();
    expect(problems).toEqual([]);
  });

  it("are exported with their subagents where that is asked for", async () => {
    await using opened = await open("/?agent=claude");
    const { page, problems } = opened;
    await row(page, ASKED).click();
    await page.getByRole("article").first().waitFor();
    await page.keyboard.press("Control+Shift+E");
    const dialog = page.getByRole("dialog", { name: "Export" });
    await dialog.getByRole("checkbox", { name: "Include subagents" }).click();
    await dialog.locator("iframe").contentFrame().getByText("One place: src/net.ts:14.").first().waitFor();
    await dialog.getByRole("radio", { name: "JSONL" }).click();
    await dialog.getByText(/^Saved as a ZIP/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Save as ZIP" }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.zip$/);
    expect((await readFile(await file.path())).includes("agent-a75b7c6257b656276")).toBe(true);
    expect(problems).toEqual([]);
  });

  it("are counted by agent", async () => {
    await using opened = await open("/statistics?period=all&measure=messages");
    const { page, problems } = opened;
    const agents = page.getByRole("region", { name: "Agents" });
    await agents.getByText(/^1 subagent: \d+ messages$/).waitFor();
    await agents.getByRole("link", { name: /^Claude Code/ }).click();
    await page.waitForURL(/\/\?agent=claude-code$/);
    await row(page, ASKED).waitFor();
    expect(problems).toEqual([]);
  });

  it.each(APPEARANCES)(
    "are counted for one of them alone, in the %s theme on %s",
    async (colorScheme, _device, options) => {
      await using opened = await open("/statistics?period=all&measure=messages", { colorScheme, ...options });
      const { page, problems } = opened;
      const agent = page.getByRole("combobox", { name: "Agent" });
      await agent.getByText("All agents").waitFor();
      await page.getByRole("region", { name: "Agents" }).getByRole("link").nth(1).waitFor();
      await agent.click();
      await page.getByRole("option", { name: "Claude Code" }).click();
      const { totals } = await service.ask<{ totals: { messages: number } }>("get_session_stats", {
        format: "claude-code",
      });
      const messages = page.locator("dl > div").filter({ has: page.locator("dt", { hasText: "Messages" }) });
      await expect.poll(() => messages.locator("dd").first().textContent(), PATIENT).toBe(String(totals.messages));
      expect(new URL(page.url()).searchParams.get("agent")).toBe("claude-code");
      const model = page.getByRole("region", { name: "Models" }).getByRole("link").first();
      expect(await model.getAttribute("href")).toMatch(/^\/\?agent=claude-code&model=/);
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await page.reload();
      await agent.getByText("Claude Code").waitFor();
      expect(problems).toEqual([]);
    },
  );

  it("are left out where their agent is switched off, and come back", async () => {
    await using opened = await open("/settings/agents");
    const { page, problems } = opened;
    const agent = page.getByRole("region", { name: "Claude Code" });
    await agent.getByText(/2 sessions.*Read-only/).waitFor();
    expect(await accessibilityProblems(page, "main")).toEqual([]);
    const isOn = agent.getByRole("switch", { name: "Claude Code" });
    await isOn.click();
    await agent.getByText(/^Off:/).waitFor();
    await expect
      .poll(
        async () => (await service.ask<{ total: number }>("list_sessions", { format: "claude-code" })).total,
        PATIENT,
      )
      .toBe(0);
    await isOn.click();
    await agent.getByText(/2 sessions.*Read-only/).waitFor();
    expect(problems).toEqual([]);
  });
});

/** Runs in the page: texts of a row that lie on others, or reach beyond it. */
function overlappingTexts(row: Element): string[] {
  /** What is seen of an element from left to right. */
  const seen = (element: Element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const box = { left, right, top, bottom, text: element.textContent };
    for (let above = element.parentElement; above !== null && above !== row; above = above.parentElement) {
      if (getComputedStyle(above).overflowX === "visible") continue;
      const { left, right } = above.getBoundingClientRect();
      [box.left, box.right] = [Math.max(box.left, left), Math.min(box.right, right)];
    }
    return box;
  };
  const boxes = [...row.querySelectorAll("span, bdi, a, time")]
    .filter((one) => one.childElementCount === 0 && one.textContent !== "" && one.checkVisibility())
    .map(seen);
  const edge = row.getBoundingClientRect().right;
  return boxes
    .filter(
      (box, at) =>
        box.right > edge ||
        boxes.some(
          (other, place) =>
            place > at &&
            Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1 &&
            Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 1,
        ),
    )
    .map(({ text }) => text ?? "");
}
