import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { ListedTerminal } from "@sm/core";
import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { APPEARANCES, accessibilityProblems, openWebPage, PHONE, type WebPage } from "./web-browser.ts";

/** What the terminal in front shows, without the spaces at the ends of lines. */
const screen = async (page: Page) =>
  (await page.locator(".xterm-rows > div").allInnerTexts()).map((line) => line.replace(/[\s\u00a0]+$/, "")).join("\n");

const shows = (page: Page, text: string | RegExp) =>
  expect.poll(() => screen(page), PATIENT).toMatch(typeof text === "string" ? new RegExp(`^${text}$`, "m") : text);

async function run(page: Page, command: string): Promise<void> {
  await page.locator(".xterm-helper-textarea").focus();
  await page.keyboard.type(command);
  await page.keyboard.press("Enter");
}

describe.skipIf(browserProgram === null)("terminals in Chromium", () => {
  let web: string;
  let browser: Browser;
  let service: RealService;
  let project: string;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    web = await buildPage();
    service = await startRealService({ web });
    project = join(await realpath(service.home.folder), "project");
    await mkdir(project);
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const list = () => service.ask<ListedTerminal[]>("list_terminals");

  /** Opens a terminal of its own, with a shell that has no settings. */
  async function open(options = {}): Promise<WebPage & { id: string }> {
    const { id } = await service.ask<ListedTerminal>("create_terminal", { cwd: project, shell: "/bin/sh" });
    const opened = await openWebPage(browser, `${service.url}/terminals?id=${id}`, options);
    await shows(opened.page, /[#$]/);
    return { ...opened, id };
  }

  it("opens one in a folder, runs what is typed, and shows it again after a reload", async () => {
    await using opened = await openWebPage(browser, `${service.url}/terminals`);
    const { page, problems } = opened;
    await page.getByRole("button", { name: "New terminal" }).last().click();
    await page.getByLabel("Folder", { exact: true }).fill(project);
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.getByRole("tab", { name: "project" }).waitFor();
    await page.waitForURL(/id=/);
    await run(page, "echo one''two; echo $((6 * 7))");
    await shows(page, "onetwo");
    await shows(page, "42");
    await page.reload();
    await shows(page, "onetwo");
    await run(page, "echo and''more");
    await shows(page, "andmore");
    expect(problems).toEqual([]);
  });

  it.each(APPEARANCES)("is accessible in the %s theme on %s", async (colorScheme, _device, options) => {
    await using opened = await open({ colorScheme, ...options });
    const { page, problems } = opened;
    await run(page, "for c in 31 32 33 34 35 36 37 90; do printf '\\033[%sm%s ' $c colour; done; echo; echo do''ne");
    await shows(page, "done");
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("has its size, and tells it to the shell", async () => {
    await using opened = await open();
    const { page } = opened;
    const size = async () => {
      await run(page, "clear; stty size");
      await shows(page, /^\d+ \d+$/m);
      const [, rows, cols] = /^(\d+) (\d+)$/m.exec(await screen(page)) ?? [];
      return { rows: Number(rows), cols: Number(cols) };
    };
    const before = await size();
    expect(before.cols).toBeGreaterThan(80);
    await page.setViewportSize({ width: 900, height: 500 });
    await expect.poll(async () => (await size()).cols, PATIENT).toBeLessThan(before.cols);
  });

  it("stays responsive in a flood, and loses nothing of its end", async () => {
    await using opened = await open();
    const { page, problems } = opened;
    await run(page, "seq 400000; echo fl''ood");
    // Whatever is asked of the page meanwhile is answered between two pieces of output.
    let answered = 0;
    await expect
      .poll(async () => {
        await page.getByRole("button", { name: "New terminal" }).hover();
        answered++;
        return screen(page);
      }, PATIENT)
      .toMatch(/^flood$/m);
    expect(answered).toBeGreaterThan(0);
    expect(await screen(page)).toMatch(/^399999\n400000\nflood$/m);
    await page.reload();
    await shows(page, /^399999\n400000\nflood$/m);
    expect(problems).toEqual([]);
  });

  it("answers a question of a program once, not again when it is shown again", async () => {
    await using opened = await open();
    const { page } = opened;
    await run(
      page,
      "clear; stty -echo -icanon; printf '\\033[6n'; dd bs=1 count=6 2>/dev/null | od -c | head -2; stty sane; echo as''ked",
    );
    await shows(page, "asked");
    await page.reload();
    await shows(page, "asked");
    await run(page, "echo not''hing else");
    await shows(page, "nothing else");
    expect((await screen(page)).split("\n").at(-1)).not.toContain(";");
  });

  it("names its tab as a program wishes, and ends with its program", async () => {
    await using opened = await open();
    const { page, problems } = opened;
    await run(page, "printf '\\033]0;<b>build</b>\\a'");
    await page.getByRole("tab", { name: "<b>build</b>" }).waitFor();
    await run(page, "exit 3");
    await page.getByText("Exited with code 3").waitFor();
    await page.reload();
    await page.getByText("Exited with code 3").waitFor();
    const before = (await list()).length;
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await expect.poll(async () => (await list()).length, PATIENT).toBe(before - 1);
    expect(problems).toEqual([]);
  });

  it("leaves the keys of the shell alone, and can be left and closed without a mouse", async () => {
    await using opened = await open();
    const { page, problems, id } = opened;
    await using second = await open();
    await second[Symbol.asyncDispose]();
    await page.reload();
    await shows(page, /[#$]/);
    const { pathname } = new URL(page.url());
    // Shortcuts elsewhere in the page: they are typed.
    await run(page, "echo g l / ? n [");
    await shows(page, "g l / \\? n \\[");
    await run(page, "cat");
    await page.keyboard.press("Control+c");
    await run(page, "echo free''d");
    await shows(page, "freed");
    await page.keyboard.press("Tab");
    expect(new URL(page.url()).pathname).toBe(pathname);
    expect(await page.locator(":focus").getAttribute("class")).toContain("xterm-helper-textarea");
    await page.keyboard.press("Control+Shift+ArrowUp");
    expect(await page.locator(":focus").getAttribute("role")).toBe("tab");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => new URL(page.url()).searchParams.get("id"), PATIENT).not.toBe(id);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => new URL(page.url()).searchParams.get("id"), PATIENT).toBe(id);
    await page.getByRole("tab", { selected: true }).focus();
    await page.keyboard.press("Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).last().click();
    await expect.poll(async () => (await list()).some((one) => one.id === id), PATIENT).toBe(false);
    expect(problems).toEqual([]);
  });

  it("finds, copies and pastes", async () => {
    await using opened = await open({ permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = opened;
    await run(page, "clear; echo needle; echo hay; echo need''le");
    await shows(page, /^needle\nhay\nneedle$/m);
    for (const open of [
      () => page.keyboard.press("Control+Shift+F"),
      () => page.getByRole("button", { name: "Find in this terminal" }).click(),
    ]) {
      await open();
      await page.keyboard.type("needle");
      await page.getByText(/^\d of [23]$/).waitFor();
      await page.keyboard.press("Escape");
    }
    await page.keyboard.press("Control+Shift+C");
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()"), PATIENT).toBe("needle");
    await page.evaluate("navigator.clipboard.writeText('echo past$((1))ed')");
    await page.keyboard.press("Control+Shift+V");
    await page.keyboard.press("Enter");
    await shows(page, "past1ed");
  });

  it("runs nothing that is pasted, whatever keys are in it", async () => {
    await using opened = await open({ permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = opened;
    // A program that asks for bracketed paste, and would show what comes after its end.
    await run(page, "clear; printf '\\033[?2004h'; echo ready; cat -v");
    await shows(page, /^ready$/m);
    const hostile = "one\u001b[201~two\u0003three\u009b201~four";
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(hostile)})`);
    await page.keyboard.press("Control+Shift+V");
    await page.keyboard.press("Enter");
    await shows(page, /^\^\[\[200~one\[201~twothree201~four\^\[\[201~$/m);
  });

  it("opens links of the web, and no others", async () => {
    await using opened = await open();
    const { page } = opened;
    await page.context().route("https://example.com/**", (route) => route.fulfill({ body: "" }));
    await run(
      page,
      "clear; printf '\\033]8;;javascript:alert(1)\\033\\\\bad link\\033]8;;\\033\\\\\\n'; echo https://example.com/good",
    );
    await shows(page, "https://example.com/good");
    const place = async (text: string) => {
      const box = await page.locator(".xterm-rows > div").filter({ hasText: text }).last().boundingBox();
      return { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
    };
    const click = async (text: string) => {
      const { x, y } = await place(text);
      await page.mouse.move(x, y);
      await page.mouse.move(x + 2, y);
      await page.mouse.click(x + 2, y);
    };
    await click("bad link");
    const [popup] = await Promise.all([page.waitForEvent("popup"), click("https://example.com/good")]);
    await popup.waitForURL("https://example.com/good");
    expect(await popup.evaluate("globalThis.opener")).toBeNull();
    expect(page.context().pages()).toHaveLength(2);
  });

  it("has keys on a phone that its keyboard lacks", async () => {
    await using opened = await open(PHONE);
    const { page, problems } = opened;
    const keys = page.getByRole("toolbar", { name: "Keys" });
    await run(page, "echo first");
    await shows(page, "first");
    await run(page, "cat");
    await keys.getByRole("button", { name: "Ctrl" }).tap();
    await page.keyboard.type("c");
    await run(page, "echo free''d");
    await shows(page, "freed");
    await page.locator(".xterm-helper-textarea").focus();
    await page.keyboard.type("echo a");
    await keys.getByRole("button", { name: "|" }).tap();
    await page.keyboard.type("cat");
    await page.keyboard.press("Enter");
    await shows(page, "a");
    expect(problems).toEqual([]);
  });

  it("says what to switch on", async () => {
    await using off = await startRealService({ web, config: { terminals_enabled: false } });
    await using opened = await openWebPage(browser, `${off.url}/terminals`);
    await opened.page.getByText("You cannot use terminals from here").waitFor();
    await opened.page.getByText("terminals_enabled").waitFor();
  });
});
