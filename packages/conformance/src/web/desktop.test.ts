import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { LiveSession } from "@sm/core";
import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { type DesktopAnswers, openDesktopPage } from "./desktop-page.ts";
import { accessibilityProblems, newVisitor, openWebPage } from "./web-browser.ts";

/** An agent that does what a prompt says, see there. */
const FAKE_AGENT = fileURLToPath(new URL("../../../agent/src/live/fake-agent.fixture.mjs", import.meta.url));

/** Where the menu of the window is made. */
const MENU = fileURLToPath(new URL("../../../../apps/desktop/src-tauri/src/menu.rs", import.meta.url));

const menuActions = () => [...readFileSync(MENU, "utf8").matchAll(/"action:([\w.]+)"/g)].map(([, id]) => id);

const toasts = (page: Page) => page.getByRole("region", { name: "Notifications" });
const dialog = (page: Page) => page.getByRole("dialog", { name: "Export" });
const title = (page: Page) => page.getByRole("main").getByRole("heading", { level: 1 });

describe.skipIf(browserProgram === null)("the page in the desktop application", () => {
  let service: RealService;
  let browser: Browser;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage(), config: { agent_command: FAKE_AGENT } });
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const addressOf = (path: string) => `/session?${new URLSearchParams({ path })}`;
  const open = (address: string, answers?: DesktopAnswers) => openDesktopPage(browser, service.url + address, answers);

  async function openSession(answers?: DesktopAnswers) {
    const opened = await open(addressOf(service.home.paths.branched), answers);
    await title(opened.page).waitFor();
    return opened;
  }

  it("opens an exported page in the user's browser, where it runs by itself", async () => {
    await using opened = await openSession();
    await opened.page.keyboard.press("ControlOrMeta+e");
    await expect.poll(() => opened.asked("open_in_browser"), PATIENT).toHaveLength(1);
    const [{ url = "" } = {}] = await opened.asked("open_in_browser");
    expect(url).toMatch(new RegExp(`^${service.url}/api/export\\?path=`));

    await using shown = await openWebPage(browser, url);
    await shown.page.getByRole("heading", { level: 1, name: "Names with umlauts" }).waitFor();
    await expect.poll(() => shown.page.locator("html").getAttribute("class"), PATIENT).toContain("js");
    const reach = `[
      globalThis.origin,
      (() => { try { return typeof localStorage; } catch { return "no storage"; } })(),
    ]`;
    expect(await shown.page.evaluate(reach)).toEqual(["null", "no storage"]);
    await shown.page.getByRole("link", { name: "Skip to the conversation" }).press("Enter");
    expect(shown.page.url()).toContain("#conversation");
    expect(shown.problems).toEqual([]);
  });

  it("has nothing else run there, whatever may get into the page", async () => {
    const query = new URLSearchParams({ path: service.home.paths.branched, format: "html", disposition: "inline" });
    const url = `${service.url}/api/export?${query}`;
    await using visitor = await newVisitor(browser, service.url);
    const { page } = visitor;
    const answered: string[] = [];
    page.on("response", (response) => answered.push(response.url()));
    await page.route(url, async (route) => {
      const body = `<title>Quiet</title>
        <script>document.title = "ran"</script>
        <img src="${service.url}/icon.svg?image" onerror="document.title = 'ran'">
        <iframe src="${service.url}/?frame"></iframe>
        <p>The end</p>`;
      await route.fulfill({ response: await route.fetch(), body });
    });
    await page.goto(url);
    await page.getByText("The end").waitFor();
    expect(await page.title()).toBe("Quiet");
    expect(answered).toEqual([url]);
  });

  it("saves where the user says, and shows the file there", async () => {
    const savedAs = "/home/user/Größe.md";
    await using opened = await openSession({ savedAs });
    const { page, asked } = opened;
    await page.keyboard.press("ControlOrMeta+Shift+e");
    await dialog(page).getByRole("radio", { name: "Markdown" }).click();
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await toasts(page).getByText(`Saved as ${savedAs}`).waitFor();
    await dialog(page).waitFor({ state: "detached" });
    await toasts(page).getByRole("button", { name: "Show in the file manager" }).click();
    await expect.poll(() => asked("reveal_in_file_manager"), PATIENT).toEqual([{ path: savedAs }]);
    const path = expect.stringMatching(/^\/api\/export\?path=.*&format=markdown$/);
    const suggestedName = expect.stringMatching(/Names.*\.md$/);
    expect(await asked("save_export")).toEqual([{ path, suggestedName }]);
  });

  it("leaves the dialog open where the user saves nothing", async () => {
    await using opened = await openSession({ savedAs: null });
    const { page, asked } = opened;
    await page.keyboard.press("ControlOrMeta+Shift+e");
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await expect.poll(() => asked("save_export"), PATIENT).toHaveLength(1);
    await dialog(page).getByRole("button", { name: "Save" }).click({ trial: true });
    expect(await toasts(page).getByText("Saved").count()).toBe(0);
  });

  it("saves several sessions by a ticket, which its name does not use up", async () => {
    await using opened = await open("/", { savedAs: "/home/user/sessions.zip" });
    const { page, asked } = opened;
    await page.getByRole("grid").getByRole("link").first().waitFor();
    await page.getByRole("grid").focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.getByRole("toolbar").waitFor();
    await page.keyboard.press("ControlOrMeta+e");
    await dialog(page).getByRole("button", { name: "Save as ZIP" }).click();
    await toasts(page).getByText("Saved as").waitFor();
    const [{ path, suggestedName } = {}] = await asked("save_export");
    expect(suggestedName).toMatch(/\.zip$/);
    const answer = await fetch(service.url + path);
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "application/zip"]);
    await answer.body?.cancel();
  });

  it("shows the file of a session, and says what is wrong where it cannot", async () => {
    await using opened = await open("/", { revealProblem: "There is no file manager." });
    const { page, asked } = opened;
    const { branched } = service.home.paths;
    await page.getByRole("grid").getByText("Names with umlauts").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Show in the file manager" }).click();
    await toasts(page).getByText("There is no file manager.").waitFor();
    expect(await asked("reveal_in_file_manager")).toEqual([{ path: branched }]);
  });

  it("does what is chosen in the menu of the window, and says so where it cannot", async () => {
    await using opened = await open("/");
    const { page, tell } = opened;
    await tell("menu", { action: "session.export" });
    await toasts(page).getByText("Some actions need an open session.").waitFor();
    await tell("menu", { action: "go.statistics" });
    await page.waitForURL(/\/statistics/);
    await tell("menu", { action: "view.palette" });
    await page.getByRole("dialog").getByRole("combobox").waitFor();
  });

  it.each(menuActions())("can do what the menu of the window has, where a session is open: %s", async (action) => {
    await using opened = await openSession();
    const { page, tell, asked } = opened;
    await expect.poll(() => asked("pending_place"), PATIENT).toHaveLength(1);
    const unavailable = toasts(page).getByText("This is not available here.");
    await tell("menu", { action });
    // What is told last is shown last.
    await tell("menu", { action: "no such action" });
    await unavailable.first().waitFor();
    expect(await unavailable.count()).toBe(1);
  });

  it("knows what the menu of the window has", () => {
    expect(menuActions().length).toBeGreaterThan(15);
  });

  it("goes back to where the user was, and no further", async () => {
    await using opened = await open("/statistics");
    const { page, tell } = opened;
    await tell("menu", { action: "go.settings" });
    await page.waitForURL(/\/settings/);
    await tell("menu", { action: "go.back" });
    await page.waitForURL(/\/statistics/);
    await tell("menu", { action: "go.back" });
    await tell("menu", { action: "go.forward" });
    await page.waitForURL(/\/settings/);
    await page.keyboard.press("Alt+ArrowLeft");
    await page.waitForURL(/\/statistics/);
    await page.keyboard.press("Alt+ArrowRight");
    await page.waitForURL(/\/settings/);
  });

  it("opens what it was started with, and what is opened later", async () => {
    const { plain, branched } = service.home.paths;
    await using opened = await open("/", { pending: { file: plain } });
    const { page, tell } = opened;
    await title(page).getByText("Say hello.").waitFor();
    await tell("opened", { file: branched });
    await title(page).getByText("Names with umlauts").waitFor();
    await tell("opened", { address: "/statistics" });
    await page.waitForURL(/\/statistics$/);
  });

  it("opens the places of links", async () => {
    const { plain } = service.home.paths;
    const link = (search: Record<string, string>) => ({
      link: `session-manager://open?${new URLSearchParams(search)}`,
    });
    await using opened = await open("/settings", { pending: link({ path: plain }) });
    const { page, tell } = opened;
    await title(page).getByText("Say hello.").waitFor();
    await tell("opened", link({ search: "umlauts & more" }));
    await page.waitForURL(/\/search\?q=umlauts/);
    await expect
      .poll(() => page.getByRole("searchbox", { name: "Search all sessions" }).inputValue(), PATIENT)
      .toBe("umlauts & more");
    await tell("opened", link({ live: "gone" }));
    await page.waitForURL(/\/live\?session=gone$/);
    await tell("opened", link({ screen: "terminals" }));
    await page.waitForURL(/\/terminals$/);
  });

  it("says of a link that leads nowhere, and does nothing", async () => {
    await using opened = await open("/statistics");
    const { page, tell, asked } = opened;
    const link = `session-manager://open?live=a&new=1&cwd=/\u202E${"x".repeat(500)}`;
    await tell("opened", { link });
    await toasts(page).getByText("leads to no place in Session Manager. session-manager://open?live=a").waitFor();
    expect(await toasts(page).textContent()).not.toContain("\u202E");
    expect(await accessibilityProblems(page, "section[aria-live]")).toEqual([]);
    const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect(overflow).toBeLessThanOrEqual(0);
    expect(new URL(page.url()).pathname).toBe("/statistics");
    for (const command of ["open_in_browser", "save_export", "reveal_in_file_manager"]) {
      expect(await asked(command)).toEqual([]);
    }
  });

  it("copies links that the system opens with the application", async () => {
    await using opened = await openSession();
    const { page, tell } = opened;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: service.url });
    const article = page.getByRole("main").getByRole("article").last();
    await article.hover();
    await article.getByRole("button", { name: "More actions for this entry" }).click();
    await page.getByRole("menuitem", { name: "Copy link" }).click();
    const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
    await expect.poll(copied, PATIENT).toMatch(/^session-manager:\/\/open\?path=.+&entry=.+/);
    await tell("menu", { action: "go.statistics" });
    await page.waitForURL(/\/statistics/);
    await tell("opened", { link: await copied() });
    await title(page).getByText("Names with umlauts").waitFor();
    expect(page.url()).toContain("entry=");
  });

  it("says what to do about a file that is in no session directory", async () => {
    const { outside } = service.home;
    await using opened = await open("/", { pending: { file: outside } });
    const { page } = opened;
    await toasts(page).getByText(`${outside} is not in a session directory.`).waitFor();
    expect(await accessibilityProblems(page, "section[aria-live]")).toEqual([]);
    await toasts(page).getByRole("button", { name: "Session directories" }).click();
    await page.waitForURL(/\/settings\/sessions/);
  });

  it.each([
    ["hang", "finished", "The agent is done."],
    ["ask confirm", "asks", "A question"],
  ])("tells of an agent while nobody looks: %s, which %s", async (prompt, _, body) => {
    const session = await service.ask<LiveSession>("start_coding_session", { cwd: service.home.folder, name: body });
    const { session_id } = session;
    const address = `/live?session=${session_id}`;
    // Both show the agent's state, so they know of it by then.
    const [unseen, seen] = await Promise.all([open("/live", { isFocused: false }), open("/live")]);
    await using _unseen = unseen;
    await using _seen = seen;
    const rowIn = ({ page }: typeof seen) =>
      page.getByRole("region", { name: "Live sessions" }).getByRole("listitem").filter({ hasText: body });
    const reach = (state: string) =>
      Promise.all([unseen, seen].map((one) => rowIn(one).getByText(state, { exact: true }).waitFor()));
    await reach("idle");
    await expect.poll(unseen.tray, PATIENT).toEqual([{ text: `${body} · idle`, address, isWaiting: false }]);
    // What tells of agents comes after the screen, together with what asks for this.
    for (const one of [unseen, seen]) await expect.poll(() => one.asked("pending_place"), PATIENT).toHaveLength(1);
    await service.ask("send_coding_agent_rpc", { session_id, prompt });
    if (prompt === "hang") {
      await reach("working");
      await service.ask("abort_coding_session", { session_id });
    }
    await expect.poll(() => unseen.asked("notify"), PATIENT).toEqual([{ title: body, body, address }]);
    await reach(prompt === "hang" ? "interrupted" : "asks for confirmation");
    expect(await seen.asked("notify")).toEqual([]);
    const row = { text: "A question · asks for confirmation", address, isWaiting: true };
    // What has ended is not in the tray.
    await expect.poll(unseen.tray, PATIENT).toEqual(prompt === "hang" ? [] : [row]);
    await service.ask("stop_coding_session", { session_id });
  });

  it.each([
    ["granted", true],
    ["denied", false],
  ])("asks for notifications in a browser where the user turns them on: %s", async (answer, isOn) => {
    await using visitor = await newVisitor(browser, service.url, { isLast: true });
    const { page } = visitor;
    await page.addInitScript(`
      globalThis.Notification = class { static permission = "default"; static async requestPermission() {
        this.permission = ${JSON.stringify(answer)};
        return this.permission;
      } }`);
    await page.goto(`${service.url}/settings/appearance`);
    const choice = page.getByRole("switch", { name: "Notify me when an agent finishes or waits for you" });
    expect(await choice.isChecked()).toBe(false);
    await choice.click();
    await expect.poll(() => choice.isChecked(), PATIENT).toBe(isOn);
    expect(await choice.isEnabled()).toBe(isOn);
  });
});
