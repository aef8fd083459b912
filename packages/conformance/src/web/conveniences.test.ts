import { mkdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LiveSession } from "@sm/core";
import type { Browser, Page, WebSocketRoute } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { answered, longSession, said } from "./transcript-sessions.ts";
import { accessibilityProblems, openWebPage, PHONE } from "./web-browser.ts";

/** An agent that does what a prompt says, see there. */
const FAKE_AGENT = fileURLToPath(new URL("../../../agent/src/live/fake-agent.fixture.mjs", import.meta.url));

it("needs less than 180 KB of JavaScript for the first screen, with either compression", async () => {
  const web = await buildPage();
  const page = await readFile(join(web, "index.html"), "utf8");
  const scripts = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, path]) => join(web, path ?? ""));
  const sizeOf = async (ending: string) => {
    // What is too small is not compressed.
    const sizes = await Promise.all(scripts.map((path) => stat(path + ending).catch(() => stat(path))));
    return sizes.reduce((sum, { size }) => sum + size, 0);
  };
  expect(await sizeOf("")).toBeGreaterThan(300_000);
  expect(await sizeOf(".gz")).toBeLessThan(180_000);
  expect(await sizeOf(".br")).toBeLessThan(180_000);
}, 120_000);

describe.skipIf(browserProgram === null)("what makes the page convenient", () => {
  let service: RealService;
  let browser: Browser;
  let long: string;
  let many: string;
  let project: string;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage(), config: { agent_command: FAKE_AGENT } });
    project = join(await realpath(service.home.folder), "project");
    await mkdir(project);
    long = await service.home.add("long", longSession(1_000));
    const [header] = longSession(0);
    const turns = Array.from({ length: 8 }, (_, turn) => {
      const [ask, answer] = [`ask${turn}`, `answer${turn}`] as const;
      const before = turn === 0 ? null : `answer${turn - 1}`;
      return [said(ask, before, `## Question ${turn}`), answered(answer, ask, `**Manyword** and \`code\` ${turn}`)];
    });
    many = await service.home.add("many", [{ ...header, id: "many" }, ...turns.flat()]);
    await service.settled();
  }, 120_000);

  afterAll(() => service?.[Symbol.asyncDispose]());

  const open = (path: string, options = {}) => openWebPage(browser, service.url + path, options);
  const sessionAddress = (path: string, search: Record<string, string> = {}) =>
    `/session?${new URLSearchParams({ path, ...search })}`;
  const currentEntry = (page: Page) => page.locator(".entry[data-current]").getAttribute("data-entry");

  it("shows everything that was found in one session, without the signs of Markdown", async () => {
    await using opened = await open("/search?q=manyword");
    const { page, problems } = opened;
    const results = page.getByRole("region", { name: "Results" });
    const hits = results.locator("a[href*='entry=']");
    const all = results.getByRole("link", { name: "All matches in this session" });
    await all.waitFor();
    expect(await hits.count()).toBe(5);
    expect(await hits.first().locator("bdi").textContent()).toMatch(/^Manyword and code \d$/);
    expect(await hits.first().locator("mark").allTextContents()).toEqual(["Manyword"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await expect.poll(() => all.evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await expect.poll(() => hits.count(), PATIENT).toBe(8);
    expect(new URL(page.url()).searchParams.get("session")).toBe(many);
    expect(await all.count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: /^Remove filter/ }).click();
    await expect.poll(() => hits.count(), PATIENT).toBe(5);
    expect(problems).toEqual([]);
  });

  it("lists prompts as a reader of Markdown sees them", async () => {
    await using opened = await open(sessionAddress(many, { panel: "prompts" }));
    const { page } = opened;
    await page.locator(".outline-item", { hasText: /^Question 7/ }).waitFor();
  });

  it("finds in a session what is not loaded, and has the service look for it", async () => {
    await using opened = await open(sessionAddress(long, { find: "needle" }));
    const { page, problems } = opened;
    await expect.poll(() => page.locator(".find-count").textContent(), PATIENT).toBe("1 of 1");
    await page.locator('[data-entry="b3"]').getByText("needle").waitFor();
    const field = page.getByRole("textbox", { name: "Find in this session" });
    await field.fill("PROMPT  99");
    await expect.poll(() => page.locator(".find-count").textContent(), PATIENT).toMatch(/of 11$/);
    await field.fill("not anywhere");
    await expect.poll(() => page.locator(".find-count").textContent(), PATIENT).toBe("No matches");
    expect(problems).toEqual([]);
  });

  it("does what a key means that is pressed while the session is being read", async () => {
    await using opened = await open("/live", { isLast: true });
    const { page, problems } = opened;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.routeWebSocket(/\/ws/, (socket: WebSocketRoute) => {
      const server = socket.connectToServer();
      socket.onMessage(async (message) => {
        if (String(message).includes('"read_session_tree"')) await held;
        server.send(message);
      });
    });
    await page.goto(service.url + sessionAddress(long));
    await page.locator('[data-entry="d999"]').waitFor();
    await page.keyboard.press("Home");
    release();
    await expect.poll(() => currentEntry(page), PATIENT).toBe("a0");
    expect(problems).toEqual([]);
  });

  it("shows more sessions at once where somebody wants that, and remembers it", async () => {
    await using opened = await open("/settings/appearance");
    const { page, problems } = opened;
    await page.getByRole("radiogroup", { name: "Density" }).getByRole("radio", { name: "Compact" }).click();
    await page.goto(`${service.url}/?group=none`);
    const rows = page.getByRole("grid").getByRole("row");
    const distance = async () => {
      const [first, second] = await Promise.all([0, 1].map((index) => rows.nth(index).boundingBox()));
      return (second?.y ?? 0) - (first?.y ?? 0);
    };
    await expect.poll(distance, PATIENT).toBe(38);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it.each([
    ["a mouse", {}],
    ["a finger", PHONE],
  ])("lets %s reach what is in a row of the list, which is a link as a whole", async (_what, options) => {
    await using opened = await open("/", options);
    const { page, problems } = opened;
    const row = page.getByRole("grid").locator("[role=row][aria-selected]").first();
    if (options === PHONE) {
      await row.getByRole("button", { name: /^Actions for/ }).tap();
      await page.getByRole("menuitem", { name: "Select" }).tap();
    } else {
      await row.hover();
      await row.getByRole("checkbox").click();
    }
    const toolbar = page.getByRole("toolbar");
    await toolbar.waitFor();
    const { x = 0, width = 0 } = (await toolbar.boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    expect(await row.getAttribute("aria-selected")).toBe("true");
    if (options === PHONE) await row.getByRole("checkbox").tap();
    else await row.getByRole("checkbox").click();
    await expect.poll(() => row.getAttribute("aria-selected"), PATIENT).toBe("false");
    expect(new URL(page.url()).pathname).toBe("/");
    expect(problems).toEqual([]);
  });

  it("reads tooltips as parts of where they belong", async () => {
    await using opened = await open(sessionAddress(many));
    const { page } = opened;
    for (const name of ["Find in this session", "Sort and group"]) {
      await page.getByRole("button", { name }).first().hover();
      await page.getByRole("tooltip").filter({ hasText: name }).waitFor({ state: "attached" });
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.mouse.move(700, 500, { steps: 3 });
      await page.getByRole("tooltip").waitFor({ state: "detached" });
    }
  });

  it.each(["the list", "its transcript"])("resumes a session from %s", async (where) => {
    const path = await service.home.add(where.replace(" ", "-"), [{ ...longSession(0)[0], id: where, cwd: project }]);
    await service.settled();
    await using opened = await open(where === "the list" ? "/" : sessionAddress(path));
    const { page } = opened;
    if (where === "the list") {
      const row = page.getByRole("grid").locator(`a[href*="${encodeURIComponent(path)}"]`);
      await row.click({ button: "right" });
      await page.getByRole("menuitem", { name: "Resume as a live session" }).click();
    } else await page.getByRole("button", { name: "Resume as a live session" }).click();
    await page.getByRole("textbox", { name: "Prompt", exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get("path")).toBe(path);
  });

  it.each([
    ["a desktop", {}],
    ["a phone", PHONE],
  ])("shows what extensions keep in sight, on %s", async (device, options) => {
    const session = await service.ask<LiveSession>("start_coding_session", { cwd: project, name: device });
    const { session_id } = session;
    await using opened = await open(`/live?session=${session_id}`, options);
    const { page, problems } = opened;
    const show = (method: string, fields: object) =>
      service.ask("send_coding_agent_rpc", {
        session_id,
        prompt: `ask ${method} ${JSON.stringify({ timeout: 1, ...fields })}`,
      });
    await show("setTitle", { title: "Tidying up" });
    await show("setWidget", { widgetKey: "todo", widgetLines: ["\u001b[32m1. done\u001b[39m", "2. <b>to do</b>"] });
    await show("setStatus", { statusKey: "git", statusText: "on main" });
    const main = page.locator("main");
    await main.locator("header").getByText("Tidying up", { exact: true }).waitFor();
    await main.getByText("1. done", { exact: true }).waitFor();
    expect(await main.locator("samp", { hasText: "1. done" }).textContent()).toBe("1. done\n2. <b>to do</b>");
    await main.getByText("on main", { exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await show("setWidget", { widgetKey: "todo" });
    await main.getByText("1. done", { exact: true }).waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  });
});
