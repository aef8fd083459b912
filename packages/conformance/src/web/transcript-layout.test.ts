import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { answered, forkedSession, longSession, readingSession, said, UNBREAKABLE } from "./transcript-sessions.ts";
import { openWebPage, PHONE, type WebPage } from "./web-browser.ts";

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const SMALL = { viewport: { width: 1024, height: 768 } };

describe.skipIf(browserProgram === null)("where things stand in a transcript in Chromium", () => {
  let service: RealService;
  let browser: Browser;
  let forked: string;
  let reading: string;
  let long: string;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage() });
    forked = await service.home.add("forked", forkedSession());
    reading = await service.home.add("reading", readingSession());
    long = await service.home.add("long", longSession(2_000));
    await service.settled();
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  /** Opens a session and waits until an entry is there. */
  async function open(
    path: string,
    search: Record<string, string> = {},
    options: BrowserContextOptions & { script?: string } = DESKTOP,
  ): Promise<WebPage> {
    const opened = await openWebPage(browser, `${service.url}/session?${new URLSearchParams({ path, ...search })}`, {
      ...DESKTOP,
      ...options,
    });
    await opened.page.locator(".entry").first().waitFor(PATIENT);
    return opened;
  }

  const entry = (page: Page, id: string) => page.locator(`[data-entry="${id}"]`).first();
  const widthOf = async (element: Locator) => (await element.boundingBox())?.width ?? 0;

  it("says above the first entry of each day which it is, also where that is a note", async () => {
    await using opened = await open(reading, { entry: "note" });
    const { page, problems } = opened;
    await entry(page, "note").waitFor(PATIENT);
    const days = await page.locator(".transcript-row").evaluateAll((rows) =>
      rows.flatMap((row) => {
        const day = row.querySelector(".day")?.textContent;
        return day === undefined ? [] : [`${row.querySelector(".entry")?.getAttribute("data-entry")}: ${day}`];
      }),
    );
    expect(days).toEqual(["ask: March 1, 2024", "note: March 3, 2024"]);
    await page.locator(".transcript-scroller").hover();
    const dayWhileScrolling = async () => {
      await page.mouse.wheel(0, 20);
      return page
        .locator(".day-in-sight[data-shown] > time")
        .first()
        .textContent({ timeout: 100 })
        .catch(() => null);
    };
    await expect.poll(dayWhileScrolling, PATIENT).toMatch(/^March [13], 2024$/);
    expect(problems).toEqual([]);
  });

  it("begins each row where the one above it ends, once the tree has told more than was guessed", async () => {
    await using opened = await open(reading, { panel: "tree" });
    const { page, problems } = opened;
    await page.locator(".outline-list .tree-item").first().waitFor(PATIENT);
    await expect.poll(() => page.locator(".transcript-row").evaluateAll(overlappingRows), PATIENT).toEqual([]);
    expect(problems).toEqual([]);
  });

  it.each([
    ["with a mouse", DESKTOP],
    ["in a wide window", { viewport: { width: 2200, height: 900 } }],
    ["on a phone", PHONE],
  ])("lays nothing on what an entry says, wherever one points: %s", async (_, size) => {
    await using opened = await open(reading, { entry: "ask" }, size);
    const { page, problems } = opened;
    await page.keyboard.press("o");
    const isTouched = "hasTouch" in size;
    for (const id of ["ask", "look", "wrote", "ran", "told"]) {
      const one = entry(page, id);
      await one.scrollIntoViewIfNeeded();
      if (isTouched) await one.tap({ position: { x: 60, y: 3 } });
      else await one.hover({ position: { x: 60, y: 3 } });
      expect(await one.evaluate(coveredTexts), id).toEqual([]);
    }
    expect(problems).toEqual([]);
  });

  it("paints a long session that is opened by its address", async () => {
    await using opened = await open(long);
    const { page, problems } = opened;
    await entry(page, "d1999").waitFor(PATIENT);
    await page
      .locator(".placeholder")
      .first()
      .waitFor({ state: "detached", ...PATIENT });
    const scroller = page.locator(".transcript-scroller");
    const painted = await inkOf(scroller);
    await scroller.evaluate(repaint);
    const repainted = await inkOf(scroller);
    expect(repainted).toBeGreaterThan(0.01);
    expect(painted / repainted).toBeGreaterThan(0.95);
    expect(problems).toEqual([]);
  });

  it.each(["tree", "changes"])("leaves room for the transcript beside its %s in a small window", async (panel) => {
    await using opened = await open(forked, { panel }, SMALL);
    const { page, problems } = opened;
    const list = page.getByRole("region", { name: "Sessions" });
    const scroller = page.locator(".transcript-scroller");
    await page.locator(".side-panel").waitFor(PATIENT);
    expect(await list.isVisible()).toBe(false);
    expect(await widthOf(scroller)).toBeGreaterThan(480);
    await page.getByRole("main").getByRole("button", { name: "Show the list" }).click();
    await list.waitFor(PATIENT);
    expect(new URL(page.url()).searchParams.get("panel")).toBeNull();
    expect(problems).toEqual([]);
  });

  it.each([
    ["large", DESKTOP],
    ["small", SMALL],
  ])("leaves room for both columns of a comparison in a %s window", async (_, size) => {
    await using opened = await open(forked, { panel: "tree" }, size);
    const { page, problems } = opened;
    await page.locator(".tree-item", { hasText: "An older way" }).locator(".tree-compare").click();
    const columns = page.locator(".compare-column");
    await columns.last().locator(".entry").first().waitFor(PATIENT);
    expect(await widthOf(columns.first())).toBeGreaterThan(400);
    expect(await widthOf(columns.last())).toBeGreaterThan(400);
    const tooWide = await page.locator(".compare-column .head:not([data-passing])").evaluateAll(
      (heads) =>
        heads.filter((head) => {
          const end = head.getBoundingClientRect().right + 1;
          return [...head.querySelectorAll("h3, .model, .meta *")].some(
            (one) => one.getBoundingClientRect().right > end,
          );
        }).length,
    );
    expect(tooWide).toBe(0);
    expect(problems).toEqual([]);
  });

  it("exports a session with an unbreakable title on a phone", async () => {
    await using opened = await open(reading, {}, PHONE);
    const { page, problems } = opened;
    await page.keyboard.press("Control+Shift+e");
    const dialog = page.getByRole("dialog");
    await dialog.getByText(UNBREAKABLE).first().waitFor(PATIENT);
    for (const format of await dialog.getByRole("radio").all()) {
      const { x = 0, width = 0 } = (await format.boundingBox()) ?? {};
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(390);
    }
    expect(problems).toEqual([]);
  });

  it("keeps the buttons that copy within their blocks on a phone, beside the code", async () => {
    await using opened = await open(reading, { entry: "ran" }, PHONE);
    const { page, problems } = opened;
    await entry(page, "ran").getByRole("button", { name: /bash/ }).click();
    const blocks = page.locator(".code:has(> .copy)");
    await blocks.first().waitFor(PATIENT);
    for (const block of await blocks.all()) {
      const [outer, button, code] = await Promise.all([
        block.boundingBox(),
        block.locator("> .copy").boundingBox(),
        block.locator("> pre").boundingBox(),
      ]);
      if (outer === null || button === null || code === null) throw new Error("It is not shown.");
      expect(button.height).toBeGreaterThanOrEqual(44);
      expect(button.y + button.height).toBeLessThanOrEqual(outer.y + outer.height + 0.5);
      expect(button.x).toBeGreaterThanOrEqual(code.x + code.width - 0.5);
    }
    expect(problems).toEqual([]);
  });

  it("folds calls that only look into one line, which opens by itself for what one looks for in them", async () => {
    await using opened = await open(reading, { entry: "look" });
    const { page, problems } = opened;
    const line = page.getByRole("button", { name: /^Read 3 files · Searched 1 time/ });
    await line.waitFor(PATIENT);
    expect(await line.textContent()).toContain("6.5 s");
    const isFolded = () => entry(page, "read2").count();
    expect(await line.getAttribute("aria-expanded")).toBe("true");
    await line.click();
    await expect.poll(isFolded, PATIENT).toBe(0);

    await page.keyboard.press("Control+f");
    await page.keyboard.type("content 2");
    await page.keyboard.press("Enter");
    await entry(page, "of-read2").waitFor(PATIENT);
    const marked = `[...(CSS.highlights.get("found-here") ?? [])].map(String).join()`;
    await expect.poll(() => page.evaluate(marked), PATIENT).toBe("content 2");
    await page.keyboard.press("Escape");
    await page.locator(".find-bar").waitFor({ state: "detached", ...PATIENT });
    await line.click();
    await expect.poll(isFolded, PATIENT).toBe(0);

    // What has failed says why.
    expect(await entry(page, "ran").textContent()).toMatch(/failed41 serror: it does not fit/);
    expect(problems).toEqual([]);
  });

  it("has the same distance between calls of one message and of two", async () => {
    await using opened = await open(forked, { entry: "look" });
    const { page } = opened;
    await using other = await open(reading, { entry: "wrote" });
    const gaps = (page: Page) =>
      page.locator(".call").evaluateAll((calls) =>
        calls.slice(1).map((call, at) => {
          const above = calls[at]?.getBoundingClientRect().bottom ?? 0;
          return Math.round(call.getBoundingClientRect().top - above);
        }),
      );
    // Rows find their places as the rest of the session becomes known.
    await expect.poll(async () => (await gaps(page)).slice(0, 3), PATIENT).toEqual([4, 4, 4]);
    await expect.poll(async () => (await gaps(other.page)).slice(0, 2), PATIENT).toEqual([4, 4]);
  });

  it("shows each line of a difference in one line, with the colours of its code", async () => {
    const edit = { path: "a.ts", oldText: "export const one = 1;\n", newText: 'export const one = "two";\n' };
    const path = await service.home.add("colored", [
      { type: "session", version: 3, id: "colored", timestamp: "2026-03-01T10:00:00.000Z", cwd: "/home/user/project" },
      said("asked", null, "Change it"),
      answered("edits", "asked", "", { type: "toolCall", id: "e", name: "edit", arguments: edit }),
    ]);
    await service.settled();
    await using opened = await open(path);
    const { page, problems } = opened;
    await page.locator(".call > .summary").click();
    await page.locator(".diff .hljs-keyword").first().waitFor(PATIENT);
    const heights = await page
      .locator(".diff code > *")
      .evaluateAll((lines) => lines.map((line) => Math.round(line.getBoundingClientRect().height)));
    expect(heights.length).toBeGreaterThan(1);
    for (const height of heights) expect(height).toBeLessThan(30);
    expect(problems).toEqual([]);
  });

  it("shows an image larger, and saves it", async () => {
    await using opened = await open(forked);
    const { page, problems } = opened;
    await page.locator(".picture").click();
    const image = page.locator(".lightbox img");
    // Of 8 pixels.
    await expect.poll(() => widthOf(image), PATIENT).toBe(32);
    await page.keyboard.press("+");
    await expect.poll(() => widthOf(image), PATIENT).toBe(48);
    await page.keyboard.press("0");
    await expect.poll(() => widthOf(image), PATIENT).toBe(32);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save image" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("image-1.png");
    await page.keyboard.press("Escape");
    await image.waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  });

  it("prints the exported page, and leads there where the browser prints the page itself", async () => {
    await using opened = await open(forked);
    const { page, problems } = opened;
    await page.emulateMedia({ media: "print" });
    const hint = page.getByText(/^To print this session, press Ctrl\+P/);
    await hint.waitFor(PATIENT);
    for (const other of ["main", "nav", ".entry"]) expect(await page.locator(other).first().isVisible()).toBe(false);
    await page.emulateMedia({ media: "screen" });
    expect(await hint.isVisible()).toBe(false);
    // What is printed is gone as soon as it is.
    await page.evaluate(noteWhatIsPrinted);
    await page.keyboard.press("Control+p");
    await expect.poll(() => page.evaluate("globalThis.printed"), PATIENT).toContain("The end of it");
    expect(problems).toEqual([]);
  });
});

