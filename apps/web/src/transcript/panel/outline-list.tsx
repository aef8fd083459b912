import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";

const ROW_HEIGHT = 52;
const TOUCH_ROW_HEIGHT = 60;
const OVERSCAN = 8;

interface OutlineListProps {
  label: string;
  count: number;
  keyOf(index: number): string;
  /** The row where the reader is; -1 for none. It is brought into sight. */
  current: number;
  children(index: number): ReactNode;
}

/** A list of places in a session, of any length. The arrow keys go from one to the next. */
export function OutlineList({ label, count, keyOf, current, children }: OutlineListProps) {
  const scroller = useRef<HTMLUListElement>(null);
  const isTouch = matchMedia("(pointer: coarse)").matches;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isTouch ? TOUCH_ROW_HEIGHT : ROW_HEIGHT),
    getItemKey: keyOf,
    overscan: OVERSCAN,
    paddingEnd: 16,
  });
  useEffect(() => {
    if (current >= 0) virtualizer.scrollToIndex(current, { align: "auto" });
  }, [virtualizer, current]);

  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = event.target instanceof Element ? event.target.closest("[data-index]") : null;
    if (by === undefined || row === null) return;
    const next = Number(row.getAttribute("data-index")) + by;
    event.preventDefault();
    virtualizer.scrollToIndex(next, { align: "auto" });
    scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"] button`)?.focus({ preventScroll: true });
  };

  return (
    <ul ref={scroller} className="outline-list" aria-label={label} onKeyDown={onKeyDown}>
      <li aria-hidden style={{ height: virtualizer.getTotalSize() }} />
      {virtualizer.getVirtualItems().map(({ key, index, start }) => (
        <li
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          aria-setsize={count}
          aria-posinset={index + 1}
          className="outline-row"
          style={{ transform: `translateY(${start}px)` }}
        >
          {children(index)}
        </li>
      ))}
    </ul>
  );
}
