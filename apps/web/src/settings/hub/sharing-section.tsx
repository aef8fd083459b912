import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { commandKey, commandQuery, useCommand } from "../../client/commands.ts";
import { type SharedProject, useMayChange } from "../../client/hub.ts";
import { useService } from "../../client/service-context.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { ErrorState } from "../../design/error-state.tsx";
import { Line, Lines } from "../../design/lines.tsx";
import { SkeletonLines } from "../../design/placeholder.tsx";
import { toast } from "../../design/toast.tsx";
import { requestProjectShare } from "../../hub/share-request.ts";
import { formatMoment, formatWhen } from "../../i18n/format.ts";
import { t } from "../../i18n/text.ts";
import { useProjectName } from "../../projects/use-project-name.ts";
import { PathText, SectionIntro, SettingsGroup } from "../section-parts.tsx";

/** The projects that the user shares, and those that are shared with the user. */
export function SharingSection() {
  const mayChange = useMayChange();
  const shared = useQuery({ ...commandQuery(useService(), "list_shared_projects"), staleTime: 0 });
  if (shared.data === undefined) {
    if (shared.error === null) return <SkeletonLines count={5} />;
    return <ErrorState title={t("hub.share_failed")} error={shared.error} onRetry={() => void shared.refetch()} />;
  }
  const own = shared.data.filter(({ owner }) => owner === null);
  const others = shared.data.filter(({ owner }) => owner !== null);
  return (
    <>
      <SectionIntro>{t(mayChange ? "settings.sharing_text" : "settings.sharing_reader")}</SectionIntro>
      {mayChange && (
        <SettingsGroup title={t("settings.shared_by_me")}>
          <OwnProjects projects={own} />
        </SettingsGroup>
      )}
      <SettingsGroup title={t("settings.shared_with_me")}>
        <Lines label={t("settings.shared_with_me")}>
          {others.length === 0 && <Line className="text-muted text-sm">{t("settings.shared_none")}</Line>}
          {others.map((one) => (
            <ForeignProject key={`${one.owner} ${one.project}`} shared={one} />
          ))}
        </Lines>
      </SettingsGroup>
    </>
  );
}

function OwnProjects({ projects }: { projects: readonly SharedProject[] }) {
  const queries = useQueryClient();
  const [stopped, setStopped] = useState<SharedProject | null>(null);
  const stop = useCommand("unshare_project", {
    onSuccess() {
      setStopped(null);
      toast({ text: t("hub.unshared") });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: commandKey("list_shared_projects") }),
  });
  return (
    <>
      <Lines label={t("settings.shared_by_me")}>
        {projects.length === 0 && <Line className="text-muted text-sm">{t("settings.shared_no_own")}</Line>}
        {projects.map((one) => (
          <Line key={one.project} className="flex-wrap">
            <ProjectFacts shared={one} whose={audienceText(one)} />
            <div className="flex gap-2">
              <Button
                size="sm"
                aria-label={t("hub.change_named", { project: one.project })}
                onClick={() => requestProjectShare(one.project)}
              >
                {t("hub.change")}
              </Button>
              <Button
                size="sm"
                aria-label={t("hub.stop_named", { project: one.project })}
                onClick={() => setStopped(one)}
              >
                {t("hub.stop_sharing")}
              </Button>
            </div>
          </Line>
        ))}
      </Lines>
      <ConfirmDialog
        open={stopped !== null}
        onClose={() => {
          setStopped(null);
          stop.reset();
        }}
        title={t("hub.stop_title")}
        action={t("hub.stop_sharing")}
        isDangerous
        isPending={stop.isPending}
        error={stop.error}
        onConfirm={() => stopped !== null && stop.mutate({ project: stopped.project })}
      >
        <PathText>{stopped?.project ?? ""}</PathText>
        <p className="pt-2">{t("hub.stop_text")}</p>
      </ConfirmDialog>
    </>
  );
}

/** What somebody else shares; leads to its sessions. */
function ForeignProject({ shared }: { shared: SharedProject }) {
  const { project, owner } = shared;
  return (
    <Line className="flex-wrap">
      <ProjectFacts shared={shared} whose={t("list.owner_title", { name: owner ?? "" })} />
      <Link
        to="/"
        // Those below it are shared too, so that the directory alone would be too little.
        search={{ ...(owner !== null && { owner }) }}
        aria-label={t("settings.shared_open", { project, owner: owner ?? "" })}
        className="inline-flex h-7 items-center rounded-md bg-press px-2 text-sm hover:bg-selected touch:h-11"
      >
        {t("settings.sessions_open")}
      </Link>
    </Line>
  );
}

function ProjectFacts({ shared: { project, sessions, shared_at }, whose }: { shared: SharedProject; whose: string }) {
  const nameOf = useProjectName();
  return (
    <div className="min-w-60 flex-1">
      <p className="truncate text-sm" title={project}>
        {nameOf(project)}
      </p>
      <p className="text-faint text-xs [overflow-wrap:anywhere]">{project}</p>
      <p className="text-muted text-xs">
        {whose}
        {` · ${t("list.count", { count: sessions })} · `}
        <span title={formatMoment(shared_at)}>
          {t("settings.shared_since", { day: formatWhen(shared_at, new Date()) })}
        </span>
      </p>
    </div>
  );
}

function audienceText({ everybody, users }: SharedProject): string {
  if (everybody) return t("hub.with_everybody");
  return t("hub.with", { names: users.map(({ name }) => name).join(", ") });
}
