import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LiveSession } from "@sm/core";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, describe, expect, it, vi } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { forkedSession } from "./transcript-sessions.ts";
import { openWebPage, PHONE } from "./web-browser.ts";

/** An agent that does what a prompt says, see there. */
const FAKE_AGENT = fileURLToPath(new URL("../../../agent/src/live/fake-agent.fixture.mjs", import.meta.url));

/** Letters that are keys of the page where they come to no field: "g s" goes to the list, "/" to the search. */
const TYPED = "fix settings / k";

/** What opens, one way in which it does, and where the next keys belong. */
interface Opener {
  what: string;
  by: string;
  /** The address that it is opened from; the list if absent. */
  from?: "session" | "live" | "an agent" | "a session with an agent" | string;
  open(page: Page): Promise<void>;
  /** Where the caret is then; absent where nothing is typed. */
  field?(page: Page): Locator;
  /** What has the focus after Escape; absent for what is no dialog. */
  back?(page: Page): Locator;
}

const grid = (page: Page) => page.getByRole("grid");
const firstRow = (page: Page) => grid(page).locator("[role=row][aria-selected]").first();
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const ofSession = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name, exact: true });
const choose = (page: Page, name: string | RegExp) => page.getByRole("menuitem", { name }).click();
const textbox = (name: string) => (page: Page) => page.getByRole("textbox", { name, exact: true });
const hasFocus = (element: Locator) =>
  expect.poll(() => element.evaluate((one) => one === document.activeElement), PATIENT).toBe(true);
const toGrid = (page: Page) => page.keyboard.press("ArrowDown");
const chooseNewTag = async (page: Page) => {
  await choose(page, "Tags");
  const {
    x = 0,
    y = 0,
    width = 0,
    height = 0,
  } = (await page.getByRole("menuitem", { name: "New tag…" }).boundingBox()) ?? {};
  // As a hand does, whose way tells the menu where it goes.
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 10 });
  await page.mouse.down();
  await page.mouse.up();
};

const tagName = textbox("Tag name");
const tagLink = (page: Page) => page.getByRole("link", { name: "First tag" });
const sessionMenu = "More actions for this session";
const prompt = textbox("Prompt");
/** The session of an agent, the newest of all. */
const agentRow = (page: Page) => grid(page).getByText("Said in a file").first();

