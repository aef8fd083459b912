import { useQuery } from "@tanstack/react-query";
import { commandQuery } from "../../client/commands.ts";
import { useService } from "../../client/service-context.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { ErrorState } from "../../design/error-state.tsx";
import { SkeletonLines } from "../../design/placeholder.tsx";
import { t } from "../../i18n/text.ts";

export interface ResourcePreviewProps {
  resource: { name: string; path: string; problems: readonly string[] };
  onClose(): void;
}

/** The text of a skill, prompt or theme file. */
export function ResourcePreview({ resource: { name, path, problems }, onClose }: ResourcePreviewProps) {
  const { data, error, refetch } = useQuery({
    ...commandQuery(useService(), "read_resource", { path }),
    refetchOnMount: "always",
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={name}
      description={<span className="font-mono text-xs [overflow-wrap:anywhere]">{path}</span>}
      size="lg"
    >
      {problems.length > 0 && (
        <ul className="mb-3 flex flex-col gap-1 rounded-md bg-warning-soft px-3 py-2 text-sm text-warning">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {error !== null ? (
        <ErrorState title={t("settings.resource_failed")} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonLines count={8} />
      ) : (
        <pre className="whitespace-pre-wrap rounded-md bg-sunken px-4 py-3 font-mono text-xs [overflow-wrap:anywhere]">
          {data.content}
        </pre>
      )}
    </Dialog>
  );
}
