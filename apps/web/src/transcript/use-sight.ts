import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** The row that the window begins in, and the pixels of it that are above. */
export interface Sight {
  index: number;
  hidden: number;
}

interface SightOptions {
  virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  scroller: RefObject<HTMLElement | null>;
  /** Another one where the heights of all rows are guessed again. */
  getItemKey(index: number): string;
  count: number;
  isFollowing: boolean;
  onScrolled(sight: Sight): void;
}

/** Keeps in sight what is in sight where the rows above are guessed to be of another height, and tells what it is. */
export function useSight(options: SightOptions): { current(): Sight | null } {
  const { virtualizer, scroller, getItemKey, count, isFollowing, onScrolled } = options;
  const sight = useRef<Sight | null>(null);
  const current = () => {
    const top = scroller.current?.scrollTop ?? 0;
    const item = virtualizer.getVirtualItemForOffset(top);
    return item === undefined ? null : { index: item.index, hidden: top - item.start };
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: with these, heights are guessed again
  useLayoutEffect(() => {
    const box = scroller.current;
    const start = sight.current === null ? undefined : virtualizer.measurementsCache[sight.current.index]?.start;
    if (box === null || sight.current === null || start === undefined || isFollowing) return;
    const top = start + sight.current.hidden;
    if (top === box.scrollTop) return;
    box.scrollTop = top;
    // Before the browser tells: rows that are measured now move it from there.
    virtualizer.scrollOffset = box.scrollTop;
  }, [getItemKey, count]);
  useLayoutEffect(() => {
    sight.current = current();
  });

  const latest = useRef(onScrolled);
  latest.current = onScrolled;
  const latestCurrent = useRef(current);
  latestCurrent.current = current;
  useEffect(() => {
    const box = scroller.current;
    const onScroll = () => {
      sight.current = latestCurrent.current();
      if (sight.current !== null) latest.current(sight.current);
    };
    box?.addEventListener("scroll", onScroll, { passive: true });
    return () => box?.removeEventListener("scroll", onScroll);
  }, [scroller]);
  return { current };
}
