import { CommandError } from "@sm/router/client";
import { useQuery } from "@tanstack/react-query";
import { commandQuery } from "../../client/commands.ts";
import { useService } from "../../client/service-context.tsx";
import { ErrorState } from "../../design/error-state.tsx";
import { SkeletonLines } from "../../design/placeholder.tsx";
import { t } from "../../i18n/text.ts";
import { SectionIntro } from "../section-parts.tsx";
import { FIELD_GROUPS } from "./server-fields.ts";
import { ServerForm } from "./server-form.tsx";

/** `session-manager.json`: how the service is reached and what it may do. */
export function ServerSection() {
  const service = useService();
  const { data, error, refetch } = useQuery(commandQuery(service, "get_config_bundle"));
  const { data: overrides = [] } = useQuery(commandQuery(service, "get_config_overrides"));
  if (data === undefined) {
    if (error === null) return <SkeletonLines count={8} />;
    const isForbidden = error instanceof CommandError && error.code === "FORBIDDEN";
    return (
      <ErrorState
        title={t("settings.server_failed")}
        error={error}
        onRetry={isForbidden ? undefined : () => void refetch()}
      />
    );
  }
  return (
    <>
      <SectionIntro>{t("settings.server_text")}</SectionIntro>
      {/* Somebody else's change of the same fields begins the form anew; a tag that is made does not. */}
      <ServerForm
        key={JSON.stringify(data.server)}
        server={data.server}
        groups={FIELD_GROUPS}
        saved={t("settings.server_saved")}
        overrides={overrides}
      />
    </>
  );
}
