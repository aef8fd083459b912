import { SquareTerminal, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useSyncExternalStore } from "react";
import type { ListedTerminal } from "../client/terminals.ts";
import { classNames } from "../design/class-names.ts";
import { t } from "../i18n/text.ts";
import type { TerminalSession } from "./terminal-session.ts";
import { tabTitle } from "./terminal-title.ts";

/** A terminal of the list with what this page has of it. */
export interface OpenTerminal {
  listed: ListedTerminal;
  session: TerminalSession;
}

interface TerminalTabsProps {
  terminals: readonly OpenTerminal[];
  current: string;
  onChoose(id: string): void;
  onClose(terminal: OpenTerminal): void;
}

/** Id of the element that the tabs choose the content of. */
export const PANEL_ID = "terminal-panel";

export function tabId(id: string): string {
  return `terminal-tab-${id}`;
}

/** A tab for each terminal. The arrow keys go from one to the next, Delete closes one. */
export function TerminalTabs({ terminals, current, onChoose, onClose }: TerminalTabsProps) {
  function onKeyDown(event: KeyboardEvent, at: number) {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: terminals.length - 1 }[event.key];
    const here = terminals[at];
    if (event.key === "Delete" && here !== undefined) onClose(here);
    else if (to === undefined) return;
    event.preventDefault();
    const next = to === undefined ? undefined : terminals.at(to % terminals.length);
    if (next === undefined) return;
    onChoose(next.listed.id);
    document.getElementById(tabId(next.listed.id))?.focus();
  }

  return (
    <div className="flex min-w-0 flex-1 gap-1 overflow-x-auto py-1" role="tablist" aria-label={t("terminals.tabs")}>
      {terminals.map((terminal, at) => (
        <Tab
          key={terminal.listed.id}
          terminal={terminal}
          isCurrent={terminal.listed.id === current}
          onChoose={() => onChoose(terminal.listed.id)}
          onClose={() => onClose(terminal)}
          onKeyDown={(event) => onKeyDown(event, at)}
        />
      ))}
    </div>
  );
}

interface TabProps {
  terminal: OpenTerminal;
  isCurrent: boolean;
  onChoose(): void;
  onClose(): void;
  onKeyDown(event: KeyboardEvent): void;
}

function Tab({ terminal: { listed, session }, isCurrent, onChoose, onClose, onKeyDown }: TabProps) {
  const { title, exit } = useSyncExternalStore(session.subscribe, session.get);
  const name = tabTitle(title, listed.cwd);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent) element.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [isCurrent]);
  return (
    <div
      ref={element}
      role="presentation"
      className={classNames(
        "group flex h-9 max-w-56 shrink-0 items-center rounded-md text-sm touch:h-11",
        isCurrent ? "bg-press text-ink" : "text-muted hover:bg-hover hover:text-ink",
      )}
    >
      <button
        type="button"
        role="tab"
        id={tabId(listed.id)}
        aria-selected={isCurrent}
        aria-controls={PANEL_ID}
        tabIndex={isCurrent ? 0 : -1}
        title={listed.cwd}
        onClick={({ currentTarget }) => {
          // Who chooses one wants to type in it.
          currentTarget.blur();
          onChoose();
          session.terminal.focus();
        }}
        onAuxClick={(event) => event.button === 1 && onClose()}
        onKeyDown={onKeyDown}
        className="flex h-full min-w-0 items-center gap-2 rounded-md pr-1 pl-3"
      >
        <SquareTerminal aria-hidden size={15} strokeWidth={1.75} className="shrink-0 text-faint" />
        <span className="min-w-0 truncate">{name}</span>
        {exit !== null && <span className="shrink-0 text-faint text-xs">{t("terminals.ended")}</span>}
      </button>
      <button
        type="button"
        // Delete on the tab does the same; a list of tabs holds nothing but tabs.
        tabIndex={-1}
        aria-hidden
        title={t("terminals.close", { name })}
        onClick={onClose}
        className={classNames(
          "mr-1 flex size-7 shrink-0 items-center justify-center rounded-sm hover:bg-hover hover:text-ink touch:size-9",
          !isCurrent && "opacity-0 group-hover:opacity-100 touch:opacity-100",
        )}
      >
        <X aria-hidden size={14} />
      </button>
    </div>
  );
}
