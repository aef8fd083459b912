import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { usePreference } from "../browser/preference.ts";
import { classNames } from "./class-names.ts";
import type { PaneWidth } from "./pane-width.ts";

export interface PaneSplitterProps {
  /** Its name: the width of what it is. */
  label: string;
  /** Of the pane. A double click goes back to the usual one. */
  width: PaneWidth;
}

const STEP = 16;

/** The right edge of a pane, which is `relative`: dragged, or moved with the arrow keys. */
export function PaneSplitter({ label, width }: PaneSplitterProps) {
  const { min, max } = width;
  const size = usePreference(width);
  const drag = useRef<{ x: number; size: number } | null>(null);
  const resize = (wanted: number) => width.set(Math.round(Math.min(max, Math.max(min, wanted))));

  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, size };
  }

  function onPointerMove(event: PointerEvent<HTMLDivElement>) {
    if (drag.current !== null) resize(drag.current.size + event.clientX - drag.current.x);
  }

  function onKeyDown(event: KeyboardEvent) {
    const next = { ArrowLeft: size - STEP, ArrowRight: size + STEP, Home: min, End: max }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    resize(next);
  }

  return (
    <div
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        drag.current = null;
      }}
      onLostPointerCapture={() => {
        drag.current = null;
      }}
      onDoubleClick={() => width.set(width.usual)}
      onKeyDown={onKeyDown}
      className={classNames(
        "absolute inset-y-0 -right-1 z-20 w-2 cursor-col-resize touch-none select-none phone:hidden",
        "before:absolute before:inset-y-0 before:left-1/2 before:w-px before:bg-transparent before:transition-colors",
        "hover:before:bg-line-strong focus-visible:outline-none focus-visible:before:w-0.5 focus-visible:before:bg-accent active:before:bg-accent",
      )}
    />
  );
}