/** Rows that do not begin where the one above them ends. */
function overlappingRows(rows: Element[]): string[] {
  return rows.flatMap((row, at) => {
    const above = rows[at - 1]?.getBoundingClientRect().bottom ?? null;
    const away = above === null ? 0 : row.getBoundingClientRect().top - above;
    return Math.abs(away) < 1 ? [] : [`${row.getAttribute("data-index")}: ${away}`];
  });
}

/** The share of the pixels in an element that have another colour than its corner. */
async function inkOf(element: Locator): Promise<number> {
  const picture = (await element.screenshot()).toString("base64");
  return element.page().evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("There is no canvas.");
    context.drawImage(image, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
    return pixels.filter((pixel) => pixel !== pixels[0]).length / pixels.length;
  }, picture);
}

/** Runs in the page: notes the text of a page that is loaded to be printed. */
function noteWhatIsPrinted(): void {
  const note = ({ target }: Event) => {
    if (target instanceof HTMLIFrameElement && target.matches(".printed")) {
      Object.assign(globalThis, { printed: target.contentDocument?.body.textContent });
    }
  };
  document.addEventListener("load", note, { capture: true });
}

/** Runs in the page: has all of an element painted anew. */
async function repaint(element: HTMLElement): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  for (const opacity of ["0.99", ""]) {
    element.style.opacity = opacity;
    await frame();
  }
}

/** Runs in the page: the texts of an entry that something shown of its head lies on. */
function coveredTexts(article: Element): string[] {
  const over = [...article.querySelectorAll(".head[data-passing] > *, .head-actions > *, .head > .meta > *")].filter(
    (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
  );
  const boxes = over.map((element) => element.getBoundingClientRect());
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  const covered: string[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement?.closest(".head-actions, .head[data-passing], .meta, .sr-only") !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, right, top, bottom } of range.getClientRects()) {
      const isCovered = boxes.some(
        (box) => box.left < right && box.right > left && box.top < bottom && box.bottom > top,
      );
      if (isCovered) covered.push(node.textContent ?? "");
    }
  }
  return covered;
}
