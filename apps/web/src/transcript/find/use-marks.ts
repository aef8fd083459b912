import { rangesIn } from "@sm/core/text-ranges";
import { type RefObject, useEffect, useRef } from "react";

/** Matches that are marked at a time: all that is in sight. */
const MAX_MARKED = 1_000;

/** What of an entry is not of the session. */
const ignored =
  ".day, .day-in-sight, .run, .call-failure, .head, .copy, .code-language, .fork, .more, .sr-only, .placeholder";

export interface CurrentMatch {
  entryId: string;
  nth: number;
}

interface MarksOptions {
  container: RefObject<HTMLElement | null>;
  pattern: RegExp | null;
  current: CurrentMatch | null;
  /** Brings the current match into sight; called once for each, when it is rendered. */
  onRendered(match: Range): void;
}

/** Marks text in what is rendered of a transcript. Nothing is changed in the elements: the browser paints the marks. */
export function useMarks({ container, pattern, current, onRendered }: MarksOptions): void {
  const latest = useRef(onRendered);
  latest.current = onRendered;
  const { entryId = null, nth = 0 } = current ?? {};
  useEffect(() => {
    const root = container.current;
    if (root === null || pattern === null || !("highlights" in CSS)) return;
    let frame = 0;
    let isShown = entryId === null;
    const paint = () => {
      frame = 0;
      CSS.highlights.set("found", new Highlight(...liveRangesIn(root, pattern, MAX_MARKED)));
      const element = entryId === null ? null : root.querySelector(`[data-entry="${CSS.escape(entryId)}"]`);
      const inEntry = element === null ? [] : liveRangesIn(element, pattern, nth + 1);
      const range = inEntry.at(-1);
      if (range === undefined) return void CSS.highlights.delete("found-here");
      const here = new Highlight(range);
      here.priority = 1;
      CSS.highlights.set("found-here", here);
      if (isShown) return;
      isShown = true;
      latest.current(range);
    };
    const schedule = () => {
      if (frame === 0) frame = requestAnimationFrame(paint);
    };
    const observer = new MutationObserver(schedule);
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    schedule();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete("found");
      CSS.highlights.delete("found-here");
    };
  }, [container, pattern, entryId, nth]);
}

/** Ranges that stay with their text while the entries around it change. */
function liveRangesIn(element: Element, pattern: RegExp, most: number): Range[] {
  return rangesIn(element, pattern, { ignored, most }).map(
    ({ startContainer, startOffset, endContainer, endOffset }) => {
      const range = new Range();
      range.setStart(startContainer, startOffset);
      range.setEnd(endContainer, endOffset);
      return range;
    },
  );
}
