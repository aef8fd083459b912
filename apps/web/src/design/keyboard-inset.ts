import { useEffect, useState } from "react";

/** A smaller inset is a bar of the browser, not a keyboard. */
const LEAST = 80;

/** Pixels at the bottom of the page that the keyboard of a phone covers, where the browser does not make room itself. */
export function useKeyboardInset(): number {
  const [inset, setInset] = useState(0);
  useEffect(() => {
    const viewport = globalThis.visualViewport;
    if (viewport == null) return;
    const measure = () => {
      // Zooming also reduces the visible part of the page.
      const covered = viewport.scale > 1 ? 0 : innerHeight - viewport.height - viewport.offsetTop;
      setInset(covered < LEAST ? 0 : Math.round(covered));
    };
    viewport.addEventListener("resize", measure);
    viewport.addEventListener("scroll", measure);
    return () => {
      viewport.removeEventListener("resize", measure);
      viewport.removeEventListener("scroll", measure);
    };
  }, []);
  return inset;
}
