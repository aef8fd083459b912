import { Search } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { Input } from "../design/input.tsx";
import { t } from "../i18n/text.ts";
import { FieldSuggestions, useSuggestions } from "./field-suggestions.tsx";
import type { QueryProblem } from "./search-request.ts";

/** Milliseconds after a key in which the next one may come. */
const TYPING_MS = 100;

/** As many as the service takes. */
const MAX_QUERY_LENGTH = 1_000;

export interface SearchFieldProps {
  query: string;
  problem: QueryProblem | null;
  field: RefObject<HTMLInputElement | null>;
  /** Whether it has the focus as soon as it is there. */
  hasFocus: boolean;
  /** Told when the typing pauses. */
  onQuery(query: string | undefined): void;
  /** The user has completed a query. */
  onEnter(query: string): void;
  onArrowDown(): void;
  /** Beside the field. */
  children: ReactNode;
}

/** The search input. The field is updated immediately, the URL and the service after a pause. */
export function SearchField({
  query,
  problem,
  field,
  hasFocus,
  onQuery,
  onEnter,
  onArrowDown,
  children,
}: SearchFieldProps) {
  const [typed, setTyped] = useState(query);
  const [told, setTold] = useState(query);
  // Changed from outside: by a link, an example, or navigating back.
  if (query !== told) {
    setTold(query);
    setTyped(query);
  }
  const tell = useRef(onQuery);
  tell.current = onQuery;
  const say = (text: string) => {
    setTold(text);
    tell.current(text === "" ? undefined : text);
  };
  const latest = useRef(say);
  latest.current = say;
  useEffect(() => {
    if (typed === told) return;
    const timer = setTimeout(() => latest.current(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, told]);

  const suggestions = useSuggestions(typed, (text, caret) => {
    setTyped(text);
    // React puts the caret at the end.
    requestAnimationFrame(() => field.current?.setSelectionRange(caret, caret));
  });

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return;
    if (suggestions.onKey(event.key)) return event.preventDefault();
    if (event.key === "Enter") {
      if (typed !== told) say(typed);
      onEnter(typed);
    } else if (event.key === "ArrowDown") onArrowDown();
    else if (event.key === "Escape" && typed !== "") setTyped("");
    else if (event.key === "Escape") event.currentTarget.blur();
    else return;
    event.preventDefault();
  }

  // A field without a value is no problem while one is being chosen.
  const shown = problem !== null && typed === told && suggestions.values.length === 0 ? problem : null;
  return (
    <search className="relative block">
      <div className="flex items-center gap-1">
        <Input
          ref={field}
          // On a phone its keyboard would cover the rest.
          autoFocus={hasFocus && !matchMedia("(pointer: coarse)").matches}
          type="search"
          icon={Search}
          className="min-w-0 flex-1 [&_input]:h-10 [&_input]:text-base touch:[&_input]:h-11"
          aria-label={t("search.field")}
          aria-describedby={shown === null ? undefined : "search-problem"}
          aria-invalid={shown === null ? undefined : true}
          placeholder={t("search.field")}
          maxLength={MAX_QUERY_LENGTH}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            suggestions.setCaret(target.selectionStart);
          }}
          onSelect={({ currentTarget }) => suggestions.setCaret(currentTarget.selectionStart)}
          onBlur={() => suggestions.setCaret(null)}
          {...suggestions.fieldProps}
          onClear={() => setTyped("")}
          onKeyDown={onKeyDown}
        />
        {children}
      </div>
      <FieldSuggestions {...suggestions} />
      <div id="search-problem" role="status">
        {shown !== null && <Problem query={typed} problem={shown} />}
      </div>
    </search>
  );
}

/** Characters that are repeated before the place of an error, which is behind what is typed as a rule. */
const BEFORE = 60;
const AFTER = 20;

/** Shows where in a query the error is. */
function Problem({ query, problem: { message, at } }: { query: string; problem: QueryProblem }) {
  const word = at === null ? "" : (/^(?:[^\s"()]+|.)?/u.exec(query.slice(at))?.[0] ?? "");
  return (
    <div className="pt-2 text-sm">
      {at !== null && (
        <code
          aria-hidden
          className="block overflow-hidden whitespace-pre-wrap text-muted text-xs [overflow-wrap:anywhere]"
        >
          {at > BEFORE && "…"}
          {query.slice(Math.max(0, at - BEFORE), at)}
          <span className="rounded-sm bg-danger-soft px-0.5 text-danger underline decoration-wavy underline-offset-4">
            {word === "" ? "\u00a0" : word}
          </span>
          {query.slice(at + word.length, at + word.length + AFTER)}
        </code>
      )}
      <p className="pt-1 text-danger">{message}</p>
    </div>
  );
}
