import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Button } from "../design/button.tsx";
import { copyText } from "../design/copy-text.ts";
import { errorText } from "../design/error-state.tsx";
import { t } from "../i18n/text.ts";
import { useActions } from "../shortcuts/actions.ts";
import { KeyBar } from "./key-bar.tsx";
import { TerminalFind } from "./terminal-find.tsx";
import type { TerminalSession } from "./terminal-session.ts";
import { type OpenTerminal, PANEL_ID, tabId } from "./terminal-tabs.tsx";
import "@xterm/xterm/css/xterm.css";

interface TerminalPaneProps {
  terminal: OpenTerminal;
  /** Opens another in the same folder. */
  onAgain(): void;
  onClose(): void;
  /** Goes to the tab this many places further on. */
  onMove(by: number): void;
}

/** The terminal in front. */
export function TerminalPane({ terminal: { listed, session }, onAgain, onClose, onMove }: TerminalPaneProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isFinding, setFinding] = useState(false);
  const { exit, error, hasControl, found } = useSyncExternalStore(session.subscribe, session.get);

  useEffect(() => {
    if (place.current === null) return;
    const hide = session.show(place.current);
    // Who goes through the tabs stays there; a touch opens the keyboard, which covers half of what one came to see.
    const isInTabs = document.activeElement?.role === "tab";
    if (!isInTabs && !matchMedia("(pointer: coarse)").matches) session.terminal.focus();
    return hide;
  }, [session]);

  useTerminalActions({ id: listed.id, session, onFind: () => setFinding(true), onMove });

  function closeFind() {
    setFinding(false);
    session.terminal.focus();
  }

  return (
    <div
      id={PANEL_ID}
      role="tabpanel"
      aria-labelledby={tabId(listed.id)}
      aria-describedby="terminal-hint"
      className="relative flex min-h-0 flex-1 flex-col bg-sunken"
    >
      <p id="terminal-hint" className="sr-only">
        {t("terminals.leave_hint")}
      </p>
      {/* Over the terminal: another size would take what is selected from it. */}
      {isFinding && <TerminalFind session={session} found={found} onClose={closeFind} />}
      <div className="min-h-0 flex-1 pt-2 pl-3">
        <div ref={place} className="h-full overflow-hidden" />
      </div>
      {error !== null && (
        <Strip isBad text={`${t("terminals.attach_failed")} ${errorText(error)}`}>
          <Button size="sm" onClick={() => session.retry()}>
            {t("frame.retry")}
          </Button>
        </Strip>
      )}
      {exit === null ? (
        <KeyBar session={session} hasControl={hasControl} />
      ) : (
        <Exit exit={exit} onAgain={onAgain} onClose={onClose} />
      )}
    </div>
  );
}

interface TerminalActions extends Pick<TerminalPaneProps, "onMove"> {
  id: string;
  session: TerminalSession;
  onFind(): void;
}

/** What keys do that the terminal does not get. */
function useTerminalActions({ id, session, onFind, onMove }: TerminalActions): void {
  const always = { group: "live", inFields: true } as const;
  useActions([
    {
      id: "terminals.find",
      title: "terminals.find",
      keys: "mod+shift+f",
      ...always,
      run: onFind,
    },
    {
      id: "terminals.copy",
      title: "terminals.copy",
      keys: "mod+shift+c",
      ...always,
      run: () => {
        if (session.get().hasSelection) void copyText(session.terminal.getSelection());
      },
    },
    {
      id: "terminals.leave",
      title: "terminals.leave",
      keys: "mod+shift+arrowup",
      ...always,
      run: () => document.getElementById(tabId(id))?.focus(),
    },
    {
      id: "terminals.next",
      title: "terminals.next",
      keys: "mod+shift+arrowright",
      ...always,
      run: () => onMove(1),
    },
    {
      id: "terminals.previous",
      title: "terminals.previous",
      keys: "mod+shift+arrowleft",
      ...always,
      run: () => onMove(-1),
    },
  ]);
}

interface ExitProps extends Pick<TerminalPaneProps, "onAgain" | "onClose"> {
  exit: NonNullable<ReturnType<TerminalSession["get"]>["exit"]>;
}

/** How its shell has ended, and what is next. */
function Exit({ exit: { exit_code, signal }, onAgain, onClose }: ExitProps) {
  const text =
    signal === null
      ? t("terminals.exited_code", { code: String(exit_code ?? "?") })
      : t("terminals.exited_signal", { signal });
  return (
    <Strip text={text}>
      <Button size="sm" onClick={onAgain}>
        {t("terminals.again")}
      </Button>
      <Button size="sm" variant="ghost" onClick={onClose}>
        {t("frame.close")}
      </Button>
    </Strip>
  );
}

function Strip({ isBad = false, text, children }: { isBad?: boolean; text: string; children: ReactNode }) {
  return (
    <div
      role="status"
      className={`flex shrink-0 flex-wrap items-center gap-2 px-4 py-2 text-sm ${isBad ? "bg-danger-soft text-danger" : "bg-panel text-muted"}`}
    >
      <span className="min-w-0 flex-1">{text}</span>
      {children}
    </div>
  );
}
