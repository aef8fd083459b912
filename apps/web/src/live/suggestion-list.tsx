import { useEffect, useRef } from "react";
import { t } from "../i18n/text.ts";
import type { Suggestion } from "./use-suggestions.ts";

interface SuggestionListProps {
  id: string;
  kind: "command" | "file";
  suggestions: readonly Suggestion[];
  current: number;
  onChoose(suggestion: Suggestion): void;
}

/** What may be meant by what is typed. The field keeps the focus, and says which one is current. */
export function SuggestionList({ id, kind, suggestions, current, onChoose }: SuggestionListProps) {
  const chosen = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is current
  useEffect(() => chosen.current?.scrollIntoView?.({ block: "nearest" }), [current]);
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t(kind === "command" ? "live.commands" : "live.files")}
      className="mx-0.5 max-h-56 overflow-y-auto border-line border-b p-1.5"
    >
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
        <div
          key={suggestion.name}
          ref={index === current ? chosen : undefined}
          id={optionId(id, index)}
          role="option"
          aria-selected={index === current}
          // The field would lose the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(suggestion)}
          className="flex min-h-8 select-none items-center gap-3 rounded-md px-2.5 text-sm hover:bg-hover aria-selected:bg-press touch:min-h-11"
        >
          <span className="max-w-full shrink-0 truncate font-mono text-xs">
            {kind === "command" && "/"}
            {suggestion.name}
          </span>
          {suggestion.note !== null && <span className="min-w-0 truncate text-muted">{suggestion.note}</span>}
        </div>
      ))}
    </div>
  );
}

export const optionId = (list: string, index: number) => `${list}-${index}`;
