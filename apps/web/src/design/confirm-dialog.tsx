import type { ReactNode } from "react";
import { t } from "../i18n/text.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { errorText } from "./error-state.tsx";

export interface ConfirmDialogProps {
  open: boolean;
  onClose(): void;
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** What the button says that does it. */
  action: string;
  isDangerous?: boolean;
  isPending: boolean;
  error: Error | null;
  onConfirm(): void;
}

/** Asks before something is done, and tells where that fails. */
export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  action,
  isDangerous = false,
  ...state
}: ConfirmDialogProps) {
  const { isPending, error, onConfirm } = state;
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>{t("frame.cancel")}</Button>
          <Button variant={isDangerous ? "danger" : "primary"} disabled={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <div className="text-muted text-sm">{children}</div>
      {error !== null && (
        <p role="alert" className="pt-3 text-danger text-sm">
          {errorText(error)}
        </p>
      )}
    </Dialog>
  );
}
