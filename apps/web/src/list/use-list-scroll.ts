import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import type { Row } from "./rows.ts";

/** Heights in pixels: every row keeps its own, so that the list never jumps while it is scrolled. */
const HEIGHTS = { session: 56, group: 34 } as const;
const TOUCH_HEIGHTS = { session: 68, group: 38 } as const;

export interface ListScroll {
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  /** The heading that the first row in sight belongs to. */
  heading: string | null;
  indexOf(key: string): number;
}

/** Shows the rows that are in sight, and keeps these in place when others come or go above them. */
export function useListScroll(rows: readonly Row[], scroller: RefObject<HTMLDivElement | null>): ListScroll {
  const heights = useMemo(() => (matchMedia("(pointer: coarse)").matches ? TOUCH_HEIGHTS : HEIGHTS), []);
  const indexes = useMemo(() => new Map(rows.map(({ key }, index) => [key, index])), [rows]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heights[rows[index]?.kind ?? "session"],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
    paddingEnd: 8,
  });

  // Sizes belong to places, which other rows have taken.
  const laidOut = useRef(rows);
  const inSight = useRef<readonly { key: string; top: number }[]>([]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    if (laidOut.current !== rows) {
      laidOut.current = rows;
      virtualizer.measure();
      const starts = startsOf(rows, heights);
      const anchor = element.scrollTop > 0 ? inSight.current.find(({ key }) => indexes.has(key)) : undefined;
      if (anchor !== undefined) element.scrollTop = (starts[indexes.get(anchor.key) ?? 0] ?? 0) - anchor.top;
    }
  });
  useLayoutEffect(() => {
    const top = scroller.current?.scrollTop ?? 0;
    inSight.current = virtualizer
      .getVirtualItems()
      .filter((item) => item.end > top && rows[item.index]?.kind === "session")
      .map((item) => ({ key: String(item.key), top: item.start - top }));
  });

  const first = virtualizer.getVirtualItems().find((item) => item.end > (virtualizer.scrollOffset ?? 0));
  return {
    virtualizer,
    heading: headingAt(rows, first?.index ?? 0),
    indexOf: (key) => indexes.get(key) ?? -1,
  };
}

function startsOf(rows: readonly Row[], heights: Readonly<Record<Row["kind"], number>>): number[] {
  let start = 0;
  return rows.map(({ kind }) => {
    const own = start;
    start += heights[kind];
    return own;
  });
}

function headingAt(rows: readonly Row[], index: number): string | null {
  const row = rows.slice(0, index + 1).findLast(({ kind }) => kind === "group");
  return row?.kind === "group" ? row.title : null;
}
