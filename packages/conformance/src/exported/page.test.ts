import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { exportHtml, openTranscript } from "@sm/core";
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { branchedSession, hostileSession, longSession } from "./sessions.ts";

/** On a busy machine. */
const PATIENCE = { timeout: 30_000 };

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };

const LONG_NAME = "A name that goes on and on ".repeat(12).trim().slice(0, 200);

interface OpenPage extends AsyncDisposable {
  page: Page;
  /** What should not happen: requests, errors, messages, violations of the page's policy. */
  problems: string[];
}

describe.skipIf(browserProgram === null)("an exported page in Chromium", () => {
  let browser: Browser;
  let folder: string;
  const files = new Map<string, string>();

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    folder = await mkdtemp(join(tmpdir(), "session-manager-page-"));
    await Promise.all([
      write("branched", branchedSession()),
      write("long", longSession()),
      write("hostile", hostileSession()),
      write("titled", [
        { type: "session", version: 3, id: "titled", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/project" },
        { type: "session_info", id: "a1", parentId: null, timestamp: "2026-01-01T00:00:00.000Z", name: LONG_NAME },
      ]),
    ]);
  });

  afterAll(() => rm(folder, { recursive: true }));

  async function write(name: string, lines: object[]): Promise<void> {
    const bytes = new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    let html = "";
    for await (const piece of exportHtml(await openTranscript(bytes), {
      include_thinking: true,
      include_tools: true,
    })) {
      html += piece;
    }
    const path = join(folder, `${name}.html`);
    await writeFile(path, html);
    files.set(name, pathToFileURL(path).href);
  }

  /** Opens the file of a session where there is no network. */
  async function open(name: string, options: BrowserContextOptions & { hash?: string } = {}): Promise<OpenPage> {
    const { hash = "", ...contextOptions } = options;
    const address = files.get(name) ?? "";
    const context = await browser.newContext({ ...DESKTOP, reducedMotion: "reduce", offline: true, ...contextOptions });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(address) && !url.startsWith("data:image/")) problems.push(`request: ${url}`);
    });
    page.on("console", (message) => problems.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(address + hash);
    return { page, problems, [Symbol.asyncDispose]: () => context.close() };
  }

  const isVisible = (page: Page, text: string) => page.getByText(text, { exact: true }).first().isVisible();
  const openCount = (page: Page, kind: string) => page.locator(`details.${kind}[open]`).count();
  const top = async (page: Page, selector: string) => (await page.locator(selector).boundingBox())?.y ?? Number.NaN;

  it("allows no script, picture or connection from elsewhere", async () => {
    await using opened = await open("branched");
    const { page, problems } = opened;
    expect(problems).toEqual([]);
    const blocked = await page.evaluate(`(async () => {
      const blocked = [];
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => blocked.push(effectiveDirective));
      const add = (name, fields) => document.body.append(Object.assign(document.createElement(name), fields));
      add("script", { textContent: "globalThis.hasRun = true" });
      add("img", { src: "http://127.0.0.1:9/picture.png" });
      await fetch("http://127.0.0.1:9/").catch(() => {});
      document.body.setAttribute("onclick", "globalThis.hasRun = true");
      document.body.click();
      document.body.setAttribute("style", "color: red");
      await new Promise((resolve) => setTimeout(resolve));
      return [globalThis.hasRun, [...new Set(blocked)].sort()];
    })()`);
    const directives = ["connect-src", "img-src", "script-src-attr", "script-src-elem", "style-src-attr"];
    expect(blocked).toEqual([undefined, directives]);
  });

  it("shows the newest branch, and another where a reader chooses it at the fork", async () => {
    await using opened = await open("branched");
    const { page, problems } = opened;
    expect(await isVisible(page, "The newest way")).toBe(true);
    expect(await isVisible(page, "An older way")).toBe(false);
    expect(await page.locator(".prompts.shown a").allTextContents()).toEqual(["How is it parsed?", "The newest way"]);

    await page.evaluate("document.querySelector('.fork').scrollIntoView()");
    const before = await top(page, "#run-0 > .fork");
    await page.locator(".fork a:not([aria-current])").click();
    expect(await isVisible(page, "The newest way")).toBe(false);
    expect(await isVisible(page, "An older way")).toBe(true);
    expect(await top(page, "#run-0 > .fork")).toBeCloseTo(before, 0);
    expect(await page.locator(".prompts.shown a").allTextContents()).toEqual(["How is it parsed?", "An older way"]);
    expect(await page.locator(".tree a[aria-current]").allTextContents()).toEqual([
      "How is it parsed?",
      "An older way",
    ]);

    await page.locator(".tree a", { hasText: "The newest way" }).click();
    expect(await isVisible(page, "The newest way")).toBe(true);
    expect(await isVisible(page, "An older way")).toBe(false);

    await page.locator("[data-action=all-branches]").click();
    expect(await isVisible(page, "The newest way")).toBe(true);
    expect(await isVisible(page, "An older way")).toBe(true);
    expect(problems).toEqual([]);
  });

  it.each([
    ["an entry of another branch", "#e-old1", "An older way"],
    ["a result inside of a closed tool call", "#e-r1", "export const parsed = 42;"],
  ])("a link to %s shows it", async (_what, hash, text) => {
    await using opened = await open("branched", { hash });
    const { page, problems } = opened;
    await page.locator(hash, { hasText: text }).waitFor({ state: "visible" });
    expect(await top(page, hash)).toBeLessThan(900);
    expect(problems).toEqual([]);
  });

  it("is used with the keyboard", async () => {
    await using opened = await open("branched");
    const { page, problems } = opened;
    const press = (key: string) => page.keyboard.press(key);
    expect([await openCount(page, "thinking"), await openCount(page, "call")]).toEqual([0, 0]);
    await press("t");
    expect([await openCount(page, "thinking"), await openCount(page, "call")]).toEqual([1, 0]);
    await press("o");
    await press("t");
    expect([await openCount(page, "thinking"), await openCount(page, "call")]).toEqual([0, 3]);
    await press("o");
    expect(await openCount(page, "call")).toBe(0);

    await press("?");
    expect(await page.locator("#help").isVisible()).toBe(true);
    await page.locator("#help input").uncheck();
    await press("Escape");
    expect(await page.locator("#help").isVisible()).toBe(false);
    await press("t");
    expect(await openCount(page, "thinking")).toBe(0);
    await page.locator("[popovertarget=help]").click();
    await page.locator("#help input").check();
    await press("Escape");

    await press("c");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("How is it parsed?");
    await press("b");
    expect(await page.evaluate("document.activeElement.closest('.tree') !== null")).toBe(true);
    await press("j");
    expect(await page.evaluate("location.hash")).toBe("#e-u1");
    await page.evaluate("document.querySelector('#e-u1').scrollIntoView()");
    await press("j");
    expect(await page.evaluate("location.hash")).toBe("#e-new1");

    await page.evaluate("scrollTo(0, 0)");
    await page.locator("body").press("Tab");
    expect(problems).toEqual([]);
  });

  it("begins with a link that skips to the conversation", async () => {
    await using opened = await open("branched");
    await opened.page.keyboard.press("Tab");
    expect(await opened.page.evaluate("document.activeElement.textContent")).toBe("Skip to the conversation");
    await opened.page.keyboard.press("Enter");
    expect(await opened.page.evaluate("location.hash")).toBe("#conversation");
  });

  it("finds text, also where it is folded away or in parts of several colours", async () => {
    await using opened = await open("branched");
    const { page, problems } = opened;
    const count = () => page.locator(".find output").textContent();
    const findText = async (text: string, expected: string) => {
      await page.locator(".find input").fill(text);
      await expect.poll(count, PATIENCE).toBe(expected);
    };
    await page.keyboard.press("/");
    await findText("const PARSED = 42", "1 of 1");
    expect(await openCount(page, "call")).toBe(1);
    expect(await page.evaluate("[...CSS.highlights.get('found')].length")).toBe(1);
    await findText("parsed", "1 of 3");
    await page.keyboard.press("Enter");
    expect(await count()).toBe("2 of 3");
    await page.keyboard.press("Shift+Enter");
    expect(await count()).toBe("1 of 3");
    await page.keyboard.press("Shift+Enter");
    expect(await count()).toBe("3 of 3");
    await findText("no-such/text (", "None");
    await page.keyboard.press("Escape");
    expect(await page.locator(".find").isVisible()).toBe(false);
    expect(await page.evaluate("CSS.highlights.get('found').size")).toBe(0);
    expect(problems).toEqual([]);
  });

  it("copies code", async () => {
    await using opened = await open("branched", { permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = opened;
    const button = page.locator(".entry-assistant .code").first().locator(".copy");
    await button.click();
    await page.locator(".copy", { hasText: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain("long_line_of_code");
  });

  it("follows the system's colours until the reader chooses others", async () => {
    await using opened = await open("branched", { colorScheme: "dark" });
    const { page } = opened;
    const paper = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
    const dark = await paper();
    await page.emulateMedia({ colorScheme: "light" });
    const light = await paper();
    expect(light).not.toBe(dark);
    await page.keyboard.press("d");
    expect(await paper()).toBe(dark);
    await page.reload();
    expect(await paper()).toBe(dark);
    await page.keyboard.press("d");
    expect(await paper()).toBe(light);
  });

  it.each([
    ["branched", 10],
    ["long", 2400],
  ])("is whole without a script: %s", async (name, count) => {
    await using opened = await open(name, { ...PHONE, javaScriptEnabled: false });
    const { page, problems } = opened;
    expect(await page.evaluate("document.querySelectorAll('.entry').length")).toBe(count);
    await page.evaluate("[...document.querySelectorAll('.entry')].at(-1).scrollIntoView()");
    expect(await page.locator(".entry").last().isVisible()).toBe(true);
    expect(await page.locator(".scripted:visible").count()).toBe(0);
    await page.locator(".to-contents").click();
    expect(await page.locator("#contents").isVisible()).toBe(true);
    expect(problems).toEqual([]);
  });

  it("prints the conversation and nothing to press", async () => {
    await using opened = await open("branched");
    const { page, problems } = opened;
    const pdf = await page.pdf();
    expect(pdf.length).toBeGreaterThan(10_000);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await isVisible(page, "The newest way")).toBe(true);
    for (const selector of [".bar", ".contents", ".copy", ".fork", ".skip"]) {
      expect(await page.locator(`${selector}:visible`).count(), selector).toBe(0);
    }
    expect(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")).toBe(
      "rgb(255, 255, 255)",
    );
    expect(problems).toEqual([]);
  });

  it.each([390, 641, 800, 1119, 1120])("has all of its bar in sight while one finds, %d pixels wide", async (width) => {
    await using opened = await open("branched", { viewport: { width, height: 600 } });
    const { page } = opened;
    await page.keyboard.press("/");
    await page.locator(".find input").fill("parsed");
    await expect.poll(() => page.locator(".find output").textContent(), PATIENCE).toBe("1 of 3");
    const outside = await page.locator(".bar :is(button, input, output):visible").evaluateAll((all) =>
      all.flatMap((one) => {
        const { left, right } = one.getBoundingClientRect();
        return left < 0 || right > innerWidth ? [one.outerHTML] : [];
      }),
    );
    expect(outside).toEqual([]);
  });

  it("gives a long title three lines, on a phone too", async () => {
    for (const size of [DESKTOP, PHONE]) {
      await using opened = await open("titled", size);
      const lines = await opened.page.evaluate(`(() => {
        const title = document.querySelector("h1");
        return title.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(title).lineHeight);
      })()`);
      expect(lines).toBeCloseTo(3, 1);
      expect(await opened.page.title()).toBe(LONG_NAME);
    }
  });

  it("has its title in the bar only when it is nowhere else in sight", async () => {
    await using opened = await open("branched", { viewport: { width: 1280, height: 500 } });
    const { page } = opened;
    expect(await page.locator(".bar-title").isVisible()).toBe(false);
    await page.evaluate("scrollTo(0, 400)");
    await expect.poll(() => page.locator(".bar-title").isVisible(), PATIENCE).toBe(true);
    await page.evaluate("document.querySelector('main').remove()");
    await expect.poll(() => page.locator(".bar-title").isVisible(), PATIENCE).toBe(false);
  });

  it("fits on a phone, with everything open", async () => {
    await using opened = await open("branched", PHONE);
    const { page, problems } = opened;
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    const sizes = await page.locator(".bar button:visible").evaluateAll((buttons) =>
      buttons.map((button) => {
        const { width, height } = button.getBoundingClientRect();
        return Math.min(width, height);
      }),
    );
    expect(sizes).toHaveLength(5);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
    await page.getByRole("button", { name: "Contents" }).tap();
    await page.locator(".tree a", { hasText: "An older way" }).tap();
    expect(await page.locator("#contents").isVisible()).toBe(false);
    expect(await isVisible(page, "An older way")).toBe(true);
    expect(problems).toEqual([]);
  });

  it.each([
    { colorScheme: "light", ...DESKTOP, name: "light, desktop" },
    { colorScheme: "dark", ...PHONE, name: "dark, phone" },
  ] as const)("has nothing that axe objects to: $name", async ({ name: _name, ...options }) => {
    await using opened = await open("branched", { ...options, bypassCSP: true });
    const { page } = opened;
    await page.addScriptTag({ content: axe.source });
    const violations = () =>
      page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary])))`);
    expect(await violations()).toEqual([]);
    await page.evaluate(`{
      for (const one of document.querySelectorAll("details")) one.open = true;
      document.documentElement.classList.add("all-branches");
      document.querySelector("[data-action=find]").click();
    }`);
    expect(await violations()).toEqual([]);
    await page.evaluate("document.querySelector('#help').showPopover()");
    expect(await violations()).toEqual([]);
  });

  it("runs nothing that a session says, and asks nobody", async () => {
    await using opened = await open("hostile");
    const { page, problems } = opened;
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    await page.keyboard.press("/");
    await page.locator(".find input").fill("alert");
    await expect.poll(() => page.locator(".find output").textContent(), PATIENCE).toMatch(/^1 of /);
    await page.evaluate("for (const link of document.querySelectorAll('.contents a')) link.click()");
    expect(await page.evaluate("globalThis.hasRun")).toBeUndefined();
    const addresses = await page.evaluate(`[...document.querySelectorAll("a[href]")].map(({ protocol }) => protocol)`);
    expect(new Set(addresses as string[])).toEqual(new Set(["file:", "http:", "https:"]));
    expect(await page.locator("img:not([src^='data:image/'])").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  describe("of a long session", () => {
    const inView = (page: Page, hash: string) => {
      const box = `document.querySelector("${hash}")?.getBoundingClientRect()`;
      return expect
        .poll(
          () => page.evaluate(`(({ top, height } = {}) => height > 0 && top >= 0 && top < innerHeight)(${box})`),
          PATIENCE,
        )
        .toBe(true);
    };

    it("makes entries of text where somebody looks", async () => {
      await using opened = await open("long");
      const { page, problems } = opened;
      const packed = () => page.locator(".packed").count();
      const before = await packed();
      expect(before).toBeGreaterThan(10);
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
      await page.locator("#e-u1199").waitFor({ state: "visible" });
      expect(await packed()).toBeLessThan(before);
      expect(await packed()).toBeGreaterThan(0);
      expect(problems).toEqual([]);
    });

    it.each(["#e-u600", "#e-u1199"])("goes where a link leads: %s", async (hash) => {
      await using opened = await open("long", { hash });
      await inView(opened.page, hash);
      expect(opened.problems).toEqual([]);
    });

    it("goes to prompts from the contents and by keys, though they were text", async () => {
      await using opened = await open("long");
      const { page, problems } = opened;
      await page.locator('.prompts a[href="#e-u900"]').click();
      await inView(page, "#e-u900");
      await page.keyboard.press("j");
      await inView(page, "#e-u901");
      await page.keyboard.press("k");
      await inView(page, "#e-u900");
      expect(problems).toEqual([]);
    });

    it("finds what is still text, also by the browser's own key", async () => {
      await using opened = await open("long");
      const { page, problems } = opened;
      await page.keyboard.press("Control+f");
      await page.locator(".find input").fill("needle < 1100 & more");
      await expect.poll(() => page.locator(".find output").textContent(), PATIENCE).toBe("1 of 1");
      await inView(page, "#e-u1100");
      expect(problems).toEqual([]);
    });

    it("opens all of a kind, also what is still text", async () => {
      await using opened = await open("long", { hash: "#e-u10" });
      const { page } = opened;
      await page.keyboard.press("o");
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
      await page.locator("#e-u1199").waitFor({ state: "visible" });
      expect(await page.locator("#e-a1198 details.call").getAttribute("open")).not.toBeNull();
    });

    it("is whole when it is printed", async () => {
      await using opened = await open("long");
      await opened.page.evaluate("dispatchEvent(new Event('beforeprint'))");
      expect(await opened.page.locator(".packed").count()).toBe(0);
      expect(await opened.page.locator(".entry-user").count()).toBe(1200);
    });
  });
});
