import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { t } from "../i18n/text.ts";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { takeFocus, useFocusBack } from "./focus.ts";

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

/** What lies between the page and what is over it. */
export const SCRIM = "fixed inset-0 z-40 animate-[fade_120ms] bg-scrim";

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
          onOpenAutoFocus={takeFocus}
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
