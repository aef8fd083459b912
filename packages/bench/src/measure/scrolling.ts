import type { ChromiumPage } from "./chromium.ts";
import { type MainThread, watchMainThread } from "./main-thread.ts";

/** What was seen while something was scrolled. Milliseconds. */
export interface Scrolling extends MainThread {
  /** Turns of the wheel from one end to the other. */
  steps: number;
  longestFrame: number;
  /** The longest time in which some of the box had nothing to show. */
  longestBlank: number;
}

/** Of the box's height, how far one turn of the wheel goes: whatever was in sight is gone. */
const STEP = 1.5;

/**
 * Scrolls a box with the wheel to its beginning or end, one turn after the other as fast as the page takes them.
 *
 * @param box and `row` are selectors: of what scrolls, and of what has text in it wherever there is something to see.
 */
export async function scrollThrough(
  page: ChromiumPage,
  box: string,
  row: string,
  towards: "start" | "end",
): Promise<Scrolling> {
  await page.evaluate(`(() => {
    const box = document.querySelector(${JSON.stringify(box)});
    const { left, top, width, height } = box.getBoundingClientRect();
    const seen = { longestFrame: 0, longestBlank: 0, blank: 0, frame: performance.now(), wasBlank: false, stop: false };
    // A frame that was painted before the page knew of the scrolling may have been blank: it is looked at then, too.
    const look = () => {
      seen.wasBlank ||= [0.1, 0.3, 0.5, 0.7, 0.9].some((part) => {
        const element = document.elementFromPoint(left + width / 2, top + height * part);
        return !element?.closest(${JSON.stringify(row)})?.textContent;
      });
    };
    document.addEventListener("scroll", look, { capture: true, passive: true });
    const onFrame = (now) => {
      const lasted = now - seen.frame;
      seen.frame = now;
      seen.longestFrame = Math.max(seen.longestFrame, lasted);
      look();
      seen.blank = seen.wasBlank ? seen.blank + lasted : 0;
      seen.longestBlank = Math.max(seen.longestBlank, seen.blank);
      seen.wasBlank = false;
      if (!seen.stop) requestAnimationFrame(onFrame);
      else document.removeEventListener("scroll", look, { capture: true });
    };
    requestAnimationFrame(onFrame);
    globalThis.scrollingSeen = seen;
  })()`);
  const { x, y, height } = await page.evaluate<{ x: number; y: number; height: number }>(`(() => {
    const { left, top, width, height } = document.querySelector(${JSON.stringify(box)}).getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2, height };
  })()`);
  const deltaY = Math.round(height * STEP) * (towards === "start" ? -1 : 1);
  let steps = 0;
  const thread = await watchMainThread(page, async () => {
    let isThere = false;
    while (!isThere) {
      await page.send("Input.dispatchMouseEvent", { type: "mouseWheel", x, y, deltaX: 0, deltaY });
      steps++;
      isThere = await page.evaluate<boolean>(`(() => {
        const { scrollTop, scrollHeight, clientHeight } = document.querySelector(${JSON.stringify(box)});
        return ${towards === "start" ? "scrollTop <= 0" : "scrollTop >= scrollHeight - clientHeight - 1"};
      })()`);
    }
  });
  const { longestFrame, longestBlank } = await page.evaluate<{ longestFrame: number; longestBlank: number }>(
    "((globalThis.scrollingSeen.stop = true), globalThis.scrollingSeen)",
  );
  return { ...thread, steps, longestFrame, longestBlank };
}
