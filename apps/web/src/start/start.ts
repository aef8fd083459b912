import { readStored } from "../browser/stored.ts";
import { connectEarly, type EarlyConnection } from "../client/early-connection.ts";
import { firstQuestions } from "../client/first-questions.ts";
import { tokenIn } from "../client/token.ts";
import { readLocale, wantedLocale } from "../i18n/choose-locale.ts";
import { type FirstParts, preloadParts } from "./first-parts.ts";
import { showFirstTheme } from "./first-theme.ts";

// Runs before everything else: what has to be there before the first paint, and what the program would wait for.

declare global {
  var earlyConnection: EarlyConnection | undefined;
}

/** Set by the build; empty while one works on the page. */
declare const FIRST_PARTS: FirstParts;

showFirstTheme();
try {
  const isKnown = history.state !== null;
  const url = new URL("/ws", location.href.replace(/^http/, "ws"));
  globalThis.earlyConnection = connectEarly(url.href, tokenIn(window), firstQuestions(location, isKnown));
} catch {
  // The program tries it again, and tells what is wrong.
}
preloadParts(FIRST_PARTS, location.pathname, language());

function language(): string {
  try {
    return wantedLocale(readLocale(readStored("locale")));
  } catch {
    return wantedLocale("system");
  }
}
