import { once } from "node:events";
import { appendFile, readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { hostilePayloads } from "../hostile-payloads.ts";
import { hostileHead, hostileSession } from "../hostile-sessions.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { linesOf } from "../sample-home.ts";
import { buildPage } from "./built-page.ts";
import { answered, forkedSession, longSession, said } from "./transcript-sessions.ts";
import { accessibilityProblems, newVisitor, PHONE, type WebPage } from "./web-browser.ts";

const MEBIBYTE = 1024 * 1024;

const DESKTOP = { viewport: { width: 1440, height: 900 } };

/** Tells when a payload runs, and when the page's policy has kept something from it: that must not have been needed. */
const WATCH = `
  globalThis.hasRun = () => console.error("A payload has run.");
  for (const name of ["alert", "confirm", "prompt"]) globalThis[name] = globalThis.hasRun;
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
    console.error("violated", effectiveDirective, blockedURI));
`;

describe.skipIf(browserProgram === null)("the transcript of a session in Chromium", () => {
  let service: RealService;
  let browser: Browser;
  let forked: string;
  let long: string;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage() });
    forked = await service.home.add("forked", forkedSession());
    long = await service.home.add("long", longSession(5_000));
    await service.settled();
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  /** Opens a session and waits until an entry is there. */
  async function open(
    path: string,
    search: Record<string, string> = {},
    options: BrowserContextOptions = DESKTOP,
  ): Promise<WebPage> {
    const visitor = await newVisitor(browser, service.url, { ...DESKTOP, ...options, script: WATCH });
    const { context, page } = visitor;
    const problems: string[] = [];
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(service.url) && !url.startsWith("data:image/")) problems.push(`request: ${url}`);
    });
    context.on("page", (opened) => problems.push(`window: ${opened.url()}`));
    page.on("console", (message) => problems.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(`${service.url}/session?${new URLSearchParams({ path, ...search })}`);
    await page.locator(".entry").first().waitFor();
    return { page, problems, [Symbol.asyncDispose]: () => visitor[Symbol.asyncDispose]() };
  }

  const entry = (page: Page, id: string) => page.locator(`[data-entry="${id}"]`);
  const isInSight = (page: Page, id: string) =>
    page.evaluate((id) => {
      const box = document.querySelector(`[data-entry="${id}"]`)?.getBoundingClientRect();
      return box !== undefined && box.bottom > 0 && box.top < innerHeight;
    }, id);
  const openParts = (page: Page, kind: string) =>
    page.locator(`[data-entry=look] [data-disclosure=${kind}][data-open]`).count();
  const searchOf = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

  it("opens at the newest entry, follows what is appended, and stays where somebody scrolls to", async () => {
    const path = await service.home.copy();
    await using opened = await open(path);
    const { page, problems } = opened;
    await expect.poll(() => isInSight(page, "b16"), PATIENT).toBe(true);
    await page.locator("#content h1", { hasText: "Names with umlauts" }).waitFor();
    const append = (...lines: object[]) => appendFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await append(said("n1", "b17", "One more thing"), answered("n2", "n1", `It is done.\n\n${"much\n\n".repeat(80)}`));
    await expect.poll(() => isInSight(page, "n2"), PATIENT).toBe(true);
    await append(said("n3", "n2", "And the last one"));
    await expect.poll(() => isInSight(page, "n3"), PATIENT).toBe(true);

    await page.locator(".transcript-scroller").hover();
    await page.mouse.wheel(0, -1_000);
    await page.locator(".newest").waitFor();
    await append(said("n4", "n3", "Not looked at"));
    await page.locator(".session-facts", { hasText: "13 messages" }).waitFor(PATIENT);
    expect(await isInSight(page, "n4")).toBe(false);
    await page.locator(".newest").click();
    await expect.poll(() => isInSight(page, "n4"), PATIENT).toBe(true);
    expect(problems).toEqual([]);
  });

  it("shows another branch in place where one chooses it at the fork", async () => {
    await using opened = await open(forked, { entry: "found" });
    const { page, problems } = opened;
    const bar = page.locator(".fork");
    await bar.waitFor(PATIENT);
    // The other branch ends just below the fork: there is less than a window of it.
    await bar.evaluate((element) => element.scrollIntoView({ block: "start" }));
    const before = (await bar.boundingBox())?.y;
    await bar.locator("button").first().click();
    await entry(page, "old2").waitFor(PATIENT);
    expect(await entry(page, "new1").count()).toBe(0);
    expect(searchOf(page, "leaf")).toBe("old2");
    expect((await bar.boundingBox())?.y).toBeCloseTo(before ?? Number.NaN, -1);

    await page.locator(".transcript-scroller").hover();
    await page.mouse.wheel(0, -2_000);
    const below = () =>
      page.locator(".transcript-scroller").evaluate((box) => {
        const last = document.querySelector('[data-entry="old2"]')?.getBoundingClientRect().bottom ?? 0;
        return box.scrollHeight - box.scrollTop - (last - box.getBoundingClientRect().top);
      });
    await expect.poll(below, PATIENT).toBeLessThan(100);

    await page.goBack();
    await entry(page, "new1").waitFor(PATIENT);
    expect(await entry(page, "old1").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it("opens an entry of any branch by its address", async () => {
    await using opened = await open(forked, { entry: "old2" });
    const { page, problems } = opened;
    await expect.poll(() => isInSight(page, "old2"), PATIENT).toBe(true);
    await page.locator('[data-entry="old2"][data-current]').waitFor();
    expect(problems).toEqual([]);
  });

  it("opens an entry in the middle of a long session by its address", async () => {
    await using opened = await open(long, { entry: "a2500" });
    const { page, problems } = opened;
    await expect.poll(() => isInSight(page, "a2500"), PATIENT).toBe(true);
    await expect.poll(() => isInSight(page, "b2500"), PATIENT).toBe(true);
    expect(problems).toEqual([]);
  });

  it.each([
    ["what a search has found", { entry: "found", mark: "parsed" }, "parsed"],
    ["what is to be found", { find: "older ANSWER", leaf: "old2" }, "older answer"],
  ])("marks %s, as its address says", async (_, search, text) => {
    await using opened = await open(forked, search);
    const { page, problems } = opened;
    const marked = (name: string) => page.evaluate(`String([...(CSS.highlights.get("${name}") ?? [])][0])`);
    await expect.poll(async () => String(await marked("found-here")).toLowerCase(), PATIENT).toBe(text);
    expect(String(await marked("found")).toLowerCase()).toBe(text);
    expect(problems).toEqual([]);
  });

  it("puts two branches side by side from where they part", async () => {
    await using opened = await open(forked, { panel: "tree" });
    const { page, problems } = opened;
    await page.locator(".tree-item", { hasText: "An older way" }).locator(".tree-compare").click();
    const [first, second] = [page.locator(".compare-column").first(), page.locator(".compare-column").last()];
    await first.locator('[data-entry="new1"]').waitFor(PATIENT);
    await second.locator('[data-entry="old2"]').waitFor(PATIENT);
    expect(await page.locator('[data-entry="ask"]').count()).toBe(0);
    await second.locator("header button").first().click();
    await entry(page, "old2").waitFor(PATIENT);
    expect(searchOf(page, "compare")).toBeNull();
    expect(problems).toEqual([]);
  });

  it("finds the way by prompts and by the tree", async () => {
    await using opened = await open(long, { panel: "prompts" });
    const { page, problems } = opened;
    await page.locator('.outline-item[aria-current="location"]', { hasText: /Prompt 499\d/ }).waitFor(PATIENT);
    const prompt = page.locator(".outline-item", { hasText: /^Prompt 2(?!\d)/ });
    // The list goes where the reader is, which may be another prompt until all that is in sight has its size.
    const gone = async () => {
      await page.locator(".outline-list").evaluate((list) => list.scrollTo(0, 0));
      await prompt.click({ timeout: 1_000 }).catch(() => undefined);
      return searchOf(page, "entry");
    };
    await expect.poll(gone, PATIENT).toBe("a2");
    await expect.poll(() => isInSight(page, "a2"), PATIENT).toBe(true);
    expect(problems).toEqual([]);
  });

  it("finds text far from what is loaded, and opens what hides it", async () => {
    await using opened = await open(long);
    const { page, problems } = opened;
    await page.keyboard.press("Control+f");
    await page.keyboard.type("NEEDLE");
    const count = () => page.locator(".find-count").textContent();
    await expect.poll(count, PATIENT).toBe("1 of 1");
    await expect.poll(() => isInSight(page, "c3"), PATIENT).toBe(true);
    const marked = `[...(CSS.highlights.get("found-here") ?? [])].map(String).join()`;
    await expect.poll(() => page.evaluate(marked), PATIENT).toBe("needle");

    await page.locator(".find-bar input").fill("End 12");
    // 12, and what begins with it: 120 to 129, 1200 to 1299.
    await expect.poll(count, PATIENT).toMatch(/^\d+ of 111$/);
    const place = Number((await count())?.split(" ")[0]);
    await page.keyboard.press("Enter");
    expect(await count()).toBe(`${(place % 111) + 1} of 111`);
    await page.keyboard.press("Shift+Enter");
    expect(await count()).toBe(`${place} of 111`);
    await page.locator(".find-bar input").fill("nowhere to be found");
    await expect.poll(count, PATIENT).toBe("No matches");
    await page.keyboard.press("Escape");
    expect(await page.locator(".find-bar").count()).toBe(0);
    expect(await page.evaluate('CSS.highlights.has("found")')).toBe(false);
    expect(problems).toEqual([]);
  });

  it("is used with the keyboard", async () => {
    await using opened = await open(forked);
    const { page, problems } = opened;
    await expect.poll(() => isInSight(page, "end"), PATIENT).toBe(true);
    // Where prompts and forks are is known from the tree.
    await page.locator(".fork").waitFor({ state: "attached" });
    const current = () => page.locator("[data-current]").getAttribute("data-entry");
    const press = async (key: string, expected: string) => {
      await page.keyboard.press(key);
      await expect.poll(current, PATIENT).toBe(expected);
    };
    await press("p", "end");
    await press("p", "shown");
    await press("p", "new1");
    await press("p", "ask");
    await press("j", "look");
    // Results are shown with their calls.
    await press("j", "found");
    await press("k", "look");
    await press("]", "new1");
    await press("{", "old1");
    await press("}", "new1");
    await press("n", "shown");
    await press("Home", "ask");
    expect([await openParts(page, "thinking"), await openParts(page, "tools")]).toEqual([0, 0]);
    await page.keyboard.press("t");
    await expect.poll(() => openParts(page, "thinking"), PATIENT).toBe(1);
    await page.keyboard.press("o");
    await expect.poll(() => openParts(page, "tools"), PATIENT).toBe(4);
    await page.keyboard.press("t");
    await page.keyboard.press("o");
    await expect.poll(() => openParts(page, "tools"), PATIENT).toBe(0);
    await page.keyboard.press("b");
    await page.locator(".tree-item").first().waitFor();
    await page.keyboard.press("c");
    await page.locator(".outline-meta").first().waitFor();
    expect(problems).toEqual([]);
  });

  it("shows tools as what they are", async () => {
    await using opened = await open(forked, { entry: "look" });
    const { page, problems } = opened;
    await page.keyboard.press("o");
    const call = (name: string) => page.locator(".call", { hasText: name }).first();
    await call("read").locator(".code .hljs-keyword").first().waitFor(PATIENT);
    expect(await call("npm test").locator(".ansi-red").textContent()).toBe("failed");
    expect(await call("npm test").locator(".call-status.failed").count()).toBe(1);
    expect(await call("edit").locator("ins").textContent()).toBe("+ c\n");
    expect(await call("edit").locator(".call-status").textContent()).toBe("+1 −1");
    expect(await call("mystery").textContent()).toContain('"deep"');
    await page.keyboard.press("End");
    await page.locator(".entry-bash .call-status.failed", { hasText: "exit code 1" }).waitFor(PATIENT);
    await page.locator(".aside", { hasText: "of_the_future" }).waitFor();
    await page.locator('[data-entry="new2"] .bookmark', { hasText: "good answer" }).waitFor();
    expect(problems).toEqual([]);
  });

  it("copies, enlarges pictures, names and marks", async () => {
    await using opened = await open(
      forked,
      { entry: "found" },
      { ...DESKTOP, permissions: ["clipboard-read", "clipboard-write"] },
    );
    const { page, problems } = opened;
    const clipboard = () => page.evaluate("navigator.clipboard.readText()");
    await entry(page, "found").locator(".code").hover();
    await entry(page, "found").locator(".copy").click();
    await expect.poll(clipboard, PATIENT).toBe("export const parsed = 42;");

    await page.locator(".picture").click();
    await page.locator(".lightbox img").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".lightbox").waitFor({ state: "detached" });

    await page.locator("#content h1 button").click();
    await page.keyboard.type("A parser, parsed");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await linesOf(forked)).at(-1), PATIENT).toMatchObject({ name: "A parser, parsed" });
    await page.locator("#content h1", { hasText: "A parser, parsed" }).waitFor();
    await page.locator("#content button[aria-label='Add to favorites']").click();
    await expect.poll(() => service.ask("list_favorites"), PATIENT).toEqual([forked]);
    expect(problems).toEqual([]);
  });

  it("has something to show at once while somebody scrolls through 20,000 entries, and few elements", async () => {
    await using opened = await open(long);
    const { page, problems } = opened;
    await expect.poll(() => isInSight(page, "d4999"), PATIENT).toBe(true);
    // The tree tells what stands where nothing is loaded yet.
    await page.keyboard.press("c");
    await page.locator(".outline-item").first().waitFor(PATIENT);
    const { slowest, most } = await page.evaluate(async () => {
      const scroller = document.querySelector(".transcript-scroller");
      if (scroller === null) throw new Error("There is no transcript.");
      const { left, top, width, height } = scroller.getBoundingClientRect();
      const isBlank = () =>
        [0.2, 0.5, 0.8].every(
          (part) =>
            document.elementFromPoint(left + width / 2, top + height * part)?.closest(".transcript-row") == null,
        );
      let slowest = 0;
      let most = 0;
      for (let step = 0; step < 120; step++) {
        // Slowly, as with a wheel, and in leaps, as with the bar.
        scroller.scrollTop -= step % 10 === 9 ? scroller.scrollHeight / 14 : height * 0.7;
        let frames = 0;
        do {
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
          frames++;
        } while (isBlank() && frames < 60);
        slowest = Math.max(slowest, frames);
        most = Math.max(most, document.querySelectorAll(".transcript-row").length);
      }
      return { slowest, most };
    });
    // 100 ms, of 60 in a second.
    expect(slowest).toBeLessThanOrEqual(6);
    expect(most).toBeLessThan(150);
    expect(problems).toEqual([]);
  }, 180_000);

  it.each([
    ["light", DESKTOP],
    ["dark", PHONE],
  ] as const)("is accessible: %s", async (colorScheme, size) => {
    await using opened = await open(forked, {}, { ...size, colorScheme });
    const { page, problems } = opened;
    const check = async (what: string) => expect(await accessibilityProblems(page, "#content"), what).toEqual([]);
    await expect.poll(() => isInSight(page, "end"), PATIENT).toBe(true);
    await check("at the end");
    await page.keyboard.press("Home");
    await page.keyboard.press("o");
    await page.keyboard.press("t");
    await entry(page, "r2").waitFor(PATIENT);
    await check("with all open");
    await page.keyboard.press("b");
    await page.locator(".tree-item").first().waitFor();
    await check("with the tree");
    expect(problems).toEqual([]);
  });

  it("fits on a phone", async () => {
    await using opened = await open(forked, {}, PHONE);
    const { page } = opened;
    await page.keyboard.press("o");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    const small = await page.locator("#content button:visible, #content a.when:visible").evaluateAll((all) =>
      all.flatMap((one) => {
        const { width, height } = one.getBoundingClientRect();
        const isText = one.matches(".link, .when, h1 button, .more");
        return isText || (width >= 44 && height >= 44) ? [] : [`${one.className} ${width} × ${height}`];
      }),
    );
    expect(small).toEqual([]);
  });

  it("says of entries that are too large how large they are, and saves all of them", async () => {
    const at = "2026-03-01T10:00:00.000Z";
    const text = "words ".repeat(1.5 * MEBIBYTE);
    const result = { role: "toolResult", toolCallId: "call", toolName: "read", content: text };
    const lists = { role: "user", content: Array.from({ length: 12 * 1024 }, () => ["x".repeat(1_019)]) };
    const lines = [
      { type: "session", version: 3, id: "too-large", timestamp: at, cwd: "/" },
      said("text", null, text),
      { type: "message", id: "result", parentId: "text", timestamp: at, message: result },
      { type: "message", id: "lists", parentId: "result", timestamp: at, message: lists },
      said("small", "lists", "small"),
    ];
    const path = await service.home.add("too-large", lines);
    await using opened = await open(path, { entry: "lists" });
    const { page, problems } = opened;
    for (const [place, id, size] of [
      [3, "lists", "12"],
      [2, "result", "9"],
      [1, "text", "9"],
    ] as const) {
      await entry(page, id).first().scrollIntoViewIfNeeded();
      if (id === "result") await entry(page, id).first().getByRole("button", { name: "read" }).click();
      const note = entry(page, id).getByText("is too large to show in full");
      expect(await note.textContent()).toContain(`This entry (${size} MB) `);
      const [file] = await Promise.all([page.waitForEvent("download"), note.getByRole("button").click()]);
      expect(await readFile(await file.path(), "utf8")).toBe(JSON.stringify(lines[place]));
    }
    expect(await entry(page, "lists").getByText("truncated").count()).toBe(0);
    expect(await entry(page, "small").getByText("too large").count()).toBe(0);
    expect(problems).toEqual([]);
  }, 60_000);

  it("runs nothing and loads nothing of what hostile sessions say", async () => {
    let connections = 0;
    const listener = createServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(listener, "listening");
    const payloads = hostilePayloads(`127.0.0.1:${(listener.address() as AddressInfo).port}`);
    const path = await service.home.add("hostile", hostileSession(payloads));
    // What stands in the header is one payload: some that break out of attributes and of text.
    const heads = await Promise.all(
      payloads
        .filter((_, at) => at % 40 === 0)
        .map((payload, at) => service.home.add(`hostile-head-${at}`, hostileHead(payload))),
    );
    await service.settled();
    await using opened = await open(path, { panel: "tree" });
    const { page, problems } = opened;
    for (const key of ["t", "o"]) await page.keyboard.press(key);
    await page.locator(".tree-item").first().waitFor(PATIENT);
    await page.getByRole("radio", { name: "All" }).click();
    const foreign = new Set<string>();
    const look = async () => {
      for (const what of await page.evaluate(foreignIn)) foreign.add(what);
    };
    for (let step = 0; step < 60; step++) {
      await page.locator(".transcript-scroller").evaluate((scroller, step) => {
        scroller.scrollTop = (scroller.scrollHeight * step) / 60;
        for (const element of scroller.querySelectorAll("*")) element.dispatchEvent(new MouseEvent("mouseover"));
        for (const button of scroller.querySelectorAll<HTMLElement>(".aside > .summary")) button.click();
      }, step);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
      await look();
    }
    await page.keyboard.press("Control+f");
    await page.keyboard.type("hasRun(1)");
    await expect.poll(() => page.locator(".find-count").textContent(), PATIENT).toMatch(/of [\d,]+/);
    for (const key of ["Enter", "Enter", "Escape"]) await page.keyboard.press(key);
    await look();
    for (const head of heads) {
      await page.goto(`${service.url}/session?${new URLSearchParams({ path: head })}`);
      await page.locator("#content h1").waitFor(PATIENT);
      await look();
    }
    expect([...foreign]).toEqual([]);
    expect(problems).toEqual([]);
    expect(connections).toBe(0);
    listener.close();
  }, 180_000);
});