const OPENERS: Opener[] = [
  {
    what: "a new tag",
    by: "the menu of a row",
    open: async (page) => {
      await firstRow(page).click({ button: "right" });
      await chooseNewTag(page);
    },
    field: tagName,
    back: grid,
  },
  {
    what: "a new tag",
    by: "the button of a row",
    open: async (page) => {
      await firstRow(page).hover();
      await firstRow(page)
        .getByRole("button", { name: /^Actions for/ })
        .click();
      await chooseNewTag(page);
    },
    field: tagName,
    back: grid,
  },
  {
    what: "a new tag",
    by: "keys",
    open: async (page) => {
      await toGrid(page);
      await page.keyboard.press("ContextMenu");
      await page.getByRole("menuitem", { name: "Tags" }).waitFor();
      await page.keyboard.type("tags");
      await hasFocus(page.getByRole("menuitem", { name: "Tags" }));
      await page.keyboard.press("ArrowRight");
      await hasFocus(page.getByRole("menuitemcheckbox", { name: "First tag" }));
      await page.keyboard.press("End");
      await hasFocus(page.getByRole("menuitem", { name: "New tag…" }));
      await page.keyboard.press("Enter");
    },
    field: tagName,
    back: grid,
  },
  {
    what: "a new tag",
    by: "the bar of what is chosen",
    open: async (page) => {
      await firstRow(page).click({ modifiers: ["ControlOrMeta"] });
      await page.getByRole("toolbar").getByRole("button", { name: "Tags" }).click();
      await choose(page, "New tag…");
    },
    field: tagName,
    back: (page) => page.getByRole("toolbar").getByRole("button", { name: "Tags" }),
  },
  {
    what: "a new tag",
    by: "the menu of the open session",
    from: "session",
    open: async (page) => {
      await ofSession(page, sessionMenu).click();
      await chooseNewTag(page);
    },
    field: tagName,
    back: (page) => ofSession(page, sessionMenu),
  },
  {
    what: "a tag",
    by: "the menu of its row",
    open: async (page) => {
      await tagLink(page).click({ button: "right" });
      await choose(page, /^Edit name and color/);
    },
    field: tagName,
    back: tagLink,
  },
  {
    what: "a tag",
    by: "the button of its row",
    open: async (page) => {
      await tagLink(page).hover();
      await button(page, "Actions for First tag").click();
      await choose(page, /^Edit name and color/);
    },
    field: tagName,
    back: (page) => button(page, "Actions for First tag"),
  },
  {
    what: "a tag",
    by: "keys",
    open: async (page) => {
      await tagLink(page).focus();
      await page.keyboard.press("Shift+F10");
      await hasFocus(page.getByRole("menuitem", { name: /^Edit name and color/ }));
      await page.keyboard.press("Enter");
    },
    field: tagName,
    back: tagLink,
  },
  {
    what: "a tag",
    by: "keys, of which the first one is faster than the file of the menu",
    open: async (page) => {
      let letCome = () => {};
      const come = new Promise<void>((resolve) => {
        letCome = resolve;
      });
      await page.route(/tag-menu/, async (route) => {
        await come;
        await route.continue();
      });
      // Its file is asked for as soon as the page has nothing else to do.
      await page.reload();
      await tagLink(page).focus();
      await page.keyboard.press("Shift+F10");
      letCome();
      await hasFocus(page.getByRole("menuitem", { name: /^Edit name and color/ }));
      await page.keyboard.press("Enter");
    },
    field: tagName,
    back: tagLink,
  },
  {
    what: "a tag",
    by: "a key",
    open: async (page) => {
      await tagLink(page).focus();
      await page.keyboard.press("F2");
    },
    field: tagName,
    back: tagLink,
  },
  {
    what: "the end of a tag",
    by: "a key",
    open: async (page) => {
      await tagLink(page).focus();
      await page.keyboard.press("Delete");
    },
    back: tagLink,
  },
  {
    what: "the end of a tag",
    by: "the menu of its row",
    open: async (page) => {
      await tagLink(page).click({ button: "right" });
      await choose(page, /^Delete tag/);
    },
    back: tagLink,
  },
  {
    what: "a name",
    by: "a key",
    open: async (page) => {
      await toGrid(page);
      await page.keyboard.press("F2");
    },
    field: textbox("Session name"),
    back: grid,
  },
  {
    what: "a name",
    by: "the menu of a row",
    open: async (page) => {
      await firstRow(page).click({ button: "right" });
      await choose(page, /^Rename/);
    },
    field: textbox("Session name"),
    back: grid,
  },
  {
    what: "a name",
    by: "the title of the open session",
    from: "session",
    open: (page) => page.getByRole("heading", { level: 1 }).getByRole("button").click(),
    field: textbox("Session name"),
    back: (page) => page.getByRole("heading", { level: 1 }).getByRole("button"),
  },
  {
    what: "a name",
    by: "the menu of the open session",
    from: "session",
    open: async (page) => {
      await ofSession(page, sessionMenu).click();
      await choose(page, /^Rename/);
    },
    field: textbox("Session name"),
    back: (page) => page.getByRole("heading", { level: 1 }).getByRole("button"),
  },
  {
    what: "a note",
    by: "its button",
    from: "session",
    open: (page) => ofSession(page, "Add a note").click(),
    field: textbox("Your note"),
    back: (page) => ofSession(page, "Add a note"),
  },
  {
    what: "a note",
    by: "the menu of the open session",
    from: "session",
    open: async (page) => {
      await ofSession(page, sessionMenu).click();
      await choose(page, "Note…");
    },
    field: textbox("Your note"),
    back: (page) => ofSession(page, sessionMenu),
  },
  {
    what: "what is found in a session",
    by: "keys",
    from: "session",
    open: (page) => page.keyboard.press("Control+f"),
    field: textbox("Find in this session"),
    back: (page) => page.locator(".transcript-scroller"),
  },
  {
    what: "what is found in a session",
    by: "its button",
    from: "session",
    open: (page) => ofSession(page, "Find in this session").click(),
    field: textbox("Find in this session"),
    back: (page) => page.locator(".transcript-scroller"),
  },
  {
    what: "the filter",
    by: "a key",
    open: (page) => page.keyboard.press("f"),
    field: (page) => page.getByRole("searchbox"),
  },
  {
    what: "the search",
    by: "a key",
    open: (page) => page.keyboard.press("/"),
    field: (page) => page.getByRole("searchbox", { name: "Search all sessions" }),
  },
  {
    what: "the palette",
    by: "keys in the list",
    open: async (page) => {
      await toGrid(page);
      await page.keyboard.press("Control+k");
    },
    field: (page) => page.getByRole("combobox"),
    back: grid,
  },
  {
    what: "the palette",
    by: "keys in the filter",
    open: async (page) => {
      await page.keyboard.press("f");
      await page.keyboard.press("Control+k");
    },
    field: (page) => page.getByRole("combobox"),
    back: (page) => page.getByRole("searchbox"),
  },
  {
    what: "the shortcuts",
    by: "a key",
    open: async (page) => {
      await toGrid(page);
      await page.keyboard.press("?");
    },
    back: grid,
  },
  {
    what: "an export",
    by: "keys",
    open: async (page) => {
      await toGrid(page);
      await page.keyboard.press("Control+Shift+e");
    },
    back: grid,
  },
  {
    what: "an export",
    by: "the menu of a row",
    open: async (page) => {
      await firstRow(page).click({ button: "right" });
      await choose(page, /^Export/);
    },
    back: grid,
  },
  {
    what: "an export",
    by: "the menu of the open session",
    from: "session",
    open: async (page) => {
      await ofSession(page, sessionMenu).click();
      await choose(page, /^Export/);
    },
    back: (page) => ofSession(page, sessionMenu),
  },
  {
    what: "an archive of what is old",
    by: "the menu of the list",
    open: async (page) => {
      await button(page, "Sort and group").click();
      await choose(page, /^Archive old sessions/);
    },
    back: (page) => button(page, "Sort and group"),
  },
  {
    what: "a new agent",
    by: "its button",
    from: "live",
    open: (page) => button(page, "New").click(),
    field: textbox("Folder"),
    back: (page) => button(page, "New"),
  },
  {
    what: "a new agent",
    by: "keys in the list",
    open: async (page) => {
      await toGrid(page);
      await page.keyboard.type("gn");
    },
    field: textbox("Folder"),
  },
  {
    what: "an agent",
    by: "its row",
    from: "live",
    open: (page) => page.getByRole("link", { name: "First agent" }).click(),
    field: prompt,
  },
  { what: "an agent", by: "its address", from: "an agent", open: async () => {}, field: prompt },
  {
    what: "an agent",
    by: "the row of another one",
    from: "an agent",
    open: async (page) => {
      await prompt(page).waitFor();
      await page.getByRole("link", { name: "Second agent" }).click();
      await page.getByRole("heading", { name: "Second agent" }).waitFor();
    },
    field: prompt,
  },
  {
    what: "the name of an agent",
    by: "its menu",
    from: "an agent",
    open: async (page) => {
      await button(page, sessionMenu).click();
      await choose(page, "Rename");
    },
    field: textbox("Session name"),
    back: (page) => page.getByRole("heading", { level: 1 }).getByRole("button"),
  },
  {
    what: "an agent",
    by: "the address of its session",
    from: "a session with an agent",
    open: async () => {},
    field: prompt,
  },
  {
    what: "an agent",
    by: "the row of its session",
    open: (page) => agentRow(page).click(),
    field: prompt,
  },
  {
    what: "an agent",
    by: "the key of the row of its session",
    open: async (page) => {
      await agentRow(page).waitFor();
      await toGrid(page);
      await page.keyboard.press("Home");
      await page.keyboard.press("Enter");
    },
    field: prompt,
  },
  ...(["an agent", "a session with an agent"] as const).flatMap((from) => [
    {
      what: "what is found",
      by: `keys in the prompt of ${from}`,
      from,
      open: async (page: Page) => {
        await prompt(page).click();
        await page.keyboard.press("Control+f");
      },
      field: textbox("Find in this session"),
      back: prompt,
    },
    {
      what: "the end of an agent",
      by: `the menu of ${from}`,
      from,
      open: async (page: Page) => {
        await button(page, sessionMenu).click();
        await choose(page, "Stop");
      },
      back: (page: Page) => button(page, sessionMenu),
    },
  ]),
  {
    what: "an export",
    by: "keys in the prompt of an agent",
    from: "a session with an agent",
    open: async (page) => {
      await prompt(page).click();
      await page.keyboard.press("Control+Shift+e");
    },
    back: prompt,
  },
  {
    what: "a budget",
    by: "its button",
    from: "/statistics",
    open: (page) => button(page, "Set a budget").click(),
    field: textbox("Today (USD)"),
    back: (page) => button(page, "Set a budget"),
  },
  {
    what: "an API token",
    by: "its button",
    from: "/settings/api-keys",
    open: (page) => button(page, "New API token").first().click(),
    field: textbox("Name"),
    back: (page) => button(page, "New API token").first(),
  },
];

