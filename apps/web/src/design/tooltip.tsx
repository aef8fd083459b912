import {
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { Keys } from "./keys.tsx";

type Side = "top" | "right" | "bottom" | "left";

export interface TooltipProps {
  text: ReactNode;
  /** Keys that do the same. */
  keys?: string | undefined;
  side?: Side;
  /** One element. */
  children: ReactNode;
}

/** How long a pointer rests on something before that is explained. */
const DELAY_MS = 500;

/** For so long after one tooltip the next one appears immediately. */
const SKIP_MS = 200;

let lastShownAt = Number.NEGATIVE_INFINITY;

/** Explains its child when it is pointed at or has the focus. The child still needs a name of its own. */
export function Tooltip({ text, keys, side = "bottom", children }: TooltipProps) {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const timer = useRef(0);

  function show(element: Element | null, delay: number) {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setAnchor(element), delay);
  }

  function hide() {
    clearTimeout(timer.current);
    setAnchor(null);
  }

  function onPointerEnter({ currentTarget, pointerType }: PointerEvent) {
    if (pointerType === "touch") return;
    show(currentTarget.firstElementChild, performance.now() - lastShownAt < SKIP_MS ? 0 : DELAY_MS);
  }

  function onFocus({ currentTarget, target }: FocusEvent) {
    // Who has clicked knows it.
    if (target.matches(":focus-visible")) show(currentTarget.firstElementChild, 0);
  }

  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <>
      {/* It has no box of its own: the child is laid out as if it were alone. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens to what happens to its child */}
      <span
        className="contents"
        onPointerEnter={onPointerEnter}
        onPointerLeave={hide}
        onPointerDown={hide}
        onFocus={onFocus}
        onBlur={hide}
      >
        {children}
      </span>
      {anchor !== null && (
        <Tip anchor={anchor} side={side} onGone={hide}>
          {text}
          {keys !== undefined && <Keys keys={keys} />}
        </Tip>
      )}
    </>
  );
}

interface TipProps {
  anchor: Element;
  side: Side;
  onGone(): void;
  children: ReactNode;
}

function Tip({ anchor, side, onGone, children }: TipProps) {
  const id = useId();
  const tip = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (tip.current === null) return;
    // Where it is now is the corner of what it is positioned in, which is not the window everywhere.
    const own = tip.current.getBoundingClientRect();
    const { left, top } = place(anchor.getBoundingClientRect(), own, side);
    tip.current.style.translate = `${left - own.left}px ${top - own.top}px`;
    anchor.setAttribute("aria-describedby", id);
    return () => anchor.removeAttribute("aria-describedby");
  }, [anchor, side, id]);

  const gone = useRef(onGone);
  gone.current = onGone;
  useEffect(() => {
    const hide = () => gone.current();
    const onKeyDown = ({ key }: KeyboardEvent) => key === "Escape" && hide();
    document.addEventListener("keydown", onKeyDown, true);
    document.addEventListener("scroll", hide, true);
    return () => {
      lastShownAt = performance.now();
      document.removeEventListener("keydown", onKeyDown, true);
      document.removeEventListener("scroll", hide, true);
    };
  }, []);

  return createPortal(
    <div
      ref={tip}
      id={id}
      role="tooltip"
      className="pointer-events-none fixed top-0 left-0 z-50 flex max-w-80 animate-[fade_100ms] items-center gap-2 rounded-md bg-raised px-2 py-1 text-ink text-xs shadow-pop"
    >
      {children}
    </div>,
    landmarkOf(anchor),
  );
}

/** Pixels between a tooltip and what it explains, and from the edges of the window. */
const GAP = 6;
const EDGE = 8;

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Where a tooltip is: on the wanted side, on the other one where there is no room, and always within the window. */
export function place(anchor: Box, tip: Box, side: Side): { left: number; top: number } {
  const isBeside = side === "left" || side === "right";
  const [start, size, own, room] = isBeside
    ? [anchor.left, anchor.width, tip.width, innerWidth]
    : [anchor.top, anchor.height, tip.height, innerHeight];
  const [before, after] = [start - GAP - own, start + size + GAP];
  const wantsBefore = side === "left" || side === "top";
  const isBefore = wantsBefore ? before >= EDGE : after + own > room - EDGE && before >= EDGE;
  const along = isBefore ? before : after;
  const across = isBeside
    ? within(anchor.top + (anchor.height - tip.height) / 2, innerHeight - tip.height)
    : within(anchor.left + (anchor.width - tip.width) / 2, innerWidth - tip.width);
  return isBeside ? { left: along, top: across } : { left: across, top: along };
}

function within(at: number, most: number): number {
  return Math.round(Math.max(EDGE, Math.min(at, most - EDGE)));
}

/**
 * The part of the page that an element belongs to, where its tooltip is read together with it; the page itself in a
 * dialog, which would cut it off.
 */
function landmarkOf(element: Element): Element {
  if (element.closest("[role=dialog]") !== null) return document.body;
  // Sections of these may cut off what is larger than they are.
  const landmark = element.closest("main, [role=main], nav, aside") ?? element.closest("section[aria-label]");
  return landmark ?? document.body;
}
