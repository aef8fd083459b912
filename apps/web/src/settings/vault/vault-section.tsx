import { CommandError, type CommandOutput } from "@sm/router/client";
import { useQuery } from "@tanstack/react-query";
import { commandQuery } from "../../client/commands.ts";
import { useService } from "../../client/service-context.tsx";
import { ErrorState } from "../../design/error-state.tsx";
import { Lines } from "../../design/lines.tsx";
import { SkeletonLines } from "../../design/placeholder.tsx";
import { formatBytes, formatMoment, formatNumber, formatPercent } from "../../i18n/format.ts";
import { t } from "../../i18n/text.ts";
import { Fact, SectionIntro, SettingsGroup } from "../section-parts.tsx";
import { VAULT_GROUPS } from "../server/server-fields.ts";
import { ServerForm } from "../server/server-form.tsx";
import { DeletedSessions } from "./deleted-sessions.tsx";
import { Removals } from "./removals.tsx";
import { Verification } from "./verification.tsx";

/** What is kept of sessions whose files are gone, and what was deleted. */
export function VaultSection() {
  const { data, error, refetch } = useQuery(commandQuery(useService(), "get_vault_status"));
  if (data === undefined) {
    if (error === null) return <SkeletonLines count={8} />;
    return <ErrorState title={t("vault.failed")} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <SectionIntro>{t("vault.text")}</SectionIntro>
      <SettingsGroup title={t("settings.vault")}>
        <Facts status={data} />
        <Verification />
      </SettingsGroup>
      <DeletedSessions />
      <Limits />
    </>
  );
}

function Facts({ status }: { status: CommandOutput<"get_vault_status"> }) {
  const { bytes, original_bytes: original, oldest_at, problems } = status;
  return (
    <Lines label={t("settings.vault")}>
      <Fact name={t("vault.size")}>
        {original === 0 || bytes > original
          ? formatBytes(bytes)
          : t("vault.size_of", {
              size: formatBytes(bytes),
              percent: formatPercent((100 * bytes) / original),
              original: formatBytes(original),
            })}
      </Fact>
      <Fact name={t("vault.sessions")}>{formatNumber(status.sessions)}</Fact>
      <Fact name={t("vault.only_here")}>{formatNumber(status.only_here)}</Fact>
      {status.pending > 0 && <Fact name={t("vault.pending")}>{formatNumber(status.pending)}</Fact>}
      {oldest_at !== null && <Fact name={t("vault.since")}>{formatMoment(oldest_at)}</Fact>}
      {problems.map((problem) => (
        <Fact key={problem} name={t("vault.problems")}>
          <span className="text-warning [overflow-wrap:anywhere]">{problem}</span>
        </Fact>
      ))}
    </Lines>
  );
}

/** The part of `session-manager.json` that is about the vault; nothing for who may not read that. */
function Limits() {
  const { data, error } = useQuery(commandQuery(useService(), "get_config_bundle"));
  if (data === undefined) {
    const isForbidden = error instanceof CommandError && error.code === "FORBIDDEN";
    return error === null || isForbidden ? null : <ErrorState title={t("settings.server_failed")} error={error} />;
  }
  return (
    <ServerForm
      key={JSON.stringify(data.server)}
      server={data.server}
      groups={VAULT_GROUPS}
      saved={t("vault.saved")}
      preview={(draft) => <Removals draft={draft} />}
    />
  );
}
