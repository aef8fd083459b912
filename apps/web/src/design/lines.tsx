import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** Lines of a list: a tone of their own instead of borders. */
export function Lines({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="flex flex-col gap-px overflow-hidden rounded-lg bg-line">
      {children}
    </ul>
  );
}

export function Line({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <li className={classNames("flex min-h-12 items-center gap-3 bg-sunken px-4 py-2 touch:min-h-14", className)}>
      {children}
    </li>
  );
}
