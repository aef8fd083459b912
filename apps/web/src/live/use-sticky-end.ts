import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Distance from the end, in pixels, within which the view follows it. */
const NEAR_END = 24;

export interface StickyEnd {
  /** Whether the end stays in sight while the content grows. */
  isAtEnd: boolean;
  toEnd(): void;
}

/** Keeps the end of a scrolling box visible until the user scrolls up, and again after scrolling back. */
export function useStickyEnd(box: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>): StickyEnd {
  const [isAtEnd, setAtEnd] = useState(true);
  const sticks = useRef(true);

  useLayoutEffect(() => {
    if (sticks.current) scrollToEnd(box.current);
  });

  useEffect(() => {
    const scroller = box.current;
    if (scroller === null) return;
    let last = scroller.scrollTop;
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = scroller;
      const isNear = scrollHeight - scrollTop - clientHeight <= NEAR_END;
      // Content that has grown puts the end further away; only who scrolls up wants to leave it.
      if (isNear || scrollTop < last) sticks.current = isNear;
      last = scrollTop;
      setAtEnd(sticks.current);
    };
    const follow = () => {
      if (sticks.current) scrollToEnd(scroller);
    };
    // Pictures, code that gets its colours, the keyboard of a phone.
    const sizes = new ResizeObserver(follow);
    sizes.observe(scroller);
    if (content.current !== null) sizes.observe(content.current);
    scroller.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      sizes.disconnect();
      scroller.removeEventListener("scroll", onScroll);
    };
  }, [box, content]);

  return {
    isAtEnd,
    toEnd() {
      sticks.current = true;
      setAtEnd(true);
      scrollToEnd(box.current);
    },
  };
}

function scrollToEnd(box: HTMLElement | null): void {
  if (box !== null) box.scrollTop = box.scrollHeight;
}
