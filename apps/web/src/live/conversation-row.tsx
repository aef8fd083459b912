import { oneLine } from "@sm/core";
import {
  CircleAlert,
  CirclePower,
  Info,
  ListX,
  type LucideIcon,
  OctagonX,
  RotateCw,
  TriangleAlert,
} from "lucide-react";
import { memo } from "react";
import { Output } from "../entries/content/output.tsx";
import { Disclosure } from "../entries/disclosure.tsx";
import { ItemBody } from "../entries/item-body.tsx";
import { speakerName } from "../entries/speaker-name.ts";
import { formatBytes } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import type { ConversationRow } from "./conversation.ts";
import type { Notice } from "./notice.ts";
import { RowHead } from "./row-head.tsx";

/** Characters of a prompt that was taken out of the queue. */
const MAX_PROMPT_LENGTH = 200;

/** Shows one row of a conversation. Rows do not change, but for results that come to a call. */
export const RowView = memo(function RowView({ row }: { row: ConversationRow }) {
  if (row.kind === "notice") return <NoticeView id={row.key} notice={row.notice} />;
  const { item } = row;
  const kind = item.kind === "message" ? item.role : item.kind;
  const continues = row.kind === "message" && row.continues;
  const model = item.kind === "message" ? item.model : null;
  return (
    <article
      className={`entry entry-${kind}`}
      data-continues={continues || undefined}
      aria-label={speakerName(item, null)}
    >
      {!continues && item.kind !== "summary" && (
        <RowHead name={speakerName(item, null)} timestamp={item.timestamp} model={model} />
      )}
      {item.kind !== "note" && <ItemBody row={row} />}
    </article>
  );
});

function NoticeView({ id, notice }: { id: string; notice: Notice }) {
  switch (notice.type) {
    case "told":
      return <NoticeLine icon={LEVELS[notice.level]} isBad={notice.level === "error"} text={notice.text} />;
    case "retrying":
      return (
        <NoticeLine icon={RotateCw} text={t("live.retrying", { attempt: notice.attempt })} detail={notice.error} />
      );
    case "gave_up":
      return <NoticeLine icon={CircleAlert} isBad text={t("live.gave_up")} detail={notice.error} />;
    case "aborted":
      return <NoticeLine icon={OctagonX} text={t("live.aborted")} />;
    case "compaction_aborted":
      return <NoticeLine icon={OctagonX} text={t("live.compaction_aborted")} />;
    case "retrying_summary":
      return (
        <NoticeLine
          icon={RotateCw}
          text={t("live.retrying_summary", { attempt: notice.attempt })}
          detail={notice.error}
        />
      );
    case "queue_cleared":
      return (
        <NoticeLine
          icon={ListX}
          text={t("live.queue_cleared")}
          detail={notice.prompts.map((prompt) => `“${oneLine(prompt, MAX_PROMPT_LENGTH)}”`).join(", ")}
        />
      );
    case "compaction_failed":
      return <NoticeLine icon={CircleAlert} isBad text={t("live.compaction_failed")} detail={notice.error} />;
    case "extension_failed":
      return (
        <NoticeLine
          icon={CircleAlert}
          isBad
          text={t("live.extension_failed", { name: notice.name })}
          detail={notice.error}
        />
      );
    case "prompt_failed":
      return <NoticeLine icon={CircleAlert} isBad text={t("live.prompt_failed")} detail={notice.error} />;
    case "line_skipped":
      return <NoticeLine icon={Info} text={t("live.line_skipped", { size: formatBytes(notice.bytes) })} />;
    case "garbage":
      return (
        <div className="entry">
          <Disclosure kind="asides" id={id} className="aside" summary={<span>{t("live.garbage")}</span>}>
            {() => <Output text={notice.text} />}
          </Disclosure>
        </div>
      );
    case "exit":
      return <ExitNotice notice={notice} />;
  }
}

const LEVELS = { info: Info, warning: TriangleAlert, error: CircleAlert } as const;

interface NoticeLineProps {
  icon: LucideIcon;
  isBad?: boolean;
  text: string;
  detail?: string;
}

function NoticeLine({ icon: Icon, isBad = false, text, detail = "" }: NoticeLineProps) {
  return (
    <div className="entry">
      <p className={`flex gap-2 whitespace-pre-wrap text-sm ${isBad ? "text-danger" : "text-muted"}`}>
        <Icon aria-hidden size={15} strokeWidth={1.75} className="mt-0.5 shrink-0" />
        <span className="min-w-0">
          {text}
          {detail !== "" && <> {detail}</>}
        </span>
      </p>
    </div>
  );
}

function ExitNotice({ notice }: { notice: Extract<Notice, { type: "exit" }> }) {
  const { exitCode, signal, stderr, isStopped } = notice;
  const isBad = !isStopped && exitCode !== 0 && signal !== "SIGTERM";
  const how =
    signal !== null ? t("live.exit_signal", { signal }) : t("live.exit_code", { code: String(exitCode ?? "?") });
  return (
    <section className="entry" aria-label={t("live.ended")}>
      <div className={`mt-2 rounded-lg p-3 ${isBad ? "bg-danger-soft" : "bg-sunken"}`}>
        <p className={`flex items-center gap-2 text-sm ${isBad ? "text-danger" : "text-muted"}`}>
          <CirclePower aria-hidden size={15} strokeWidth={1.75} className="shrink-0" />
          {isBad ? how : t("live.ended")}
        </p>
        {isBad && stderr.trim() !== "" && (
          <div className="mt-2">
            <p className="mb-1 text-muted text-xs">{t("live.stderr")}</p>
            <Output text={stderr} />
          </div>
        )}
      </div>
    </section>
  );
}
