import type { CommandOutput } from "@sm/router/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { commandKey, commandQuery, useCommand } from "../client/commands.ts";
import { useService } from "../client/service-context.tsx";
import { Button } from "../design/button.tsx";
import { ErrorState } from "../design/error-state.tsx";
import { Line, Lines } from "../design/lines.tsx";
import { SkeletonLines } from "../design/placeholder.tsx";
import { toast, toastError } from "../design/toast.tsx";
import { formatBytes, formatMoment, formatRelative, formatWhen } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";

type Share = CommandOutput<"list_shares">["shares"][number];

/** The links that have not ended, of one session or of all, with how often each was opened. */
export function ShareLinks({ path }: { path?: string }) {
  const queries = useQueryClient();
  const payload = path === undefined ? {} : { path };
  // No event tells how often they are opened.
  const shares = useQuery({ ...commandQuery(useService(), "list_shares", payload), staleTime: 0 });
  const revoke = useCommand("revoke_share", {
    onSuccess: () => toast({ text: t("share.revoked") }),
    onError: (error) => toastError(t("share.revoke_failed"), error),
    onSettled: () => queries.invalidateQueries({ queryKey: commandKey("list_shares") }),
  });
  if (shares.data === undefined) {
    if (shares.error === null) return <SkeletonLines count={2} />;
    return <ErrorState title={t("share.failed")} error={shares.error} onRetry={() => void shares.refetch()} />;
  }
  return (
    <Lines label={t("share.links")}>
      {shares.data.shares.length === 0 && <Line className="text-muted text-sm">{t("share.none")}</Line>}
      {shares.data.shares.map((share) => (
        <ShareLine
          key={share.id}
          share={share}
          hasTitle={path === undefined}
          isBusy={revoke.isPending}
          onRevoke={() => revoke.mutate({ id: share.id })}
        />
      ))}
    </Lines>
  );
}

interface ShareLineProps {
  share: Share;
  /** Whether links of other sessions are around it. */
  hasTitle: boolean;
  isBusy: boolean;
  onRevoke(): void;
}

function ShareLine({ share, hasTitle, isBusy, onRevoke }: ShareLineProps) {
  const { title, created_at, expires_at, opened_count, last_opened_at, size_bytes } = share;
  const now = new Date();
  const made = t("share.made", { when: formatWhen(created_at, now) });
  const opened =
    last_opened_at === null
      ? t("share.unopened")
      : t("share.opened", { count: opened_count, when: formatRelative(last_opened_at, now) });
  return (
    <Line>
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm">{hasTitle ? title : made}</p>
        <p className="text-faint text-xs">
          {hasTitle && `${made} · `}
          {opened}
          {" · "}
          <span title={formatMoment(expires_at)}>{t("share.until", { day: formatWhen(expires_at, now) })}</span>
          {` · ${formatBytes(size_bytes)}`}
        </p>
      </div>
      <Button
        size="sm"
        disabled={isBusy}
        aria-label={t("share.revoke_named", { name: hasTitle ? title : made })}
        onClick={onRevoke}
      >
        {t("share.revoke")}
      </Button>
    </Line>
  );
}
