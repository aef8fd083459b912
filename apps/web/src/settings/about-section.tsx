import { useQuery } from "@tanstack/react-query";
import { commandQuery } from "../client/commands.ts";
import { useHealth } from "../client/health.ts";
import { useIsHub } from "../client/hub.ts";
import { useConnection, useService } from "../client/service-context.tsx";
import { ErrorState } from "../design/error-state.tsx";
import { Lines } from "../design/lines.tsx";
import { SkeletonLines } from "../design/placeholder.tsx";
import { formatDuration, formatNumber } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { Licences } from "./licences.tsx";
import { Fact, PathText, SettingsGroup } from "./section-parts.tsx";

/** Which service this is and how it is. */
export function AboutSection() {
  const service = useService();
  const connection = useConnection();
  const { data, error, refetch } = useHealth();
  // A hub has neither.
  const enabled = !useIsHub();
  const directories = useQuery({ ...commandQuery(service, "get_all_session_dirs"), enabled });
  const models = useQuery({ ...commandQuery(service, "load_model_config"), retry: false, enabled });
  if (error !== null) {
    return <ErrorState title={t("settings.about_failed")} error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <SkeletonLines count={6} />;
  return (
    <>
      <SettingsGroup title={t("frame.app")}>
        <Lines label={t("frame.app")}>
          <Fact name={t("settings.version")}>{data.version}</Fact>
          <Fact name={t("settings.api_version")}>{data.api_version}</Fact>
          <Fact name={t("settings.connection")}>
            {connection.state === "open" && connection.over === "http" ? "HTTP" : "WebSocket"}
          </Fact>
          <Fact name={t("settings.uptime")}>{formatDuration(data.uptime_s * 1_000)}</Fact>
        </Lines>
      </SettingsGroup>
      <SettingsGroup title={t("settings.health")}>
        <Lines label={t("settings.health")}>
          <Fact name={t("settings.state")}>
            <span className={data.status === "ok" ? "text-live" : "text-warning"}>
              {t(`settings.health_${data.status}`)}
            </span>
            {data.reason !== undefined && <span className="block text-muted text-xs">{data.reason}</span>}
          </Fact>
          <Fact name={t("settings.index_sessions")}>{formatNumber(data.index.sessions)}</Fact>
          <Fact name={t("settings.index_pending")}>
            {data.index.pending === 0 ? t("settings.index_nothing") : formatNumber(data.index.pending)}
          </Fact>
        </Lines>
      </SettingsGroup>
      {enabled && (
        <SettingsGroup title={t("settings.paths")}>
          <Lines label={t("settings.paths")}>
            {models.data !== undefined && (
              <Fact name={t("settings.models")}>
                <PathText>{models.data.path}</PathText>
              </Fact>
            )}
            {directories.data?.map((directory) => (
              <Fact key={directory} name={t("settings.sessions")}>
                <PathText>{directory}</PathText>
              </Fact>
            ))}
          </Lines>
        </SettingsGroup>
      )}
      <SettingsGroup title={t("settings.licences")}>
        <Licences />
      </SettingsGroup>
    </>
  );
}
