import { type Browser, chromium } from "playwright-core";
import { test as vitest } from "vitest";
import { findSystemProgram } from "./system-program.ts";

/** Chromium, in the build without windows where it is installed: it takes 40% less processor time. `null` without either. */
export const browserProgram = findSystemProgram("chromium-headless-shell", "chromium");

/** The suite's tests with one browser for all files of a worker. Whoever leaves it closes their windows. */
export const test = vitest.extend<{ browser: Browser }>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest wants a pattern there
    async ({}, use) => {
      const browser = await launchBrowser();
      await use(browser);
      await browser.close();
    },
    { scope: "worker" },
  ],
});

/**
 * Starts a browser of one's own, for what cannot share one. A window that opens the service once more keeps the process
 * with the compiled scripts, which would be a new one after an empty page: opening takes half the processor time (measured).
 */
export function launchBrowser(...args: string[]): Promise<Browser> {
  // Its own sandbox does not work for root.
  return chromium.launch({
    executablePath: browserProgram ?? "",
    args: ["--no-sandbox", "--process-per-site", ...args],
  });
}
