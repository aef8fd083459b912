import { closeSync, openSync, readSync, statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Chromium, ChromiumPage } from "../measure/chromium.ts";
import type { MainThread } from "../measure/main-thread.ts";
import { type Scrolling, scrollThrough } from "../measure/scrolling.ts";
import { type BenchRow, judge } from "../report.ts";

export const ROW = "[role=grid] [role=row][aria-selected]";
export const TRANSCRIPT = ".transcript-scroller";

/** Has a page of its own, at an address if one is given, for `use`. */
export async function withPage<Result>(
  chromium: Chromium,
  use: (page: ChromiumPage) => Promise<Result>,
  url?: string,
): Promise<Result> {
  const page = await chromium.newPage();
  try {
    if (url !== undefined) await page.send("Page.navigate", { url });
    return await use(page);
  } finally {
    await page.close();
  }
}

/** Whether the first row of the list is what a click on it would hit. */
export const LIST_IS_USABLE = `(() => {
  const row = document.querySelector("${ROW}");
  if (row === null) return false;
  const { left, top, width, height } = row.getBoundingClientRect();
  return row.contains(document.elementFromPoint(left + width / 2, top + height / 2));
})()`;

/** Notes when, since the beginning of the navigation, the list could first be used. */
export const NOTE_USABLE_LIST = `(() => {
  const look = () => {
    if (${LIST_IS_USABLE}) globalThis.listUsableAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

/** Milliseconds from one key to the next: somebody who types fast. */
const KEY_MS = 100;

/** Types into what has the focus. */
export async function type(page: ChromiumPage, text: string): Promise<void> {
  for (const letter of text) {
    await page.send("Input.insertText", { text: letter });
    await pause(KEY_MS);
  }
}

/** By the clock, and in processor time, which says how much of it the load of the machine was. */
export function taskRows(what: string, thread: MainThread, atMost?: number): BenchRow[] {
  const limit = atMost === undefined ? {} : { atMost };
  return [
    judge({ what: `${what}, longest task`, measured: thread.longestTask, unit: "ms", ...limit }),
    judge({ what: `${what}, longest task in processor time`, measured: thread.longestTaskProcessor, unit: "ms" }),
  ];
}

/** How much of the end of a file is looked at for its newest entries. */
const TAIL_BYTES = 200_000;

/** Ids of a session's newest entries: which of them is shown depends on what they are. */
function newestEntries(path: string): string[] {
  const file = openSync(path, "r");
  const buffer = Buffer.alloc(TAIL_BYTES);
  const { size } = statSync(path);
  const bytes = readSync(file, buffer, 0, TAIL_BYTES, Math.max(0, size - TAIL_BYTES));
  closeSync(file);
  const lines = buffer.subarray(0, bytes).toString().trimEnd().split("\n").slice(1);
  return lines.slice(-5).map((line) => (JSON.parse(line) as { id: string }).id);
}

/** Whether one of the newest entries is in sight. */
export function showsNewest(path: string): string {
  return `(() => {
    const box = document.querySelector("${TRANSCRIPT}")?.getBoundingClientRect();
    return box !== undefined && ${JSON.stringify(newestEntries(path))}.some((id) => {
      const entry = document.querySelector(\`.entry[data-entry="\${id}"]\`)?.getBoundingClientRect();
      return entry !== undefined && entry.height > 0 && entry.top < box.bottom && entry.bottom > box.top;
    });
  })()`;
}

/** Goes to a session as a link in the page does; becomes the milliseconds until one of its newest entries is in sight. */
export function openSession(path: string): string {
  return `new Promise((resolve) => {
    const start = performance.now();
    history.pushState(history.state, "", "/session?" + new URLSearchParams({ path: ${JSON.stringify(path)} }));
    dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
    const look = () => {
      if (${showsNewest(path)}) resolve(performance.now() - start);
      else requestAnimationFrame(look);
    };
    look();
  })`;
}

/** Scrolls a whole list down. */
export function scrollList(chromium: Chromium, url: string): Promise<Scrolling> {
  const act = async (page: ChromiumPage) => {
    await page.until(`${LIST_IS_USABLE} && document.querySelector("progress") === null`);
    return scrollThrough(page, "[role=grid]", "[role=row]", "end");
  };
  return withPage(chromium, act, url);
}

/** Scrolls a whole session up, from its newest entry. */
export function scrollSession(chromium: Chromium, address: string, path: string): Promise<Scrolling> {
  const act = async (page: ChromiumPage) => {
    await page.until(showsNewest(path));
    return scrollThrough(page, TRANSCRIPT, ".transcript-row", "start");
  };
  return withPage(chromium, act, address);
}

/** Another session loads the parts of the page first, as on any day but the first. */
export async function openAnySession(page: ChromiumPage): Promise<void> {
  await page.until(LIST_IS_USABLE);
  await page.evaluate(`document.querySelector("${ROW} a").click()`);
  await page.until(`document.querySelector(".entry") !== null`);
}
