import { useLiveSessions } from "../agents/use-live-sessions.ts";
import { formatCompact } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { useBoard } from "./use-board.ts";

/** How many agents and programs wait for the user; otherwise how many sessions are live. */
export function WaitingNumber({ live }: { live: number }) {
  const rows = useBoard(useLiveSessions().data);
  const waiting = rows.filter(({ group }) => group === "waiting").length;
  if (waiting === 0) return live > 0 ? formatCompact(live) : null;
  const text = t("live.waiting_count", { count: waiting });
  return (
    <span role="img" aria-label={text} title={text} className="rounded-sm bg-warning-soft px-1.5 text-warning">
      {formatCompact(waiting)}
    </span>
  );
}
