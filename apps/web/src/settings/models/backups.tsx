import { useQuery } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { commandQuery, useCommand } from "../../client/commands.ts";
import { useService } from "../../client/service-context.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { ErrorState } from "../../design/error-state.tsx";
import { Line, Lines } from "../../design/lines.tsx";
import { SkeletonLines } from "../../design/placeholder.tsx";
import { toast } from "../../design/toast.tsx";
import { formatBytes, formatMoment } from "../../i18n/format.ts";
import { t } from "../../i18n/text.ts";
import { SettingsGroup } from "../section-parts.tsx";

/** Few are ever looked at. */
const FEW = 5;

/** What the file has been before each change. */
export function Backups() {
  const { data, error, refetch } = useQuery(commandQuery(useService(), "list_model_config_backups"));
  const [areAllShown, showAll] = useState(false);
  const [chosen, setChosen] = useState<{ backup_name: string; created_at: string } | null>(null);
  const restore = useCommand("restore_model_config_backup", {
    onSuccess() {
      setChosen(null);
      toast({ text: t("settings.backup_restored") });
    },
  });
  return (
    <SettingsGroup title={t("settings.backups")}>
      {error !== null ? (
        <ErrorState title={t("settings.backups_failed")} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonLines count={3} />
      ) : data.length === 0 ? (
        <p className="text-muted text-sm">{t("settings.backups_none")}</p>
      ) : (
        <Lines label={t("settings.backups")}>
          {(areAllShown ? data : data.slice(0, FEW)).map((backup) => (
            <Line key={backup.backup_name}>
              <div className="min-w-0 flex-1">
                <p className="text-sm">{formatMoment(backup.created_at)}</p>
                <p className="text-faint text-xs [overflow-wrap:anywhere]">
                  {backup.backup_name} · {formatBytes(backup.size_bytes)}
                </p>
              </div>
              <Button
                size="sm"
                icon={RotateCcw}
                aria-label={t("settings.backup_restore_of", { when: formatMoment(backup.created_at) })}
                onClick={() => setChosen(backup)}
              >
                {t("settings.version_restore")}
              </Button>
            </Line>
          ))}
        </Lines>
      )}
      {data !== undefined && data.length > FEW && (
        <Button variant="ghost" size="sm" className="mt-2" onClick={() => showAll(!areAllShown)}>
          {areAllShown ? t("rail.show_fewer") : t("rail.show_all", { count: data.length - FEW })}
        </Button>
      )}
      <ConfirmDialog
        open={chosen !== null}
        onClose={() => {
          setChosen(null);
          restore.reset();
        }}
        title={t("settings.backup_restore_title")}
        action={t("settings.version_restore")}
        isPending={restore.isPending}
        error={restore.error}
        onConfirm={() => chosen !== null && restore.mutate({ backup_name: chosen.backup_name })}
      >
        {t("settings.backup_restore_text", { when: chosen === null ? "" : formatMoment(chosen.created_at) })}
      </ConfirmDialog>
    </SettingsGroup>
  );
}
