import { useEffect, useRef, useState } from "react";
import { t } from "../../i18n/text.ts";

const MAX_NAME_LENGTH = 200;

interface SessionTitleProps {
  title: string;
  /** Empty where it has none. */
  name: string;
  onRename(name: string): void;
  /** Whether the user may not rename it. */
  isFixed: boolean;
  isEditing: boolean;
  onEdit(isEditing: boolean): void;
}

/** The name of a session; it is changed where it stands. */
export function SessionTitle({ title, name, onRename, isFixed, isEditing, onEdit }: SessionTitleProps) {
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    // The field has gone with the focus.
    if (wasEditing.current && document.activeElement === document.body) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  if (isFixed) return <h1 className="min-w-0 truncate text-lg">{title}</h1>;
  if (isEditing) {
    return <NameField title={title} name={name} onRename={onRename} onDone={() => onEdit(false)} />;
  }
  return (
    <h1 className="flex min-w-0 text-lg">
      <button
        ref={button}
        type="button"
        className="min-w-0 cursor-text truncate rounded-sm text-left hover:bg-hover touch:min-h-11"
        title={t("transcript.rename")}
        onClick={() => onEdit(true)}
      >
        {title}
      </button>
    </h1>
  );
}

type NameFieldProps = Pick<SessionTitleProps, "title" | "name" | "onRename"> & { onDone(): void };

function NameField({ title, name, onRename, onDone }: NameFieldProps) {
  const [typed, setTyped] = useState(name);
  /** Leaving the field saves; taking it away makes one leave it once more. */
  const isDone = useRef(false);
  const leave = (isSaved: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    if (isSaved) onRename(typed);
    onDone();
  };
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: it stands where one has just clicked
      autoFocus
      // It is there to be typed over.
      onFocus={({ target }) => target.select()}
      value={typed}
      maxLength={MAX_NAME_LENGTH}
      aria-label={t("transcript.name")}
      placeholder={title}
      className="-mx-1.5 h-8 w-full rounded-md bg-field px-1.5 text-lg ring-1 ring-line ring-inset touch:h-11"
      onChange={({ target }) => setTyped(target.value)}
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
