import { useQuery } from "@tanstack/react-query";
import { History, RotateCcw } from "lucide-react";
import { useState } from "react";
import { commandQuery, useCommand } from "../../client/commands.ts";
import { useService } from "../../client/service-context.tsx";
import { Button } from "../../design/button.tsx";
import { Chip } from "../../design/chip.tsx";
import { Select } from "../../design/choices.tsx";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { ErrorState } from "../../design/error-state.tsx";
import { Line, Lines } from "../../design/lines.tsx";
import { EmptyState, SkeletonLines } from "../../design/placeholder.tsx";
import { toast } from "../../design/toast.tsx";
import { formatBytes, formatMoment } from "../../i18n/format.ts";
import { type PlainTextKey, t } from "../../i18n/text.ts";
import { SectionIntro } from "../section-parts.tsx";
import { Changes, VersionDiff } from "./version-diff.tsx";

interface Version {
  id: string;
  created_at: string;
  origin: string;
}

/** Every configuration that there has been: what changed, and the way back. */
export function VersionsSection() {
  const { data: versions, error, refetch } = useQuery(commandQuery(useService(), "list_config_versions"));
  const [compared, setCompared] = useState<{ from: string; to: string } | null>(null);
  const [restored, setRestored] = useState<Version | null>(null);
  const restore = useCommand("restore_config_version", {
    onSuccess() {
      setRestored(null);
      toast({ text: t("settings.version_restored") });
    },
  });
  if (versions === undefined) {
    if (error === null) return <SkeletonLines count={6} />;
    return <ErrorState title={t("settings.versions_failed")} error={error} onRetry={() => void refetch()} />;
  }
  const newest = versions[0];
  return (
    <>
      <SectionIntro>{t("settings.versions_text")}</SectionIntro>
      {newest === undefined ? (
        <EmptyState icon={History} title={t("settings.versions_none")}>
          {t("settings.versions_none_text")}
        </EmptyState>
      ) : (
        <Lines label={t("settings.versions")}>
          {versions.map((version, index) => (
            <VersionLine
              key={version.id}
              version={version}
              isCurrent={index === 0}
              older={versions[index + 1]}
              onCompare={(from) => setCompared({ from: from.id, to: version.id })}
              onRestore={() => setRestored(version)}
            />
          ))}
        </Lines>
      )}
      {compared !== null && (
        <VersionDiff
          {...compared}
          onClose={() => setCompared(null)}
          choice={
            <Select
              aria-label={t("settings.version_compare_with")}
              value={compared.from}
              onChange={(from) => setCompared({ ...compared, from })}
              options={versions
                .filter(({ id }) => id !== compared.to)
                .map(({ id, created_at, origin }) => ({
                  value: id,
                  text: `${formatMoment(created_at)} · ${originText(origin)}`,
                }))}
              className="w-full"
            />
          }
        />
      )}
      <ConfirmDialog
        open={restored !== null}
        onClose={() => {
          setRestored(null);
          restore.reset();
        }}
        title={t("settings.version_restore_title")}
        action={t("settings.version_restore")}
        isPending={restore.isPending}
        error={restore.error}
        onConfirm={() => restored !== null && restore.mutate({ id: restored.id })}
      >
        <p className="pb-4">
          {t("settings.version_restore_text", { when: restored === null ? "" : formatMoment(restored.created_at) })}
        </p>
        {restored !== null && newest !== undefined && <Changes from={newest.id} to={restored.id} />}
      </ConfirmDialog>
    </>
  );
}

interface VersionLineProps {
  version: Version & { size_bytes: number };
  isCurrent: boolean;
  /** The version before. */
  older: Version | undefined;
  onCompare(older: Version): void;
  onRestore(): void;
}

function VersionLine({ version, isCurrent, older, onCompare, onRestore }: VersionLineProps) {
  const when = formatMoment(version.created_at);
  return (
    <Line className="phone:flex-wrap">
      <div className="min-w-0 flex-1 phone:basis-full">
        <p className="flex items-center gap-2 text-sm">
          <span className="truncate">{originText(version.origin)}</span>
          {isCurrent && <Chip tone="accent">{t("settings.version_current")}</Chip>}
        </p>
        <p className="text-faint text-xs">
          {when} · {formatBytes(version.size_bytes)}
        </p>
      </div>
      {older !== undefined && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={t("settings.version_changes_of", { when })}
          onClick={() => onCompare(older)}
        >
          {t("settings.version_changes")}
        </Button>
      )}
      {!isCurrent && (
        <Button size="sm" icon={RotateCcw} aria-label={t("settings.version_restore_of", { when })} onClick={onRestore}>
          {t("settings.version_restore")}
        </Button>
      )}
    </Line>
  );
}

/** What each origin is called; the service names most by the command that has made the change. */
const ORIGINS: Readonly<Record<string, PlainTextKey>> = {
  start: "settings.origin_start",
  external: "settings.origin_external",
  save_config_bundle: "settings.origin_bundle",
  restore_config_version: "settings.origin_restore",
  save_session_paths: "settings.origin_paths",
  save_budget: "settings.origin_budget",
  save_model_config: "settings.origin_models",
  import_model_config_from_path: "settings.origin_import",
  restore_model_config_backup: "settings.origin_backup",
  create_tag: "settings.origin_tags",
  update_tag: "settings.origin_tags",
  delete_tag: "settings.origin_tags",
};

function originText(origin: string): string {
  const key = Object.hasOwn(ORIGINS, origin) ? ORIGINS[origin] : undefined;
  return key === undefined ? origin : t(key);
}
