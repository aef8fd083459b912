import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { commandQuery } from "../../client/commands.ts";
import { useService } from "../../client/service-context.tsx";
import { ErrorState } from "../../design/error-state.tsx";
import { LineSums } from "../../design/line-sums.tsx";
import { SkeletonLines } from "../../design/placeholder.tsx";
import { DiffView } from "../../entries/content/output.tsx";
import { renderedDiff } from "../../entries/content/rendered.ts";
import { formatWhen } from "../../i18n/format.ts";
import { t } from "../../i18n/text.ts";
import type { ChangedFile } from "./patch-text.ts";

interface ChangedFileProps {
  branch: { path: string; leaf_id?: string };
  file: ChangedFile;
  onGo(entryId: string): void;
}

/** A changed file, which opens to its diff and the calls that changed it. */
export function ChangedFileRow({ branch, file, onGo }: ChangedFileProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { folder, name } = partsOf(file.path);
  return (
    <li className="changed-file">
      <button
        type="button"
        className="outline-item"
        aria-expanded={isOpen}
        title={file.path}
        onClick={() => setIsOpen(!isOpen)}
      >
        <ChevronRight aria-hidden className="chevron" />
        <span className="min-w-0 flex-1">
          <span className="text-ink">{name}</span>
          {file.action === "deleted" && <span className="text-faint"> {t("changes.deleted")}</span>}
          <span className="changed-folder">
            {file.moved_from === null ? folder : t("changes.moved_from", { path: file.moved_from })}
          </span>
        </span>
        <LineSums {...file} />
      </button>
      {isOpen && <FileChanges branch={branch} file={file} onGo={onGo} />}
    </li>
  );
}

function FileChanges({ branch, file, onGo }: ChangedFileProps) {
  const service = useService();
  const { data, error, refetch } = useQuery({
    ...commandQuery(service, "read_session_changes", { ...branch, files: [file.path] }),
    placeholderData: (previous) => previous,
  });
  const shown = data?.files.find(({ path }) => path === file.path);
  const diff = useMemo(() => (shown?.diff ? renderedDiff(shown.diff) : null), [shown]);
  if (error !== null && data === undefined) {
    return <ErrorState title={t("changes.failed")} error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <SkeletonLines count={3} className="p-4" />;
  return (
    <div className="changed-diff">
      {diff !== null && <DiffView diff={diff} path={file.path} />}
      {shown?.truncated === true && <p className="px-2 text-faint text-xs">{t("changes.truncated")}</p>}
      <ol className="flex flex-wrap gap-1 px-2 py-1" aria-label={t("changes.edits")}>
        {file.edits.map((edit, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one entry may edit a file several times
          <li key={`${edit.entry_id} ${at}`}>
            <button type="button" className="changed-edit" onClick={() => onGo(edit.entry_id)}>
              {edit.timestamp === null ? t("changes.edit", { number: at + 1 }) : formatWhen(edit.timestamp)}{" "}
              <LineSums {...edit} />
            </button>
          </li>
        ))}
      </ol>
      <Link to="/search" search={{ q: `file:"${file.path.replaceAll('"', "")}"` } as never} className="changed-search">
        {t("changes.other_sessions")}
      </Link>
    </div>
  );
}

function partsOf(path: string): { folder: string; name: string } {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return { folder: path.slice(0, Math.max(at, 0)), name: path.slice(at + 1) };
}
