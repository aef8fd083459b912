import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };

/** A page of the service in a browser of its own, gone at the end of its block. */
export interface WebPage extends AsyncDisposable {
  page: Page;
  /** What should not happen: errors, warnings, violations of the page's policy, requests to anywhere else. */
  problems: string[];
}

export function launchBrowser(program: string | null): Promise<Browser> {
  // Its own sandbox does not work for root.
  return chromium.launch({ executablePath: program ?? "", args: ["--no-sandbox"] });
}

/** Opens an address of the service as a new visitor. Nothing moves, so that nothing has to be waited for. */
export async function openWebPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<WebPage> {
  const context = await browser.newContext({ ...DESKTOP, reducedMotion: "reduce", locale: "en-US", ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  const { origin } = new URL(address);
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(origin)) problems.push(request.url());
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.setDefaultTimeout(15_000);
  await page.goto(address);
  return { page, problems, [Symbol.asyncDispose]: () => context.close() };
}

/** Tells what is wrong with the page for people who do not see it or do not use a mouse. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate("axe.run()")) as axe.AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
