import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeft, Ellipsis, FileText, Pencil, SquareTerminal, SquareX } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useLiveTitles } from "../agents/live-titles.ts";
import { questionText } from "../agents/question-text.ts";
import { type LiveSession, useLiveSessionUpdate } from "../agents/use-live-sessions.ts";
import { useCommand } from "../client/commands.ts";
import { Button, IconButton } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Field, Input } from "../design/input.tsx";
import { Menu, MenuItem, MenuSeparator } from "../design/menu.tsx";
import { toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { ModelPicker } from "./model-picker.tsx";
import { SessionState } from "./session-state.tsx";

interface LiveHeaderProps {
  session: LiveSession;
  /** What an extension says that the agent is about. */
  extensionTitle: string | null;
}

/** Says which session it is, and has what can be done with it. */
export function LiveHeader({ session, extensionTitle }: LiveHeaderProps) {
  const title = useLiveTitles()(session);
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<"rename" | "stop" | null>(null);
  const { session_path, cwd, controllable, state } = session;
  const canBeControlled = controllable && state !== "exited";
  return (
    <header className="flex min-h-13 shrink-0 items-center gap-1 border-line border-b px-4 py-1.5 phone:px-2">
      <Link
        to="/live"
        aria-label={t("frame.back")}
        className="flex size-11 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover desk:hidden"
      >
        <ArrowLeft aria-hidden size={17} strokeWidth={1.75} />
      </Link>
      <div className="min-w-0 flex-1">
        <h1 className="truncate text-lg">{title}</h1>
        <p className="flex items-center gap-3 text-faint text-xs">
          <SessionState session={session} />
          {session.question !== null && (
            <bdi className="min-w-0 truncate text-muted">{questionText(session.question)}</bdi>
          )}
          <span className="min-w-0 truncate phone:hidden" title={cwd}>
            {cwd}
          </span>
          {extensionTitle !== null && <span className="min-w-0 truncate">{extensionTitle}</span>}
        </p>
      </div>
      {canBeControlled && <ModelPicker session={session} />}
      <Menu align="end" trigger={<IconButton icon={Ellipsis} label={t("live.menu")} />}>
        {canBeControlled && (
          <MenuItem icon={Pencil} onSelect={() => setDialog("rename")}>
            {t("live.rename")}
          </MenuItem>
        )}
        <MenuItem
          icon={FileText}
          disabled={session_path === null}
          onSelect={() => {
            if (session_path !== null) void navigate({ to: "/session", search: { path: session_path } as never });
          }}
        >
          {t("live.open_transcript")}
        </MenuItem>
        <MenuItem
          icon={SquareTerminal}
          onSelect={() => void navigate({ to: "/terminals", search: { new: true, cwd } })}
        >
          {t("live.terminal_here")}
        </MenuItem>
        {canBeControlled && (
          <>
            <MenuSeparator />
            <MenuItem icon={SquareX} isDanger onSelect={() => setDialog("stop")}>
              {t("live.stop")}
            </MenuItem>
          </>
        )}
      </Menu>
      {dialog === "rename" && <RenameDialog session={session} onClose={() => setDialog(null)} />}
      {dialog === "stop" && <StopDialog session={session} title={title} onClose={() => setDialog(null)} />}
    </header>
  );
}

function RenameDialog({ session: { session_id, name }, onClose }: { session: LiveSession; onClose(): void }) {
  const [value, setValue] = useState(name ?? "");
  const formId = useId();
  const update = useLiveSessionUpdate();
  const { mutate, isPending } = useCommand("name_coding_session", {
    onSuccess(session) {
      update(session);
      onClose();
    },
    onError: (error) => toastError(t("live.rename_failed"), error),
  });

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    mutate({ session_id, name: value });
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t("live.rename")}
      size="sm"
      footer={
        <>
          <Button onClick={onClose}>{t("frame.cancel")}</Button>
          <Button type="submit" form={formId} variant="primary" disabled={isPending}>
            {t("live.rename")}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={onSubmit}>
        <Field label={t("live.name")}>
          {(attributes) => (
            <Input {...attributes} maxLength={200} value={value} onChange={({ target }) => setValue(target.value)} />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

function StopDialog({ session, title, onClose }: { session: LiveSession; title: string; onClose(): void }) {
  const update = useLiveSessionUpdate();
  const { mutate, isPending } = useCommand("stop_coding_session", {
    onSuccess(stopped) {
      update(stopped);
      onClose();
    },
    onError: (error) => toastError(t("live.stop_failed"), error),
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t("live.stop_title", { title })}
      description={t(session.state === "idle" ? "live.stop_text" : "live.stop_busy_text")}
      size="sm"
      footer={
        <>
          <Button onClick={onClose}>{t("frame.cancel")}</Button>
          <Button variant="danger" disabled={isPending} onClick={() => mutate({ session_id: session.session_id })}>
            {t("live.stop")}
          </Button>
        </>
      }
    />
  );
}
