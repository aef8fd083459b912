import { ChevronDown, ChevronUp, Search, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { IconButton } from "../design/button.tsx";
import { Input } from "../design/input.tsx";
import { t } from "../i18n/text.ts";
import type { TerminalSession } from "./terminal-session.ts";
import { searchColors } from "./terminal-theme.ts";

interface TerminalFindProps {
  session: TerminalSession;
  found: { place: number; count: number } | null;
  onClose(): void;
}

/** Finds text in what a terminal has shown. */
export function TerminalFind({ session, found, onClose }: TerminalFindProps) {
  const [query, setQuery] = useState("");
  useEffect(() => () => session.search.clearDecorations(), [session]);

  function find(text: string, isBackwards: boolean, incremental = false) {
    const options = { decorations: searchColors(), incremental };
    if (text === "") session.search.clearDecorations();
    else if (isBackwards) session.search.findPrevious(text, options);
    else session.search.findNext(text, options);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter") find(query, !event.shiftKey);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <search className="absolute top-2 right-4 z-10 flex w-105 max-w-[calc(100%-16px)] items-center gap-1 rounded-lg bg-raised p-2 shadow-pop phone:right-2">
      <Input
        autoFocus
        type="search"
        icon={Search}
        aria-label={t("terminals.find")}
        placeholder={t("terminals.find")}
        className="flex-1"
        value={query}
        onChange={({ target }) => {
          setQuery(target.value);
          find(target.value, true, true);
        }}
        onKeyDown={onKeyDown}
      />
      <span role="status" className="min-w-16 px-1 text-faint text-xs tabular-nums">
        {query !== "" &&
          found !== null &&
          (found.count === 0
            ? t("terminals.found_none")
            : t("terminals.found", { place: found.place, count: found.count }))}
      </span>
      <IconButton icon={ChevronUp} label={t("terminals.find_before")} onClick={() => find(query, true)} />
      <IconButton icon={ChevronDown} label={t("terminals.find_next")} onClick={() => find(query, false)} />
      <IconButton icon={X} label={t("frame.close")} onClick={onClose} />
    </search>
  );
}
