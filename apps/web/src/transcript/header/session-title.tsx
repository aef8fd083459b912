import type { SessionRecord } from "@sm/router/client";
import { useEffect, useRef, useState } from "react";
import { t } from "../../i18n/text.ts";
import { sessionTitle } from "../../projects/session-title.ts";
import { useSessionActions } from "../../sessions/session-actions.ts";

const MAX_NAME_LENGTH = 200;

interface SessionTitleProps {
  record: SessionRecord;
  isEditing: boolean;
  onEdit(isEditing: boolean): void;
}

/** The name of a session; it is changed where it stands. */
export function SessionTitle({ record, isEditing, onEdit }: SessionTitleProps) {
  const title = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    // The field has gone with the focus.
    if (wasEditing.current && document.activeElement === document.body) title.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  if (isEditing) return <NameField key={record.path} record={record} onDone={() => onEdit(false)} />;
  return (
    <h1 className="flex min-w-0 text-lg">
      <button
        ref={title}
        type="button"
        className="min-w-0 cursor-text truncate rounded-sm text-left hover:bg-hover touch:min-h-11"
        title={t("transcript.rename")}
        onClick={() => onEdit(true)}
      >
        {sessionTitle(record)}
      </button>
    </h1>
  );
}

function NameField({ record, onDone }: { record: SessionRecord; onDone(): void }) {
  const [name, setName] = useState(record.name ?? "");
  const { rename } = useSessionActions();
  /** Leaving the field saves; taking it away makes one leave it once more. */
  const isDone = useRef(false);
  const leave = (isSaved: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    if (isSaved) rename(record.path, name);
    onDone();
  };
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: it stands where one has just clicked
      autoFocus
      value={name}
      maxLength={MAX_NAME_LENGTH}
      aria-label={t("transcript.name")}
      placeholder={sessionTitle(record)}
      className="-mx-1.5 h-8 w-full rounded-md bg-field px-1.5 text-lg ring-1 ring-line ring-inset touch:h-11"
      onChange={({ target }) => setName(target.value)}
      onBlur={() => leave(true)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== "Escape") return;
        // The title has the focus then, and would take the rest of the key for a press.
        event.preventDefault();
        event.stopPropagation();
        leave(event.key === "Enter");
      }}
    />
  );
}
