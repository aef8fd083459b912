import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { type DisclosureKind, useIsOpen } from "./disclosures.ts";
import { useEntryContext } from "./entry-context.ts";

interface DisclosureProps {
  kind: DisclosureKind;
  id: string;
  className: string;
  /** What it is made of may depend on whether it is open. */
  summary: ReactNode | ((isOpen: boolean) => ReactNode);
  /** Shown below the line while it is folded. */
  preview?: ReactNode;
  /** Made only while it is open: what is folded away costs nothing. */
  children: () => ReactNode;
}

/** A line that opens. */
export function Disclosure({ kind, id, className, summary, preview, children }: DisclosureProps) {
  const { disclosures } = useEntryContext();
  const isOpen = useIsOpen(disclosures, kind, id);
  return (
    <div className={className} data-open={isOpen || undefined} data-disclosure={kind}>
      <button
        type="button"
        className="summary"
        aria-expanded={isOpen}
        onClick={() => disclosures.set(kind, id, !isOpen)}
      >
        <ChevronRight aria-hidden className="chevron" />
        {typeof summary === "function" ? summary(isOpen) : summary}
      </button>
      {isOpen ? <div className="body">{children()}</div> : preview}
    </div>
  );
}
