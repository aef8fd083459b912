import axe from "axe-core";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { PATIENT } from "../patient.ts";

const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };

/** Each theme and each kind of device once: colours do not depend on the width, nor places on the theme. */
export const APPEARANCES = [
  ["light", "a desktop", {}],
  ["dark", "a phone", PHONE],
] as const;

/** A new visitor of the service, gone at the end of its block. */
interface Visitor extends AsyncDisposable {
  context: BrowserContext;
  page: Page;
}

interface VisitorOptions extends BrowserContextOptions {
  /** Runs in every page before its own scripts. */
  script?: string;
  /** Whether the page has its service worker, which answers requests that most tests want to see or change. */
  hasWorker?: boolean;
  /** Leaves no window for the next visitor, who could not undo what the test does to it, such as to its clock. */
  isLast?: boolean;
}

/** A page that a new visitor has opened. */
export interface WebPage extends AsyncDisposable {
  page: Page;
  /** What should not happen: errors, warnings, violations of the page's policy, requests to anywhere else. */
  problems: string[];
}

/** What a page can keep in a browser, but for what the browser makes of its files. */
const STORED = "local_storage,cookies,indexeddb,file_systems,service_workers,cache_storage";

/** A browser without service workers. */
const NO_WORKER = "delete Navigator.prototype.serviceWorker";

/** Windows of visitors who are gone, by browser and by what they are like. */
const leftWindows = new WeakMap<Browser, Map<string, Page[]>>();

/**
 * Makes a visitor who has never been at an address. Nothing moves, so that nothing has to be waited for.
 *
 * The window is that of a former visitor where there is one like it. Nothing is left of them but the process with the
 * page's scripts, which takes two thirds of the time of opening the page to make (measured).
 */
export async function newVisitor(browser: Browser, address: string, options: VisitorOptions = {}): Promise<Visitor> {
  const { script, hasWorker = false, isLast = false, ...chosen } = options;
  const wanted: BrowserContextOptions = { ...DESKTOP, reducedMotion: "reduce", locale: "en-US", ...chosen };
  const kind = JSON.stringify([wanted, script, hasWorker]);
  // Only Chromium can be told to forget what a page has stored.
  const isEmptied = browser.browserType().name() === "chromium";
  const ofBrowser = leftWindows.get(browser) ?? new Map<string, Page[]>();
  leftWindows.set(browser, ofBrowser);
  const left = ofBrowser.get(kind) ?? [];
  ofBrowser.set(kind, left);
  const page = left.pop() ?? (await openWindow(browser, wanted, [script, hasWorker ? undefined : NO_WORKER]));
  if (isEmptied) {
    const devTools = await page.context().newCDPSession(page);
    await devTools.send("Storage.clearDataForOrigin", { origin: new URL(address).origin, storageTypes: STORED });
    await devTools.detach();
  }
  let isGone = false;
  return {
    context: page.context(),
    page,
    async [Symbol.asyncDispose]() {
      if (isGone) return;
      isGone = true;
      if (isEmptied && !isLast && (await isLeftEmpty(page, wanted))) left.push(page);
      else await page.context().close();
    },
  };
}

async function openWindow(
  browser: Browser,
  options: BrowserContextOptions,
  scripts: readonly (string | undefined)[],
): Promise<Page> {
  const context = await browser.newContext(options);
  for (const script of scripts) if (script !== undefined) await context.addInitScript(script);
  context.setDefaultTimeout(PATIENT.timeout);
  return context.newPage();
}

/** What tests listen to. */
const TOLD = ["console", "dialog", "download", "pageerror", "popup", "request", "response", "websocket"];

/** Leaves a window as it was opened; tells whether that was possible. */
async function isLeftEmpty(page: Page, { viewport }: BrowserContextOptions): Promise<boolean> {
  const context = page.context();
  context.removeAllListeners("page");
  for (const event of TOLD) page.removeAllListeners(event);
  // It may ask whether what is not saved is to be given up.
  page.on("dialog", (dialog) => void dialog.accept().catch(() => undefined));
  try {
    await Promise.all(context.pages().map((other) => (other === page ? null : other.close())));
    await Promise.all([
      page.unrouteAll({ behavior: "ignoreErrors" }),
      context.unrouteAll({ behavior: "ignoreErrors" }),
    ]);
    if (page.url().startsWith("http")) await page.evaluate("sessionStorage.clear()");
    await page.goto("about:blank");
    await page.setViewportSize(viewport ?? DESKTOP.viewport);
    await page.mouse.move(0, 0);
  } catch {
    return false;
  }
  page.removeAllListeners("dialog");
  return true;
}

/** Opens an address of the service as a new visitor. */
export async function openWebPage(browser: Browser, address: string, options: VisitorOptions = {}): Promise<WebPage> {
  const visitor = await newVisitor(browser, address, options);
  const { page } = visitor;
  const problems: string[] = [];
  const { origin } = new URL(address);
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(origin)) problems.push(request.url());
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  await page.goto(address);
  return { page, problems, [Symbol.asyncDispose]: () => visitor[Symbol.asyncDispose]() };
}

/** Tells what is wrong with the page, or with the part of a selector, for people who do not see it or use no mouse. */
export async function accessibilityProblems(page: Page, selector?: string): Promise<string[]> {
  // A megabyte.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  const context = selector === undefined ? "document" : JSON.stringify(selector);
  // What is in frames, such as the preview of an exported page, is looked at where it is a page of its own.
  const run = `axe.run(${context}, { resultTypes: ["violations"], iframes: false })`;
  const { violations } = await page.evaluate<axe.AxeResults>(run);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
