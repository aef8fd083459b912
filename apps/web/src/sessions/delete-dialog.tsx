import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { formatBytes } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { sessionTitle } from "../projects/session-title.ts";
import type { DeletedAlong } from "./deletion-preview.ts";
import type { Deletion } from "./use-deletion.ts";

/** Asks before a session goes that an agent is at work in, or with which other files go. */
export function DeleteDialog({ deletion: { asked, answer } }: { deletion: Deletion }) {
  if (asked === null) return null;
  const { records, along } = asked;
  const isLive = records.some(({ is_live }) => is_live);
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || answer(false)}
      title={isLive ? t("list.delete_live") : t("list.delete_question", { count: records.length })}
      {...(records.length === 1 && records[0] !== undefined && { description: sessionTitle(records[0]) })}
      size="sm"
      footer={
        <>
          <Button onClick={() => answer(false)}>{t("frame.cancel")}</Button>
          <Button variant="danger" onClick={() => answer(true)}>
            {t(isLive ? "list.delete_anyway" : "list.delete")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-muted text-sm">
        {isLive && <p>{t("list.delete_live_text")}</p>}
        {along.subagents + along.files > 0 && <Along along={along} />}
      </div>
    </Dialog>
  );
}

function Along({ along: { subagents, files, bytes, isPart } }: { along: DeletedAlong }) {
  return (
    <div>
      <p>{t("list.deleted_along")}</p>
      <ul className="list-disc pl-5">
        {subagents > 0 && <li>{t("list.deleted_subagents", { count: subagents })}</li>}
        {files > 0 && <li>{t("list.deleted_files", { count: files })}</li>}
      </ul>
      <p className="pt-1 text-faint text-xs">
        {t("list.deleted_size", { size: formatBytes(bytes) })}
        {isPart && ` ${t("list.deleted_more")}`}
      </p>
    </div>
  );
}
