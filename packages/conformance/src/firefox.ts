import { type Browser, firefox } from "playwright-core";
import { findSystemProgram } from "./system-program.ts";

/** Firefox as its makers build it; `null` where there is none. */
export const firefoxProgram = findSystemProgram("firefox-esr", "firefox");

/** Starts Firefox, which is told what to do over WebDriver BiDi: all others are a build of Playwright's own. */
export function launchFirefox(): Promise<Browser> {
  return firefox.launch({
    channel: "moz-firefox",
    executablePath: firefoxProgram ?? "",
    // It cannot be told so for each window.
    firefoxUserPrefs: { "ui.prefersReducedMotion": 1 },
  });
}
