import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { densityPreference } from "../appearance/density.ts";
import { keepPlace, placeAt, useHistoryKey } from "../browser/history-places.ts";
import { usePreference } from "../browser/preference.ts";
import type { Row } from "./rows.ts";

/** Heights in pixels: every row keeps its own, so that the list never jumps while it is scrolled. */
const HEIGHTS = { comfortable: { session: 56, group: 34 }, compact: { session: 38, group: 28 } } as const;
const TOUCH_HEIGHTS = { comfortable: { session: 68, group: 38 }, compact: { session: 56, group: 34 } } as const;

export interface ListScroll {
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  /** The heading that the first row in sight belongs to, which stays above the rows. */
  heading: StickyHeading | null;
  indexOf(key: string): number;
  /** Rows of a page. */
  pageSize(): number;
  /** Whether the list is where it was left, and is not to be scrolled elsewhere. */
  isRestored: boolean;
}

export interface StickyHeading {
  row: Extract<Row, { kind: "group" }>;
  height: number;
  /** Pixels by which the next heading has pushed it out. */
  pushed: number;
}

/** Shows the rows that are in sight, and keeps these in place when others come or go above them. */
export function useListScroll(rows: readonly Row[], scroller: RefObject<HTMLDivElement | null>): ListScroll {
  const density = usePreference(densityPreference);
  const isTouch = useMemo(() => matchMedia("(pointer: coarse)").matches, []);
  const heights = (isTouch ? TOUCH_HEIGHTS : HEIGHTS)[density];
  const indexes = useMemo(() => new Map(rows.map(({ key }, index) => [key, index])), [rows]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heights[rows[index]?.kind ?? "session"],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
    paddingEnd: 8,
    // A row that the keyboard goes to is not half below its heading.
    scrollPaddingStart: rows[0]?.kind === "group" ? heights.group : 0,
  });

  // Sizes belong to places, which other rows have taken.
  const laidOut = useRef({ rows, heights });
  const inSight = useRef<readonly { key: string; top: number }[]>([]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    if (laidOut.current.rows !== rows || laidOut.current.heights !== heights) {
      laidOut.current = { rows, heights };
      virtualizer.measure();
      const starts = startsOf(rows, heights);
      const anchor = element.scrollTop > 0 ? inSight.current.find(({ key }) => indexes.has(key)) : undefined;
      if (anchor !== undefined) element.scrollTop = (starts[indexes.get(anchor.key) ?? 0] ?? 0) - anchor.top;
    }
  });
  useLayoutEffect(() => {
    // Not asked of the element: after each row that comes into sight, it would have to be laid out for the answer.
    const top = virtualizer.scrollOffset ?? 0;
    inSight.current = virtualizer
      .getVirtualItems()
      .filter((item) => item.end > top && rows[item.index]?.kind === "session")
      .map((item) => ({ key: String(item.key), top: item.start - top }));
  });

  const isRestored = useKeptOffset(scroller);
  return {
    virtualizer,
    heading: headingOf(rows, heights.group, virtualizer),
    indexOf: (key) => indexes.get(key) ?? -1,
    pageSize: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / heights.session) - 1),
    isRestored,
  };
}

/** Puts the list where it was when this entry of the history was left; tells whether it has. */
function useKeptOffset(scroller: RefObject<HTMLElement | null>): boolean {
  const key = useHistoryKey();
  const [kept] = useState(() => placeAt("list", key));
  const isRestored = typeof kept === "number" && kept > 0;
  useLayoutEffect(() => {
    if (isRestored && scroller.current !== null) scroller.current.scrollTop = kept;
  }, [scroller, kept, isRestored]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScroll = () => keepPlace("list", key, element.scrollTop);
    onScroll();
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, [scroller, key]);
  return isRestored;
}

function startsOf(rows: readonly Row[], heights: Readonly<Record<Row["kind"], number>>): number[] {
  let start = 0;
  return rows.map(({ kind }) => {
    const own = start;
    start += heights[kind];
    return own;
  });
}

/** Nothing while the list is at its top, where the heading stands in its own row. */
function headingOf(
  rows: readonly Row[],
  height: number,
  { scrollOffset, getVirtualItems }: ListScroll["virtualizer"],
): StickyHeading | null {
  const offset = scrollOffset ?? 0;
  if (offset <= 0) return null;
  const items = getVirtualItems();
  const first = items.find(({ end }) => end > offset);
  if (first === undefined) return null;
  const next = items.find(({ index }) => index > first.index && rows[index]?.kind === "group");
  const pushed = next === undefined ? 0 : Math.max(0, offset + height - next.start);
  for (let at = first.index; at >= 0; at--) {
    const row = rows[at];
    if (row?.kind === "group") return { row, height, pushed };
  }
  return null;
}
