import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Plus, Search, SquareTerminal } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useService } from "../client/service-context.tsx";
import { useTerminals, useTerminalsUpdate } from "../client/terminals.ts";
import { Button, IconButton } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { useKeyboardInset } from "../design/keyboard-inset.ts";
import { EmptyState, SkeletonLines } from "../design/placeholder.tsx";
import { NavigationButton, useTitle } from "../design/screen.tsx";
import { toastError } from "../design/toast.tsx";
import { Unavailable } from "../design/unavailable.tsx";
import { t } from "../i18n/text.ts";
import { runAction } from "../shortcuts/actions.ts";
import { OpenDialog } from "./open-dialog.tsx";
import { TerminalPane } from "./terminal-pane.tsx";
import { terminalStoreOf } from "./terminal-store.ts";
import { type OpenTerminal, TerminalTabs } from "./terminal-tabs.tsx";
import { tabTitle } from "./terminal-title.ts";
import type { TerminalsSearch } from "./terminals-search.ts";

const terminalsRoute = getRouteApi("/terminals");

/** Terminals in tabs. */
export function TerminalsScreen() {
  const search = terminalsRoute.useSearch();
  const navigate = useNavigate();
  const { terminals, listed, error, refetch, create, end } = useOpenTerminals();
  const keyboard = useKeyboardInset();
  const [closing, setClosing] = useState<OpenTerminal | null>(null);
  useTitle(t("rail.terminals"));

  const current = terminals.find(({ session }) => session.id === search.id) ?? terminals.at(-1);

  const go = (to: TerminalsSearch, replace = false) => void navigate({ to: "/terminals", search: to, replace });
  const showNew = () => go({ ...search, new: true });

  async function open(cwd: string) {
    const { id } = await create(cwd);
    go({ id }, search.new === true);
  }

  async function close(terminal: OpenTerminal) {
    setClosing(null);
    if ((await end(terminal)) && terminal.session.id === current?.session.id) go({}, true);
  }

  function askToClose(terminal: OpenTerminal) {
    if (terminal.session.get().exit === null) setClosing(terminal);
    else void close(terminal);
  }

  function move(by: number) {
    const at = terminals.findIndex(({ session }) => session.id === current?.session.id);
    const next = terminals.at((at + by) % terminals.length);
    if (next !== undefined) go({ id: next.session.id }, true);
  }

  return (
    <main
      id="content"
      tabIndex={-1}
      className="flex min-w-0 flex-1 flex-col bg-paper"
      style={keyboard === 0 ? undefined : { paddingBottom: keyboard }}
    >
      <header className="flex h-13 shrink-0 items-center gap-2 px-4 phone:px-2">
        <NavigationButton />
        <h1 className={terminals.length > 0 ? "sr-only" : "min-w-0 flex-1 truncate text-lg"}>{t("rail.terminals")}</h1>
        {current !== undefined && (
          <TerminalTabs
            terminals={terminals}
            current={current.session.id}
            onChoose={(id) => go({ id }, true)}
            onClose={askToClose}
          />
        )}
        {current !== undefined && (
          <IconButton
            icon={Search}
            label={t("terminals.find")}
            keys="mod+shift+f"
            onClick={() => runAction("terminals.find")}
          />
        )}
        {error === null && <IconButton icon={Plus} label={t("terminals.new")} onClick={showNew} />}
      </header>
      {error !== null && listed === undefined ? (
        <Unavailable
          error={error}
          title={t("terminals.list_failed")}
          missing={t("terminals.missing")}
          forbidden={t("terminals.forbidden")}
          onRetry={() => void refetch()}
        />
      ) : listed === undefined ? (
        <SkeletonLines count={6} className="p-6" />
      ) : current === undefined ? (
        <NoTerminal onNew={showNew} />
      ) : (
        <TerminalPane
          key={current.session.id}
          terminal={current}
          onAgain={() => {
            open(current.listed.cwd).catch((reason) => toastError(t("terminals.create_failed"), reason));
          }}
          onClose={() => askToClose(current)}
          onMove={move}
        />
      )}
      {search.new === true && (
        <OpenDialog
          cwd={search.cwd}
          onOpen={open}
          onClose={() => go(search.id === undefined ? {} : { id: search.id }, true)}
        />
      )}
      {closing !== null && (
        <CloseDialog terminal={closing} onClose={() => setClosing(null)} onConfirm={() => void close(closing)} />
      )}
    </main>
  );
}

/** The terminals of the service as the page shows them, and how they come and go. */
function useOpenTerminals() {
  const service = useService();
  const store = terminalStoreOf(service);
  const { data: listed, error, refetch } = useTerminals();
  const update = useTerminalsUpdate();
  const terminals = useMemo(
    () => listed?.map((one): OpenTerminal => ({ listed: one, session: store.session(one) })) ?? [],
    [listed, store],
  );
  useEffect(() => {
    if (listed !== undefined) store.keep(listed);
  }, [listed, store]);

  async function create(cwd: string): Promise<{ id: string }> {
    const terminal = await service.call("create_terminal", { cwd });
    update((all) => [
      ...all,
      { ...terminal, started_at: new Date().toISOString(), status: null, exit: null, ended_at: null },
    ]);
    return terminal;
  }

  /** Returns whether the terminal was closed; otherwise shows the error. */
  async function end({ session }: OpenTerminal): Promise<boolean> {
    try {
      await service.call("terminal_close", { id: session.id });
      update((all) => all.filter(({ id }) => id !== session.id));
      return true;
    } catch (reason) {
      toastError(t("terminals.close_failed"), reason);
      void refetch();
      return false;
    }
  }

  return { terminals, listed, error, refetch, create, end };
}

function NoTerminal({ onNew }: { onNew(): void }) {
  return (
    <EmptyState
      icon={SquareTerminal}
      title={t("terminals.none")}
      actions={
        <Button variant="primary" icon={Plus} onClick={onNew}>
          {t("terminals.new")}
        </Button>
      }
    >
      {t("terminals.none_text")}
    </EmptyState>
  );
}

interface CloseDialogProps {
  terminal: OpenTerminal;
  onClose(): void;
  onConfirm(): void;
}

function CloseDialog({ terminal: { listed, session }, onClose, onConfirm }: CloseDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t("terminals.close_title", { name: tabTitle(session.get().title, listed.cwd) })}
      description={t("terminals.close_text")}
      size="sm"
      footer={
        <>
          <Button onClick={onClose}>{t("frame.cancel")}</Button>
          <Button variant="danger" onClick={onConfirm}>
            {t("frame.close")}
          </Button>
        </>
      }
    />
  );
}
