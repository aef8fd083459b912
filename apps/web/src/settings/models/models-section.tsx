import { CommandError } from "@sm/router/client";
import { useQuery } from "@tanstack/react-query";
import { commandQuery } from "../../client/commands.ts";
import { useService } from "../../client/service-context.tsx";
import { ErrorState } from "../../design/error-state.tsx";
import { SkeletonLines } from "../../design/placeholder.tsx";
import { t } from "../../i18n/text.ts";
import { PathText, SectionIntro } from "../section-parts.tsx";
import { Backups } from "./backups.tsx";
import { ModelEditor } from "./model-editor.tsx";
import { ModelFiles } from "./model-files.tsx";

/** The agent's `models.json`. */
export function ModelsSection() {
  const { data, error, refetch } = useQuery(commandQuery(useService(), "load_model_config"));
  const isForbidden = error instanceof CommandError && error.code === "FORBIDDEN";
  return (
    <>
      <SectionIntro>
        {t("settings.models_text")}
        {data !== undefined && (
          <span className="block pt-1 text-ink">
            <PathText>{data.path}</PathText>
          </span>
        )}
      </SectionIntro>
      {error !== null ? (
        // Invalid JSON can be fixed manually, or by restoring a backup below.
        <ErrorState
          title={t("settings.models_failed")}
          error={error}
          onRetry={isForbidden ? undefined : () => void refetch()}
        />
      ) : data === undefined ? (
        <SkeletonLines count={10} />
      ) : (
        <ModelEditor config={data.config} />
      )}
      <Backups />
      <ModelFiles canExport={data?.exists === true} />
    </>
  );
}
