import { StickyNote } from "lucide-react";
import { t } from "../i18n/text.ts";
import { useEntryContext } from "./entry-context.ts";

/** The user's note on an entry, which a click changes; nothing without one. */
export function EntryNote({ entryId }: { entryId: string }) {
  const { notes, editNote } = useEntryContext();
  const text = notes.get(entryId);
  if (text === undefined) return null;
  return <NoteText text={text} onEdit={() => editNote(entryId)} />;
}

/** The text of a note as it was typed. */
export function NoteText({ text, onEdit }: { text: string; onEdit(): void }) {
  return (
    <button type="button" className="user-note" title={t("transcript.note_edit")} onClick={onEdit}>
      <StickyNote aria-hidden size={14} strokeWidth={1.75} />
      <span className="sr-only">{t("transcript.own_note")}</span>
      <span>{text}</span>
    </button>
  );
}
