import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { commandKey } from "../client/commands.ts";
import { useService } from "../client/service-context.tsx";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { TextArea } from "../design/input.tsx";
import { toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { offerUndo } from "../sessions/undo.ts";

/** Characters that the service takes. */
const MAX_LENGTH = 20_000;

interface NoteDialogProps {
  path: string;
  /** `null` for the session itself. */
  entryId: string | null;
  /** The note as it is; empty for none. */
  text: string;
  onClose(): void;
}

/** Writes a note on a session or an entry of it; an empty text removes it. */
export function NoteDialog({ path, entryId, text, onClose }: NoteDialogProps) {
  const service = useService();
  const queries = useQueryClient();
  const formId = useId();
  const [typed, setTyped] = useState(text);
  const [isBusy, setBusy] = useState(false);

  async function write(written: string): Promise<boolean> {
    try {
      await service.call("set_note", { path, text: written, ...(entryId !== null && { entry_id: entryId }) });
      await queries.invalidateQueries({ queryKey: commandKey("list_notes", { path }) });
      return true;
    } catch (error) {
      toastError(t("transcript.note_failed"), error);
      return false;
    }
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    const written = typed.trim();
    if (written === text) return onClose();
    setBusy(true);
    const isSaved = await write(written);
    setBusy(false);
    if (!isSaved) return;
    const told = t(written === "" ? "transcript.note_removed" : "transcript.note_saved");
    offerUndo({ text: told, undo: () => void write(text) });
    onClose();
  }

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t(entryId === null ? "transcript.note_on_session" : "transcript.note_on_entry")}
      footer={
        <>
          <Button onClick={onClose}>{t("frame.cancel")}</Button>
          <Button type="submit" form={formId} variant="primary" disabled={isBusy}>
            {t("transcript.note_save")}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void save(event)} className="flex flex-col gap-1">
        <TextArea
          aria-label={t("transcript.own_note")}
          rows={6}
          maxLength={MAX_LENGTH}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
        <p className="text-faint text-xs">{t("transcript.note_hint")}</p>
      </form>
    </Dialog>
  );
}
