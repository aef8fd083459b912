import { type LucideIcon, X } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { t } from "../i18n/text.ts";
import { classNames } from "./class-names.ts";

/** Phones zoom in on anything smaller than 16 px. */
const FIELD =
  "w-full min-w-0 rounded-md bg-field px-2.5 text-sm text-ink ring-1 ring-line ring-inset transition-shadow hover:ring-line-strong focus:outline-2 focus:outline-accent focus:outline-offset-0 aria-invalid:ring-danger disabled:opacity-60 touch:text-lg [&::-webkit-search-cancel-button]:hidden";

export interface InputProps extends ComponentProps<"input"> {
  icon?: LucideIcon;
  /** Shows a button that empties it, while it has something. */
  onClear?: () => void;
}

/** A field of one line. It needs a name: a `Field` around it, or `aria-label`. */
export function Input({ icon: Icon, onClear, className, ...props }: InputProps) {
  const canClear = onClear !== undefined && props.value !== "" && props.value !== undefined;
  return (
    <div className={classNames("relative min-w-0", className)}>
      {Icon !== undefined && (
        <Icon
          aria-hidden
          size={16}
          strokeWidth={1.75}
          className="absolute top-1/2 left-2.5 -translate-y-1/2 text-faint"
        />
      )}
      <input
        autoComplete="off"
        spellCheck={false}
        className={classNames(FIELD, "h-8 touch:h-11", Icon !== undefined && "pl-8.5", canClear && "pr-8")}
        {...props}
      />
      {canClear && (
        <button
          type="button"
          aria-label={t("frame.clear")}
          onClick={onClear}
          className="absolute top-1/2 right-1 flex size-6 -translate-y-1/2 items-center justify-center rounded-sm text-faint hover:bg-hover hover:text-ink touch:size-10"
        >
          <X aria-hidden size={14} />
        </button>
      )}
    </div>
  );
}

/** A field of many lines. */
export function TextArea({ className, ...props }: ComponentProps<"textarea">) {
  return <textarea className={classNames(FIELD, "min-h-20 resize-y py-1.5", className)} {...props} />;
}

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** The error and how to fix it. */
  error?: string | null;
  /** Gets the attributes that tie it to the label, the hint and the error. */
  children(attributes: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": boolean | undefined;
  }): ReactNode;
}

/** A label over a field, and what there is to say about it below. */
export function Field({ label, hint, error = null, children }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  const noteId = note === undefined || note === null ? undefined : `${id}-note`;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-muted text-sm">
        {label}
      </label>
      {children({ id, "aria-describedby": noteId, "aria-invalid": error === null ? undefined : true })}
      {noteId !== undefined && (
        <p id={noteId} className={classNames("text-xs", error === null ? "text-faint" : "text-danger")}>
          {note}
        </p>
      )}
    </div>
  );
}
