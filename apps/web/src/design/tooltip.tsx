import { Tooltip as Radix } from "radix-ui";
import { type ReactNode, useRef, useState } from "react";
import { Keys } from "./keys.tsx";

/** Groups tooltips: the second one appears immediately. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={500} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  );
}

export interface TooltipProps {
  text: ReactNode;
  /** Keys that do the same. */
  keys?: string | undefined;
  side?: "top" | "right" | "bottom" | "left";
  /** One element. */
  children: ReactNode;
}

/** Explains its child when it is pointed at or has the focus. The child still needs a name of its own. */
export function Tooltip({ text, keys, side = "bottom", children }: TooltipProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [container, setContainer] = useState<HTMLElement | null>(null);
  return (
    <Radix.Root onOpenChange={(isOpen) => isOpen && setContainer(landmarkOf(trigger.current))}>
      <Radix.Trigger asChild ref={trigger}>
        {children}
      </Radix.Trigger>
      <Radix.Portal container={container}>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-80 animate-[fade_100ms] items-center gap-2 rounded-md bg-raised px-2 py-1 text-xs text-ink shadow-pop"
        >
          {text}
          {keys !== undefined && <Keys keys={keys} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * The part of the page that an element belongs to, where its tooltip is read together with it; `null` in a dialog, which
 * would cut it off.
 */
function landmarkOf(element: HTMLElement | null): HTMLElement | null {
  if (element === null || element.closest("[role=dialog]") !== null) return null;
  // Sections of these may cut off what is larger than they are.
  return element.closest<HTMLElement>("main, [role=main], nav, aside") ?? element.closest("section[aria-label]");
}