/** Lists, in the page, elements, attributes and addresses that none of its components makes. */
function foreignIn(): string[] {
  const found: string[] = [];
  const TAGS =
    /^(?:a|article|aside|b|bdi|blockquote|br|button|code|dd|del|div|dl|dt|em|h[1-6]|header|hr|i|img|input|ins|label|li|main|nav|ol|output|p|pre|s|samp|search|section|span|strong|svg|path|circle|line|rect|polyline|polygon|ellipse|table|tbody|td|th|thead|time|tr|ul)$/;
  for (const element of document.querySelectorAll("#content *")) {
    const { localName } = element;
    if (!TAGS.test(localName)) found.push(`element ${localName}: ${element.outerHTML.slice(0, 200)}`);
    for (const { name, value } of element.attributes) {
      if (/^on|^srcdoc$|^action$|^formaction$|^ping$/i.test(name))
        found.push(`attribute ${name}: ${value.slice(0, 100)}`);
      if (name === "href" && !/^(?:https?:\/\/|mailto:|\/session\?)/i.test(value))
        found.push(`address: ${value.slice(0, 100)}`);
      if (name === "src" && !/^data:image\/(?:png|jpeg|gif|webp|avif);base64,[\w+/]+=*$/.test(value)) {
        found.push(`source: ${value.slice(0, 100)}`);
      }
    }
  }
  return found.slice(0, 20);
}
