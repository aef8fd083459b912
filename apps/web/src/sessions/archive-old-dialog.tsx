import type { CommandOutput } from "@sm/router/client";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { commandQuery } from "../client/commands.ts";
import type { Service } from "../client/service.ts";
import { useService } from "../client/service-context.tsx";
import { Button } from "../design/button.tsx";
import { Select } from "../design/choices.tsx";
import { Dialog } from "../design/dialog.tsx";
import { ErrorState } from "../design/error-state.tsx";
import { Field } from "../design/input.tsx";
import { toastError } from "../design/toast.tsx";
import { formatBytes } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { inBatches } from "./path-batches.ts";
import { offerUndo } from "./undo.ts";

const AGES = [30, 90, 180, 365] as const;
const DAY_MS = 86_400_000;
/** Lists give this many sessions. */
const PAGE = 500;

/** Archives all sessions of an age that are no favorites, after it has told how many these are. */
export function ArchiveOldDialog({ onClose }: { onClose(): void }) {
  const service = useService();
  const [days, setDays] = useState<(typeof AGES)[number]>(90);
  const [isBusy, setBusy] = useState(false);
  const chosen = useMemo(
    () => ({ query: "-is:favorite -is:live", until: new Date(Date.now() - days * DAY_MS).toISOString() }),
    [days],
  );
  const { data, error, refetch } = useQuery(
    commandQuery(service, "list_sessions", { ...chosen, limit: 1, with_total_size: true }),
  );
  const count = data?.total ?? 0;

  async function archive() {
    setBusy(true);
    try {
      const paths = await pathsOf(service, chosen);
      const changed = await setArchived(service, "archive_session", paths);
      const undo = () =>
        void setArchived(service, "unarchive_session", changed).catch((failure) =>
          toastError(t("list.archive_failed", { count: changed.length }), failure),
        );
      offerUndo({ text: t("list.archived_count", { count: changed.length }), undo });
      onClose();
    } catch (failure) {
      toastError(t("list.archive_failed", { count }), failure);
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t("list.archive_old")}
      size="sm"
      footer={
        <>
          <Button onClick={onClose}>{t("frame.cancel")}</Button>
          <Button variant="primary" disabled={isBusy || count === 0} onClick={() => void archive()}>
            {t("list.archive")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Field label={t("list.archive_age")}>
          {({ id }) => (
            <Select
              id={id}
              className="w-full"
              value={String(days)}
              options={AGES.map((age) => ({ value: String(age), text: t("list.archive_days", { count: age }) }))}
              onChange={(value) => setDays(AGES.find((age) => String(age) === value) ?? 90)}
            />
          )}
        </Field>
        {error !== null ? (
          <ErrorState title={t("list.failed")} error={error} onRetry={() => void refetch()} />
        ) : (
          <output className="min-h-10 text-muted text-sm">
            {data !== undefined && t("list.archive_preview", { count, size: formatBytes(data.total_size_bytes ?? 0) })}
          </output>
        )}
        <p className="text-faint text-xs">{t("list.archive_keeps")}</p>
      </div>
    </Dialog>
  );
}

async function pathsOf(service: Service, chosen: { query: string; until: string }): Promise<string[]> {
  const paths: string[] = [];
  let cursor: string | null = null;
  do {
    const page: CommandOutput<"list_sessions"> = await service.call("list_sessions", {
      ...chosen,
      limit: PAGE,
      ...(cursor !== null && { cursor }),
    });
    paths.push(...page.sessions.map(({ path }) => path));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return paths;
}

/** Gives the paths of those that changed. What cannot be changed is left as it is. */
async function setArchived(
  service: Service,
  command: "archive_session" | "unarchive_session",
  paths: readonly string[],
): Promise<string[]> {
  const changed: string[] = [];
  for (const batch of inBatches(paths)) changed.push(...(await service.call(command, { paths: batch })).changed);
  return changed;
}
