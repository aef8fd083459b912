import { type FormEvent, useId, useState } from "react";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { errorText } from "../design/error-state.tsx";
import { t } from "../i18n/text.ts";
import { FolderField } from "../projects/folder-field.tsx";
import { useRecentProjects } from "../projects/recent-projects.ts";

interface OpenDialogProps {
  /** The folder that it proposes. */
  cwd: string | undefined;
  /** Rejects where no terminal can be opened there. */
  onOpen(cwd: string): Promise<void>;
  onClose(): void;
}

/** Asks where a terminal is to be opened. */
export function OpenDialog({ cwd, onOpen, onClose }: OpenDialogProps) {
  const [newest = ""] = useRecentProjects();
  const [chosen, setChosen] = useState<string | null>(cwd ?? null);
  const folder = chosen ?? newest;
  const [error, setError] = useState<string | null>(null);
  const [isOpening, setOpening] = useState(false);
  const formId = useId();

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    setError(null);
    setOpening(true);
    onOpen(folder.trim()).catch((reason) => {
      setError(errorText(reason));
      setOpening(false);
    });
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t("terminals.new")}
      description={t("terminals.new_text")}
      footer={
        <>
          <Button onClick={onClose}>{t("frame.cancel")}</Button>
          <Button type="submit" form={formId} variant="primary" disabled={isOpening || folder.trim() === ""}>
            {t("terminals.open")}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={onSubmit}>
        <FolderField value={folder} onChange={setChosen} error={error} />
      </form>
    </Dialog>
  );
}
