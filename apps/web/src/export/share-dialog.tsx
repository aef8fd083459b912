import { useQuery } from "@tanstack/react-query";
import { Download, Link2Off } from "lucide-react";
import { useState } from "react";
import { commandQuery } from "../client/commands.ts";
import { useService, useSessions } from "../client/service-context.tsx";
import { recordIn } from "../client/sessions.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { ErrorState } from "../design/error-state.tsx";
import { EmptyState, SkeletonLines } from "../design/placeholder.tsx";
import { t } from "../i18n/text.ts";
import { sessionTitle } from "../projects/session-title.ts";
import { requestExport } from "./export-request.ts";
import { type MadeLink, NewLinkForm, NewLinkShown } from "./new-link.tsx";
import { ShareLinks } from "./share-links.tsx";

export interface ShareDialogProps {
  path: string;
  /** An entry of the branch that is shown, where it is not the newest. */
  leafId: string | null;
  onClose(): void;
}

/** Makes a link to a session, and shows those that there are; or says why there can be none. */
export function ShareDialog({ path, leafId, onClose }: ShareDialogProps) {
  const sessions = useSessions();
  const [made, setMade] = useState<MadeLink | null>(null);
  const shares = useQuery({ ...commandQuery(useService(), "list_shares", { path }), staleTime: 0 });
  const record = recordIn(sessions, path);
  const problem = shares.data?.problem ?? null;

  function content() {
    if (shares.data === undefined) {
      if (shares.error === null) return <SkeletonLines count={4} />;
      return <ErrorState title={t("share.failed")} error={shares.error} onRetry={() => void shares.refetch()} />;
    }
    if (problem !== null) {
      return (
        <EmptyState
          icon={Link2Off}
          title={t(problem === "off" ? "share.off" : "share.loopback")}
          actions={
            <Button
              variant="primary"
              icon={Download}
              onClick={() => requestExport({ paths: [path], ...(leafId !== null && { leafId }) })}
            >
              {t("export.choose")}
            </Button>
          }
        >
          {t(problem === "off" ? "share.off_text" : "share.loopback_text")}
        </EmptyState>
      );
    }
    if (made !== null) return <NewLinkShown link={made} onDone={() => setMade(null)} />;
    return <NewLinkForm path={path} record={record ?? null} leafId={leafId} onMade={setMade} />;
  }

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      // A link that went with a wrong click would have to be made again.
      isModalOnly={made !== null}
      size="lg"
      title={t("share.title")}
      description={record == null ? t("transcript.session") : sessionTitle(record)}
    >
      {content()}
      {made === null && (shares.data?.shares.length ?? 0) > 0 && (
        <section className="pt-6">
          <h2 className="pb-2 text-base">{t("share.links")}</h2>
          <ShareLinks path={path} />
        </section>
      )}
    </Dialog>
  );
}
