import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { commandQuery } from "../../client/commands.ts";
import type { Service } from "../../client/service.ts";
import { useService, useSession } from "../../client/service-context.tsx";
import { IconButton } from "../../design/button.tsx";
import { copyText } from "../../design/copy-text.ts";
import { ErrorState, errorText } from "../../design/error-state.tsx";
import { LineSums } from "../../design/line-sums.tsx";
import { EmptyState, SkeletonLines } from "../../design/placeholder.tsx";
import { toast } from "../../design/toast.tsx";
import { t } from "../../i18n/text.ts";
import type { TranscriptReader } from "../transcript-reader.ts";
import { ChangedFileRow } from "./changed-file-row.tsx";
import { patchText } from "./patch-text.ts";

interface ChangesPanelProps {
  path: string;
  reader: TranscriptReader;
  onGo(entryId: string): void;
}

/** Begins to load what the panel shows: of a long session it takes a moment to find. */
export function usePreloadChanges(path: string | null, reader: TranscriptReader): () => void {
  const service = useService();
  const queries = useQueryClient();
  return () => {
    const branch = path === null ? null : branchOf(path, reader);
    if (branch?.leaf_id !== undefined) void queries.prefetchQuery(changesQuery(service, branch));
  };
}

/** The files that the shown branch has changed, with one diff for each. */
export function ChangesPanel({ path, reader, onGo }: ChangesPanelProps) {
  const service = useService();
  const cwd = useSession(path)?.cwd ?? null;
  const branch = branchOf(path, reader);
  const { data, error, refetch } = useQuery({
    ...changesQuery(service, branch),
    enabled: branch.leaf_id !== undefined,
    // While an agent works, the list stays until the next one is there.
    placeholderData: (previous) => previous,
  });
  if (error !== null && data === undefined) {
    return <ErrorState title={t("changes.failed")} error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <SkeletonLines count={6} className="p-4" />;
  if (data.files.length === 0) return <EmptyState title={t("changes.none")}>{t("changes.none_more")}</EmptyState>;

  const copyPatch = async () => {
    try {
      await copyText(patchText((await service.call("read_session_changes", branch)).files, cwd));
    } catch (failure) {
      toast({ text: errorText(failure), tone: "danger" });
    }
  };
  return (
    <>
      <div className="flex items-center gap-2 px-4 pb-2 text-muted text-sm">
        <span className="flex-1">
          {t("changes.files", { count: data.files.length })} <LineSums {...data} />
          {!data.complete && ` · ${t("changes.incomplete")}`}
        </span>
        <IconButton icon={Copy} size="sm" label={t("changes.copy_patch")} onClick={() => void copyPatch()} />
      </div>
      <ul className="changed-files" aria-label={t("transcript.changes")}>
        {data.files.map((file) => (
          <ChangedFileRow key={file.path} branch={branch} file={file} onGo={onGo} />
        ))}
      </ul>
    </>
  );
}

/** The branch that is shown; without a leaf until that is known. */
function branchOf(path: string, { pages }: TranscriptReader): { path: string; leaf_id?: string } {
  const leaf = pages.ids.at(-1);
  return { path, ...(leaf !== undefined && { leaf_id: leaf }) };
}

function changesQuery(service: Service, branch: { path: string; leaf_id?: string }) {
  return commandQuery(service, "read_session_changes", { ...branch, files: [] });
}
