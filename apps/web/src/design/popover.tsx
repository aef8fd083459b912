import { Popover as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
import { takeFocus, useFocusBack } from "./focus.ts";

export interface PopoverProps {
  /** One element that opens it. */
  trigger: ReactNode;
  /** Read to those who do not see it. */
  label: string;
  open?: boolean;
  onOpenChange?(open: boolean): void;
  align?: "start" | "center" | "end";
  children: ReactNode;
}

/** A small pane beside the button that opens it. */
export function Popover({ trigger, label, open, onOpenChange, align = "start", children }: PopoverProps) {
  const [isOpenItself, setOpen] = useState(false);
  const isOpen = open ?? isOpenItself;
  const focusBack = useFocusBack(isOpen);
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange ?? setOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          onOpenAutoFocus={takeFocus}
          onCloseAutoFocus={focusBack}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-40 max-h-(--radix-popover-content-available-height) w-80 max-w-[95vw] animate-[fade_100ms] overflow-y-auto rounded-lg bg-raised p-3 shadow-pop"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
