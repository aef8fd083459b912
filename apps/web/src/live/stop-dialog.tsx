import { type LiveSession, useLiveSessionUpdate } from "../agents/use-live-sessions.ts";
import { useCommand } from "../client/commands.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";

interface StopDialogProps {
  session: LiveSession;
  title: string;
  onClose(): void;
}

/** Asks before an agent is told to end. */
export function StopDialog({ session, title, onClose }: StopDialogProps) {
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
