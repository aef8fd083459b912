import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { t } from "../i18n/text.ts";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";

export interface DialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  description?: ReactNode;
  /** Its greatest width; `md` (480 px) if absent. On a phone it takes 95 % of the width. */
  size?: "sm" | "md" | "lg" | "xl";
  /** Buttons at the end, the primary one last. */
  footer?: ReactNode;
  /** Keeps the dialog open until it is answered. */
  isModalOnly?: boolean;
  children?: ReactNode;
}

const WIDTHS = { sm: "max-w-96", md: "max-w-120", lg: "max-w-180", xl: "max-w-240" } as const;

const SCRIM = "fixed inset-0 z-40 animate-[fade_120ms] bg-scrim";

/**
 * Nothing in it is chosen yet, unless a field with `autoFocus` is: the button that closes it would show its tooltip, and
 * Escape would close that.
 */
function focusItself(event: Event): void {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
}

/**
 * Gives the focus back to what had it when a dialog opened, unless something else has it by then. Radix gives it back to
 * a trigger alone, and these dialogs have none.
 */
function useFocusBack(open: boolean): (event: Event) => void {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (open) before.current = document.activeElement;
  }, [open]);
  return (event) => {
    event.preventDefault();
    if (document.activeElement === document.body && before.current instanceof HTMLElement) {
      before.current.focus({ preventScroll: true });
    }
  };
}

/** A dialog over the page. */
export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, description, size = "md", footer, isModalOnly = false, children } = props;
  const focusBack = useFocusBack(open);
  const keep = isModalOnly ? (event: Event) => event.preventDefault() : undefined;
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={SCRIM} />
        <Radix.Content
          {...(keep === undefined ? {} : { onEscapeKeyDown: keep, onInteractOutside: keep })}
          onOpenAutoFocus={focusItself}
          onCloseAutoFocus={focusBack}
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          className={classNames(
            "-translate-x-1/2 fixed top-[12vh] left-1/2 z-40 flex max-h-[76vh] w-[95vw] outline-none animate-[appear_140ms_var(--ease-out)] flex-col rounded-lg bg-raised shadow-pop phone:top-[4vh] phone:max-h-[92vh]",
            WIDTHS[size],
          )}
        >
          <header className="flex items-start gap-4 px-5 pt-4 pb-2">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-lg">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-1 text-muted text-sm">{description}</Radix.Description>
              )}
            </div>
            {!isModalOnly && (
              <Radix.Close asChild>
                <IconButton icon={X} label={t("frame.close")} size="sm" className="-mr-1 touch:-mt-2.5 touch:-mr-3" />
              </Radix.Close>
            )}
          </header>
          {/* Long content scrolls, with the keyboard too. */}
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5">{children}</div>
          {footer !== undefined && (
            <footer className="flex flex-wrap items-center justify-end gap-2 px-5 pb-5">{footer}</footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

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
          onOpenAutoFocus={focusItself}
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
