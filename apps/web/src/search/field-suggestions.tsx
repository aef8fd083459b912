import { useId, useState } from "react";
import { formatCompact } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { fieldAt, nearestFirst, withFieldValue } from "./query-fields.ts";
import { type FieldValue, useFieldValues } from "./use-field-values.ts";

/** Values that are offered at a time. */
const MOST = 8;

export interface Suggestions {
  listId: string;
  values: readonly FieldValue[];
  /** Index of the one that Enter takes; -1 for none. */
  chosen: number;
  take(value: FieldValue): void;
}

/** Offers values for the field of a query in which the caret is. */
export function useSuggestions(typed: string, onTake: (text: string, caret: number) => void) {
  const listId = useId();
  const [caret, setCaret] = useState<number | null>(null);
  const [dismissed, setDismissed] = useState<string | null>(null);
  const [chosenIn, setChosen] = useState({ typed, at: -1 });
  const field = caret === null || dismissed === typed ? null : fieldAt(typed, caret);
  const known = useFieldValues(field?.field ?? null, field?.value ?? "");
  const wanted = field?.value.toLowerCase() ?? "";
  const fitting = (known ?? []).filter(({ value, whole = value }) => whole.toLowerCase().includes(wanted));
  const isWritten = fitting.some(({ value }) => value.toLowerCase() === wanted);
  const values = field === null || isWritten ? [] : nearestFirst(fitting, wanted, ({ value }) => value).slice(0, MOST);
  const chosen = chosenIn.typed === typed && chosenIn.at < values.length ? chosenIn.at : -1;

  function take({ value }: FieldValue) {
    if (field === null) return;
    const text = withFieldValue(typed, field, value);
    const end = text.length - (typed.length - field.end);
    setDismissed(text);
    onTake(text, end);
  }

  /** Tells whether the key was for the suggestions. */
  function onKey(key: string): boolean {
    if (values.length === 0) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step !== undefined) {
      // Above the first one is none of them.
      const count = values.length + 1;
      setChosen({ typed, at: ((chosen + 1 + step + count) % count) - 1 });
      return true;
    }
    const value = values[key === "Tab" ? Math.max(0, chosen) : chosen];
    if ((key === "Enter" || key === "Tab") && value !== undefined) take(value);
    else if (key === "Escape") setDismissed(typed);
    else return false;
    return true;
  }

  return {
    listId,
    values,
    chosen,
    take,
    setCaret,
    onKey,
    fieldProps: {
      "aria-autocomplete": "list" as const,
      "aria-controls": values.length === 0 ? undefined : listId,
      "aria-activedescendant": chosen < 0 ? undefined : `${listId}-${chosen}`,
    },
  };
}

/** The values below the field, each with how many sessions or calls there are of it. */
export function FieldSuggestions({ listId, values, chosen, take }: Suggestions) {
  if (values.length === 0) return null;
  return (
    <div
      id={listId}
      role="listbox"
      aria-label={t("search.values")}
      className="absolute top-full left-0 z-20 mt-1 max-h-80 w-80 max-w-full overflow-y-auto rounded-lg bg-raised p-1 shadow-pop"
    >
      {values.map((one, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard
        <div
          key={one.whole ?? one.value}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === chosen}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(one)}
          className="flex min-h-8 items-center gap-3 rounded-md px-2 text-sm hover:bg-hover aria-selected:bg-press touch:min-h-11"
        >
          <span className="min-w-0 flex-1 truncate">{one.value}</span>
          {one.count !== null && (
            <span className="shrink-0 text-muted text-xs tabular-nums">{formatCompact(one.count)}</span>
          )}
        </div>
      ))}
    </div>
  );
}
