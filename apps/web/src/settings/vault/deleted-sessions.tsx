import type { CommandOutput } from "@sm/router/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { commandKey, commandQuery, useCommand } from "../../client/commands.ts";
import { useService } from "../../client/service-context.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorState } from "../../design/error-state.tsx";
import { Line, Lines } from "../../design/lines.tsx";
import { SkeletonLines } from "../../design/placeholder.tsx";
import { toast, toastError } from "../../design/toast.tsx";
import { formatBytes, formatRelative, formatWhen } from "../../i18n/format.ts";
import { t } from "../../i18n/text.ts";
import { SettingsGroup } from "../section-parts.tsx";

/** Sessions that were deleted and can be brought back. */
export function DeletedSessions() {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(commandQuery(useService(), "list_deleted_sessions"));
  const undelete = useCommand("undelete_session", {
    onSuccess: () => toast({ text: t("vault.undeleted") }),
    onError: (error) => toastError(t("vault.undelete_failed"), error),
    onSettled: () => queries.invalidateQueries({ queryKey: commandKey("list_deleted_sessions") }),
  });
  return (
    <SettingsGroup title={t("vault.deleted")}>
      {data === undefined ? (
        error === null ? (
          <SkeletonLines count={3} />
        ) : (
          <ErrorState title={t("vault.deleted_failed")} error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Lines label={t("vault.deleted")}>
          {data.length === 0 && <Line className="text-muted text-sm">{t("vault.deleted_none")}</Line>}
          {data.map((session) => (
            <Deleted
              key={session.path}
              session={session}
              isBusy={undelete.isPending}
              onUndelete={() => undelete.mutate({ path: session.path })}
            />
          ))}
        </Lines>
      )}
    </SettingsGroup>
  );
}

interface DeletedProps {
  session: CommandOutput<"list_deleted_sessions">[number];
  isBusy: boolean;
  onUndelete(): void;
}

function Deleted({ session, isBusy, onUndelete }: DeletedProps) {
  const { path, title, size_bytes, deleted_at, expires_at } = session;
  const now = new Date();
  const when = formatRelative(deleted_at, now);
  const times =
    expires_at === null
      ? t("vault.deleted_in_trash", { when })
      : t("vault.deleted_when", { when, until: formatWhen(expires_at, now) });
  return (
    <Line>
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm" title={path}>
          {title}
        </p>
        <p className="text-faint text-xs tabular-nums">{`${formatBytes(size_bytes)} · ${times}`}</p>
      </div>
      <Button size="sm" aria-label={t("vault.undelete_named", { title })} disabled={isBusy} onClick={onUndelete}>
        {t("vault.undelete")}
      </Button>
    </Line>
  );
}
