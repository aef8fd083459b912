import type { ReactNode } from "react";

interface ScrollBoxProps {
  as?: "pre" | "div";
  label: string;
  className?: string;
  children: ReactNode;
}

/** A box that may scroll; it does so with the keyboard only where it can be focused. */
export function ScrollBox({ as: Element = "pre", label, className, children }: ScrollBoxProps) {
  return (
    <Element role="group" aria-label={label} className={className} tabIndex={0}>
      {children}
    </Element>
  );
}
