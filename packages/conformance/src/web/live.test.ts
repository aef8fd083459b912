import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LiveSession } from "@sm/core";
import type { Browser, Page, WebSocketRoute } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { type LiveService, startLiveService } from "../live-service.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { APPEARANCES, accessibilityProblems, openWebPage, PHONE, type WebPage } from "./web-browser.ts";

/** An agent that does what a prompt says, see there. */
const FAKE_AGENT = fileURLToPath(new URL("../../../agent/src/live/fake-agent.fixture.mjs", import.meta.url));

const prompt = (page: Page) => page.getByRole("textbox", { name: "Prompt", exact: true });
const conversation = (page: Page) => page.getByRole("region", { name: "Transcript" });
const answers = (page: Page) => page.getByRole("article", { name: "Assistant" });
const header = (page: Page) =>
  page
    .locator("main header")
    .filter({ has: page.getByRole("heading", { level: 1 }) })
    .last();

async function send(page: Page, text: string, keys = "Enter"): Promise<void> {
  await prompt(page).fill(text);
  await prompt(page).press(keys);
}

/** Waits until the agent does this. */
const is = (page: Page, state: string) => header(page).getByText(state, { exact: true }).waitFor();

describe.skipIf(browserProgram === null)("live sessions in Chromium", () => {
  let web: string;
  let browser: Browser;
  let service: RealService;
  let project: string;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    web = await buildPage();
    service = await startRealService({ web, config: { agent_command: FAKE_AGENT } });
    project = join(await realpath(service.home.folder), "project");
    await mkdir(project);
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const start = (name: string) => service.ask<LiveSession>("start_coding_session", { cwd: project, name });

  /** Opens a session of its own. */
  async function open(name: string, options = {}): Promise<WebPage & { session: LiveSession }> {
    const session = await start(name);
    const opened = await openWebPage(browser, `${service.url}/live?session=${session.session_id}`, options);
    await prompt(opened.page).waitFor();
    return { ...opened, session };
  }

  it("starts one in a folder, and streams what it says", async () => {
    await using opened = await openWebPage(browser, `${service.url}/live`);
    const { page, problems } = opened;
    await page.getByRole("button", { name: "New live session" }).click();
    await page.getByLabel("Folder", { exact: true }).fill(join(project, "gone"));
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("dialog").getByText("gone").last().waitFor();
    await page.getByLabel("Folder", { exact: true }).fill(project);
    await page.getByLabel("Name (optional)").fill("My first");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await send(page, "Hello\nthere", "Enter");
    await answers(page).getByText("You said: Hello there").waitFor();
    expect(new URL(page.url()).searchParams.get("session")).not.toBeNull();
    expect(await page.title()).toBe("My first · Session Manager");
    await page.getByRole("list", { name: "Live sessions" }).getByText("My first").waitFor();
    expect(await prompt(page).inputValue()).toBe("");
    expect(problems).toEqual([]);
  });

  it.each(APPEARANCES)("is accessible in the %s theme on %s", async (colorScheme, device, options) => {
    await using opened = await open(`Accessible ${colorScheme} ${device}`, { colorScheme, ...options });
    const { page, problems, session } = opened;
    const ask = (text: string) =>
      service.ask("send_coding_agent_rpc", { session_id: session.session_id, prompt: text });
    await ask("stream 20");
    await answers(page).getByText("w19").waitFor();
    await is(page, "idle");
    await ask('ask select {"options":["one","two"]}');
    await page.getByRole("button", { name: "two" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: /^Model/ }).click();
    await page.getByRole("option").first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("shows the same after a reload, in another page, and once the connection is back", async () => {
    await using opened = await open("Again", { isLast: true });
    const { page, problems, session } = opened;
    await send(page, "stream 400");
    await answers(page).getByText("w399").waitFor();
    await send(page, "second");
    await answers(page).getByText("You said: second").waitFor();
    await is(page, "idle");
    const said = (of: Page) => of.getByRole("article").locator(".prose").allInnerTexts();
    const before = await said(page);
    expect(before).toHaveLength(4);
    await page.reload();
    await expect.poll(() => said(page), PATIENT).toEqual(before);
    await using other = await openWebPage(browser, page.url());
    await expect.poll(() => said(other.page), PATIENT).toEqual(before);
    let isAway = false;
    const sockets: WebSocketRoute[] = [];
    await page.routeWebSocket(/\/ws/, (socket) => {
      if (isAway) return socket.close();
      sockets.push(socket);
      socket.connectToServer();
    });
    await page.reload();
    await expect.poll(() => said(page), PATIENT).toEqual(before);
    isAway = true;
    for (const socket of sockets) await socket.close();
    await service.ask("send_coding_agent_rpc", { session_id: session.session_id, prompt: "while away" });
    await other.page.getByText("You said: while away").waitFor();
    isAway = false;
    await expect.poll(() => said(page), PATIENT).toEqual(await said(other.page));
    expect(problems).toEqual([]);
  });

  it("queues what is said while it works, and is interrupted with Escape", async () => {
    await using opened = await open("Busy");
    const { page, problems } = opened;
    await send(page, "hang");
    await is(page, "working");
    await send(page, "after this", "Alt+Enter");
    await send(page, "before that");
    const waiting = page.getByRole("list", { name: "Queued prompts" });
    await expect
      .poll(async () => (await waiting.getByRole("listitem").allInnerTexts()).map((text) => text.split("\n")), PATIENT)
      .toEqual([
        ["Next", "before that"],
        ["When done", "after this"],
      ]);
    await prompt(page).press("Escape");
    await is(page, "idle");
    await expect.poll(() => prompt(page).inputValue(), PATIENT).toBe("before that\n\nafter this");
    await page.getByText("Stopped.").waitFor();
    expect(await waiting.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it.each<[string, string, (page: Page) => Promise<void>, string]>([
    ["confirm", "{}", (page) => page.getByRole("button", { name: "No", exact: true }).click(), '{"confirmed":false}'],
    [
      "select",
      '{"options":["a","b"]}',
      (page) => page.getByRole("button", { name: "b", exact: true }).click(),
      '{"value":"b"}',
    ],
    [
      "input",
      '{"placeholder":"A name"}',
      async (page) => {
        await page.getByPlaceholder("A name").fill("Ada");
        await page.getByPlaceholder("A name").press("Enter");
      },
      '{"value":"Ada"}',
    ],
    [
      "editor",
      '{"prefill":"one\\ntwo"}',
      async (page) => {
        await page.getByRole("textbox", { name: "A question" }).press("ControlOrMeta+End");
        await page.keyboard.type("\nthree");
        await page.getByRole("button", { name: "Answer" }).click();
      },
      '{"value":"one\\ntwo\\nthree"}',
    ],
    ["select", "{}", (page) => page.getByRole("button", { name: "Cancel" }).click(), '{"cancelled":true}'],
  ])("passes the answer to a question on: %s %s", async (method, extra, answer, expected) => {
    await using opened = await open(`Question ${method}`);
    const { page, problems } = opened;
    await send(page, `ask ${method} ${extra}`);
    await is(page, "waiting for you");
    await page.reload();
    await page.getByRole("region", { name: "A question" }).waitFor();
    await answer(page);
    await answers(page).getByText(expected).waitFor();
    expect(await page.getByRole("region", { name: "A question" }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it("changes the model, the level of thinking and the name", async () => {
    await using opened = await open("Changes");
    const { page, session } = opened;
    const current = async () =>
      (await service.ask<LiveSession[]>("get_coding_live_sessions")).find(
        (one) => one.session_id === session.session_id,
      );
    await page.getByRole("button", { name: /^Model/ }).click();
    await page.getByRole("combobox", { name: "Thinking" }).click();
    await page.getByRole("option", { name: "Maximum" }).click();
    await expect.poll(async () => (await current())?.thinking_level, PATIENT).toBe("max");
    await page.getByRole("combobox", { name: "Thinking" }).click();
    await page.getByRole("option", { name: "Maximum" }).waitFor();
    expect(await page.getByRole("option").allTextContents()).not.toContain("Extra high");
    await page.keyboard.press("Escape");
    await page.getByPlaceholder("Filter models").fill("other");
    await page.getByPlaceholder("Filter models").press("Enter");
    await expect.poll(async () => (await current())?.model, PATIENT).toBe("other/fake-2");
    await header(page).getByText("fake-2").waitFor();
    await page.getByRole("button", { name: "More actions for this session" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: "Session name" }).fill("Changed");
    await page.keyboard.press("Enter");
    await header(page).getByText("Changed").waitFor();
    expect((await current())?.name).toBe("Changed");
  });

  it("takes back what waits, also when the agent is stopped", async () => {
    await using opened = await open("Waiting");
    const { page, problems } = opened;
    await send(page, "hang");
    await is(page, "working");
    const waiting = page.getByRole("list", { name: "Queued prompts" });
    await send(page, "later");
    await waiting.getByText("later").waitFor();
    await page.getByRole("button", { name: "Return queued prompts to the editor" }).click();
    await expect.poll(() => prompt(page).inputValue(), PATIENT).toBe("later");
    await waiting.waitFor({ state: "detached" });
    await send(page, "later still");
    await waiting.getByText("later still").waitFor();
    await page.keyboard.press("Escape");
    await is(page, "idle");
    await expect.poll(() => prompt(page).inputValue(), PATIENT).toBe("later still");
    expect(await page.getByText("Removed from the queue:").count()).toBe(2);
    expect(problems).toEqual([]);
  });

  it("takes images, and nothing else", async () => {
    await using opened = await open("Images");
    const { page, problems } = opened;
    const pixel =
      "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAABlBMVEX///+/v7+jQ3Y5AAAADklEQVQI12P4AIX8EAgALgAD/aNpbtEAAAAASUVORK5CYII=";
    const files = [
      { name: "dot.png", mimeType: "image/png", buffer: Buffer.from(pixel, "base64") },
      { name: "page.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") },
    ];
    await page.locator("input[type=file]").setInputFiles(files);
    await page.getByRole("img", { name: "dot.png" }).waitFor();
    await page.getByText("PNG, JPEG, GIF or WebP").waitFor();
    expect(await page.getByRole("list", { name: "Images" }).getByRole("listitem").count()).toBe(1);
    await send(page, "Look");
    await answers(page).getByText("You said: Look").waitFor();
    expect(await page.getByRole("img", { name: "dot.png" }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it("shows how an agent died, and resumes its session", async () => {
    await using opened = await open("Mortal");
    const { page } = opened;
    await send(page, "remember this");
    await answers(page).getByText("You said: remember this").waitFor();
    await is(page, "idle");
    await send(page, "crash 7");
    await page.getByText("The agent exited with code 7").waitFor();
    await page.getByText("Error: something broke").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await send(page, "back again");
    await answers(page).getByText("You said: back again").waitFor();
    expect(await answers(page).getByText("You said: remember this").count()).toBe(1);
  });

  it("stops an agent only when that is confirmed", async () => {
    await using opened = await open("To be stopped");
    const { page, problems } = opened;
    await page.getByRole("button", { name: "More actions for this session" }).click();
    await page.getByRole("menuitem", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await is(page, "idle");
    await page.getByRole("button", { name: "More actions for this session" }).click();
    await page.getByRole("menuitem", { name: "Stop" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop", exact: true }).click();
    await is(page, "ended");
    expect(problems).toEqual([]);
  });

  it("resumes the stored session that is open, with a key", async () => {
    const path = await service.home.add("stored", [
      { type: "session", version: 3, id: "stored", timestamp: new Date().toISOString(), cwd: project },
      {
        type: "message",
        id: "a",
        parentId: null,
        timestamp: new Date().toISOString(),
        message: { role: "user", content: "From before" },
      },
    ]);
    await service.settled();
    await using opened = await openWebPage(browser, `${service.url}/session?${new URLSearchParams({ path })}`);
    const { page, problems } = opened;
    await page.getByRole("article").getByText("From before").waitFor();
    await page.keyboard.press("Shift+R");
    await prompt(page).waitFor();
    expect(new URL(page.url()).searchParams.get("path")).toBe(path);
    await conversation(page).getByText("From before").waitFor();
    await send(page, "And now");
    await answers(page).getByText("You said: And now").waitFor();
    expect(await conversation(page).getByText("From before").count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it("runs nothing of what an agent writes", async () => {
    await using opened = await open("<img src=x onerror=globalThis.hasRun=1>");
    const { page, problems } = opened;
    const hostile =
      "<img src=x onerror=globalThis.hasRun=1> [x](javascript:globalThis.hasRun=1) ![y](https://example.com/y.png)";
    await send(page, hostile);
    await answers(page).getByText("You said:").waitFor();
    await send(page, `ask select ${JSON.stringify({ title: hostile, options: [hostile] })}`);
    await page.getByRole("button", { name: hostile }).click();
    await is(page, "idle");
    expect(await page.evaluate("globalThis.hasRun")).toBeUndefined();
    expect(await page.locator("[href^=javascript]").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it("has one pane at a time on a phone, with the prompt above its keyboard", async () => {
    await using opened = await open("Pocket", PHONE);
    const { page, problems } = opened;
    expect(await page.getByRole("list", { name: "Live sessions" }).isVisible()).toBe(false);
    // What is left of the page while the keyboard is open.
    await page.setViewportSize({ width: 390, height: 400 });
    await prompt(page).fill("Hello");
    await page.getByRole("button", { name: "Send" }).click();
    await answers(page).getByText("You said: Hello").waitFor();
    const box = await prompt(page).boundingBox();
    expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThanOrEqual(400);
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("region", { name: "Ended" }).getByText("Pocket").waitFor();
    expect(await prompt(page).isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  it("says that a session in somebody's own terminal waits there for its user", async () => {
    const session = { session_id: "own-terminal", session_path: null, cwd: project, pid: 999_999, models: [] };
    const facts = { model: null, thinking_level: null, started_at: new Date().toISOString(), name: "Own terminal" };
    await service.ask("register_coding_session", { ...session, ...facts, state: "waiting" });
    await using opened = await openWebPage(browser, `${service.url}/live?session=own-terminal`);
    const { page, problems } = opened;
    const note = page.getByText("The agent is waiting for an answer in its own terminal.");
    await note.waitFor();
    await is(page, "waiting for you");
    await service.ask("report_coding_session", {
      session_id: "own-terminal",
      events: [],
      changes: { state: "idle" },
      done: [],
    });
    await note.waitFor({ state: "detached" });
    await service.ask("report_coding_session", {
      session_id: "own-terminal",
      events: [],
      changes: { state: "exited" },
      done: [],
    });
    expect(problems).toEqual([]);
  });

  it.each(APPEARANCES)(
    "has a board of what waits, runs and has ended, in the %s theme on %s",
    async (scheme, device, options) => {
      const name = (what: string) => `${what} ${scheme} ${device}`;
      const [asks, works, done] = await Promise.all(["Asks", "Works", "Done"].map((what) => start(name(what))));
      await using opened = await openWebPage(browser, `${service.url}/live`, { colorScheme: scheme, ...options });
      const { page, problems } = opened;
      const rowIn = (group: string, what: string) =>
        page.getByRole("region", { name: group }).getByRole("link", { name: name(what) });
      const ask = (session: LiveSession | undefined, text: string) =>
        service.ask("send_coding_agent_rpc", { session_id: session?.session_id, prompt: text });
      await rowIn("Running", "Asks").waitFor();
      await Promise.all([ask(asks, "ask confirm"), ask(works, "hang"), ask(done, "Hello")]);
      const terminal = await service.ask<{ id: string }>("create_terminal", { cwd: project, shell: "/bin/sh" });
      const message = Buffer.from(name("Builds")).toString("base64");
      const data = `printf '\\033]7501;state=done:app=make:msg=${message}\\033\\\\'\r`;
      await service.ask("terminal_write", { id: terminal.id, data });
      await rowIn("Waiting for you", "Asks").getByText("A question").waitFor();
      await rowIn("Running", "Works").getByText("Prompt: hang").waitFor();
      await rowIn("Ended", "Done").getByText("finished").waitFor();
      await rowIn("Ended", "Builds").getByText("make", { exact: true }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      const width = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
      expect(width).toBe(0);
      await service.ask("stop_coding_session", { session_id: works?.session_id });
      await rowIn("Ended", "Works").getByText("interrupted").waitFor();
      await rowIn("Waiting for you", "Asks").focus();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Yes" }).click();
      await is(page, "idle");
      await service.ask("terminal_close", { id: terminal.id });
      expect(problems).toEqual([]);
    },
  );

  it("says what to install, and what to switch on", async () => {
    await using without = await startRealService({ web, config: { agent_command: "/nowhere/agent" } });
    await using missing = await openWebPage(browser, `${without.url}/live`);
    await missing.page.getByText("The agent is not installed").waitFor();
    await missing.page.getByText("agent_command").waitFor();
    await using off = await startRealService({ web, config: { agents_enabled: false } });
    await using forbidden = await openWebPage(browser, `${off.url}/live`);
    await forbidden.page.getByText("You cannot use agents from here").waitFor();
    await forbidden.page.getByText("agents_enabled").waitFor();
  });
});

describe.skipIf(browserProgram === null)("a live session of the real agent in Chromium", () => {
  let browser: Browser;
  let live: LiveService;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    live = await startLiveService({ web: await buildPage() });
  });

  afterAll(() => live?.[Symbol.asyncDispose]());

  it("has all that a stored session has, while the agent works", async () => {
    const { session_id } = await live.service.ask<LiveSession>("start_coding_session", { cwd: live.project });
    await using opened = await openWebPage(browser, `${live.service.url}/live?session=${session_id}`);
    const { page, problems } = opened;
    const ofSession = (name: string) => header(page).getByRole("button", { name, exact: true });
    await ofSession("Prompts").click();
    await page.getByText("Nothing is stored yet").waitFor();
    await send(page, "run echo hello | tee greeting.txt");
    await answers(page).getByText("It said: hello").waitFor();
    const contents = page.getByRole("list", { name: "Prompts" });
    await contents.getByRole("button", { name: /^run echo hello/ }).waitFor();
    await send(page, "hold");
    await answers(page).getByText("Waiting").waitFor();
    await is(page, "working");
    await contents.getByRole("button", { name: /^hold/ }).waitFor();
    await page.getByRole("radio", { name: "Tree" }).click();
    await page.getByRole("list", { name: "Tree" }).getByRole("button", { name: /^hold/ }).waitFor();
    await page.getByRole("radio", { name: "Changes" }).click();
    await page.getByText("No file changes").waitFor();
    await page.getByRole("complementary").getByRole("button", { name: "Close" }).click();
    await header(page).getByRole("meter", { name: "Context" }).waitFor();
    await prompt(page).focus();
    await page.keyboard.press("ControlOrMeta+f");
    await page.keyboard.type("hello");
    await page.getByText(/^1 of \d+$/).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText(/^2 of \d+$/).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => prompt(page).evaluate((field) => field === document.activeElement), PATIENT).toBe(true);
    await page.keyboard.press("ControlOrMeta+Shift+e");
    await page
      .getByRole("dialog")
      .getByRole("heading", { name: /Export/ })
      .waitFor();
    await page.keyboard.press("Escape");
    await is(page, "working");
    // The same session at its own address: the same screen.
    const sessions = await live.service.ask<LiveSession[]>("get_coding_live_sessions");
    const path = sessions.find((one) => one.session_id === session_id)?.session_path ?? "";
    await page.goto(`${live.service.url}/session?${new URLSearchParams({ path })}`);
    await answers(page).getByText("Waiting").waitFor();
    live.model.release();
    await answers(page).getByText("Waiting no more.").waitFor();
    await is(page, "idle");
    // What is stored may take a moment to come in place of what was told.
    await expect.poll(() => answers(page).getByText("Waiting no more.").count(), PATIENT).toBe(1);
    await send(page, "and here");
    await answers(page).getByText("and here").waitFor();
    expect(problems).toEqual([]);
  });

  it("shows thinking, a tool and its result, and the answer, while they come and afterwards", async () => {
    const { session_id } = await live.service.ask<LiveSession>("start_coding_session", { cwd: live.project });
    await using opened = await openWebPage(browser, `${live.service.url}/live?session=${session_id}`);
    const { page, problems } = opened;
    await send(page, "run echo hello | tee greeting.txt");
    await answers(page).getByText("It said: hello").waitFor();
    const call = page.getByRole("button", { name: /bash echo hello/ });
    await call.click();
    await expect
      .poll(async () => (await page.locator(".call samp").first().textContent())?.trim(), PATIENT)
      .toBe("hello");
    await page.getByRole("button", { name: "Thinking" }).click();
    await page.getByText("The user wants a command.").waitFor();
    await send(page, "hold");
    await answers(page).getByText("Waiting").waitFor();
    await page.reload();
    await answers(page).getByText("Waiting").waitFor();
    live.model.release();
    await answers(page).getByText("Waiting no more.").waitFor();
    await is(page, "idle");
    // What is stored may take a moment to come in place of what was told.
    await expect.poll(() => answers(page).getByText("Waiting no more.").count(), PATIENT).toBe(1);
    expect(problems).toEqual([]);
  });
});
