import { type KeyboardEvent, useId, useState } from "react";
import { type PromptToken, tokenAt, withChosen } from "./prompt-token.ts";
import { optionId } from "./suggestion-list.tsx";
import { type Suggestion, useSuggestions } from "./use-suggestions.ts";

interface Naming {
  /** The list that is open; `null`: none is. */
  list: { id: string; kind: PromptToken["kind"]; suggestions: readonly Suggestion[]; current: number } | null;
  /** Of the field, while a list is open. */
  attributes: { "aria-controls"?: string; "aria-activedescendant"?: string };
  choose(suggestion: Suggestion): void;
  /** Tells where the caret is. */
  onCaret(caret: number): void;
  /** Takes the keys of the list; tells whether it has. */
  onKey(event: KeyboardEvent): boolean;
}

const BEGIN = { typed: "", isClosed: false, current: 0 };

/** Offers commands of the agent after `/`, and files of its project after `@`. */
export function useNaming(sessionId: string, text: string, write: (text: string, caret: number) => void): Naming {
  const id = useId();
  const [caret, setCaret] = useState(0);
  /** Of the token, as it was typed; whether its list was closed, and which row is current. */
  const [state, setState] = useState(BEGIN);
  const token = tokenAt(text, caret);
  if (token === null && state !== BEGIN) setState(BEGIN);
  const suggestions = useSuggestions(sessionId, token);
  const typed = token === null ? "" : `${token.kind} ${token.start} ${token.text}`;
  const isSame = state.typed === typed;
  // What was closed stays so until something else is named.
  const isClosed =
    state.isClosed && (isSame || (token !== null && state.typed.startsWith(`${token.kind} ${token.start} `)));
  const current = isSame ? Math.min(state.current, suggestions.length - 1) : 0;
  const list =
    token === null || isClosed || suggestions.length === 0 ? null : { id, kind: token.kind, suggestions, current };

  function choose(suggestion: Suggestion) {
    if (token === null) return;
    const { text: written, caret: after } = withChosen(text, token, suggestion.name);
    write(written, after);
    setCaret(after);
  }

  function onKey({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
    if (list === null || token === null || nativeEvent.isComposing) return false;
    const chosen = list.suggestions[list.current];
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      const count = list.suggestions.length;
      setState({ typed, isClosed: false, current: (list.current + step + count) % count });
    } else if (key === "Escape") setState({ typed, isClosed: true, current: 0 });
    else if ((key === "Tab" || key === "Enter") && !shiftKey && chosen !== undefined) {
      // What is complete is sent.
      if (key === "Enter" && chosen.name === token.text) return false;
      choose(chosen);
    } else return false;
    return true;
  }

  return {
    list,
    attributes: list === null ? {} : { "aria-controls": id, "aria-activedescendant": optionId(id, list.current) },
    choose,
    onCaret: setCaret,
    onKey,
  };
}