describe.skipIf(browserProgram === null)("the focus", () => {
  let service: RealService;
  let browser: Browser;
  let project: string;
  let addresses: Record<string, string>;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage(), config: { agent_command: FAKE_AGENT } });
    project = join(await realpath(service.home.folder), "project");
    await mkdir(project);
    const path = await service.home.add("forked", forkedSession());
    await service.settled();
    const start = (name: string) => service.ask<LiveSession>("start_coding_session", { cwd: project, name });
    const { session_id } = await start("First agent");
    await start("Second agent");
    const third = await start("Third agent");
    await service.ask("send_coding_agent_rpc", { session_id: third.session_id, prompt: "Said in a file" });
    // Told by the agent some time after the answer.
    const pathOfThird = await vi.waitUntil(async () => {
      const all = await service.ask<LiveSession[]>("get_coding_live_sessions");
      return all.find((one) => one.session_id === third.session_id)?.session_path;
    }, PATIENT);
    await service.settled();
    await service.ask("create_tag", { name: "First tag", color: "#3a7fd5" });
    addresses = {
      session: `/session?${new URLSearchParams({ path })}`,
      live: "/live",
      "an agent": `/live?session=${session_id}`,
      "a session with an agent": `/session?${new URLSearchParams({ path: pathOfThird })}`,
    };
  }, 120_000);

  afterAll(() => service?.[Symbol.asyncDispose]());

  it.each(OPENERS)("is in $what, opened by $by, and given back", async ({ from = "/", open, field, back }) => {
    const address = addresses[from] ?? from;
    await using opened = await openWebPage(browser, service.url + address);
    const { page, problems } = opened;
    await (from === "session" ? page.locator(".entry") : from === "/" ? firstRow(page) : page.getByRole("heading"))
      .first()
      .waitFor();
    await open(page);
    const dialog = page.getByRole("dialog");
    if (field !== undefined) {
      await field(page).waitFor();
      await page.keyboard.type(TYPED);
      expect(await field(page).inputValue()).toBe(TYPED);
    }
    if ((await dialog.count()) > 0 || field === undefined) {
      await dialog.waitFor();
      for (let stop = 0; stop < 25; stop++) {
        await page.keyboard.press("Tab");
        // Its last stop is a guard behind it, which hands the focus on.
        await expect.poll(() => dialog.evaluate((box) => box.contains(document.activeElement)), PATIENT).toBe(true);
      }
    }
    if (back !== undefined) {
      // A page within the dialog, such as the preview of an export, keeps its keys.
      while (await page.evaluate("document.activeElement.tagName === 'IFRAME'")) await page.keyboard.press("Tab");
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await hasFocus(back(page));
    }
    expect(problems).toEqual([]);
  });

  it("is in the prompt of an agent that was started, without a hand on the mouse", async () => {
    await using opened = await openWebPage(browser, `${service.url}/live`);
    const { page } = opened;
    await page.getByRole("heading").first().waitFor();
    await page.keyboard.type("gn");
    await textbox("Folder")(page).fill(project);
    await page.keyboard.press("Enter");
    await page.waitForURL(/session=/);
    await prompt(page).waitFor();
    await page.keyboard.type(TYPED);
    expect(await prompt(page).inputValue()).toBe(TYPED);
  });

  it("is in the prompt of an agent that was started on the session that is read", async () => {
    const timestamp = "2026-01-02T03:04:05.000Z";
    const path = await service.home.add("resumed", [
      { type: "session", version: 3, id: "resumed", timestamp, cwd: project },
      { type: "message", id: "a", parentId: null, timestamp, message: { role: "user", content: "From before" } },
    ]);
    await service.settled();
    await using opened = await openWebPage(browser, `${service.url}/session?${new URLSearchParams({ path })}`);
    const { page, problems } = opened;
    await page.locator(".entry").first().waitFor();
    await page.locator(".transcript-scroller").focus();
    await page.keyboard.press("Shift+R");
    await prompt(page).waitFor();
    await page.keyboard.type(TYPED);
    expect(await prompt(page).inputValue()).toBe(TYPED);
    expect(new URL(page.url()).searchParams.get("path")).toBe(path);
    expect(problems).toEqual([]);
  });

  it("is in the navigation of a phone, and goes back to its button", async () => {
    await using opened = await openWebPage(browser, service.url, PHONE);
    const { page } = opened;
    await firstRow(page).waitFor();
    await button(page, "Menu").tap();
    const drawer = page.getByRole("dialog", { name: "Navigation" });
    await drawer.waitFor();
    for (let stop = 0; stop < 25; stop++) {
      await page.keyboard.press("Tab");
      expect(await drawer.evaluate((box) => box.contains(document.activeElement))).toBe(true);
    }
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await hasFocus(button(page, "Menu"));
  });
});
