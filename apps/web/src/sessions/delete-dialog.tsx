import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { t } from "../i18n/text.ts";

export interface DeleteDialogProps {
  open: boolean;
  onClose(): void;
  onDelete(): void;
}

/** Asks before a session goes that an agent is at work in. */
export function DeleteDialog({ open, onClose, onDelete }: DeleteDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t("list.delete_live")}
      size="sm"
      footer={
        <>
          <Button onClick={onClose}>{t("frame.cancel")}</Button>
          <Button
            variant="danger"
            onClick={() => {
              onDelete();
              onClose();
            }}
          >
            {t("list.delete_anyway")}
          </Button>
        </>
      }
    >
      <p className="text-muted text-sm">{t("list.delete_live_text")}</p>
    </Dialog>
  );
}
