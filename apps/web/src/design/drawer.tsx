import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { SCRIM } from "./dialog.tsx";
import { takeFocus, useFocusBack } from "./focus.ts";

export interface DrawerProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  /** Read to those who do not see it. */
  title: string;
  children: ReactNode;
}

/** A pane that slides in from the left, for narrow windows. */
export function Drawer({ open, onOpenChange, title, children }: DrawerProps) {
  const focusBack = useFocusBack(open);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={SCRIM} />
        <Radix.Content
          onOpenAutoFocus={takeFocus}
          onCloseAutoFocus={focusBack}
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-40 flex w-76 max-w-[85vw] animate-[slide-in_160ms_var(--ease-out)] flex-col bg-canvas shadow-pop outline-none"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
