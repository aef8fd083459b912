import { EmptyState } from "../design/placeholder.tsx";
import { t } from "../i18n/text.ts";
import { RunningTools } from "./activity.tsx";
import type { Conversation } from "./conversation.ts";
import { StreamingView } from "./streaming-view.tsx";

interface NowViewProps {
  conversation: Conversation;
  /** Whether the agent works. */
  isBusy: boolean;
  /** Whether nothing was said yet. */
  isEmpty: boolean;
}

/** What an agent says and does now, at the end of its transcript. */
export function NowView({ conversation, isBusy, isEmpty }: NowViewProps) {
  const { rows, streaming, tools, isCompacting } = conversation;
  const last = rows.at(-1);
  const continues = last?.kind === "message" && last.item.role === "assistant";
  const isThinking = isBusy && streaming === null && tools.length === 0;
  return (
    <>
      {isEmpty && streaming === null && !isBusy && (
        <EmptyState title={t("live.nothing_said")}>{t("live.nothing_said_text")}</EmptyState>
      )}
      {streaming !== null && <StreamingView message={streaming} continues={continues} />}
      <RunningTools tools={tools} />
      <p role="status" className="entry text-faint text-sm">
        {isCompacting ? <Working text={t("live.compacting")} /> : isThinking && <Working text={t("live.working")} />}
      </p>
    </>
  );
}

function Working({ text }: { text: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden className="size-2 animate-[breathe_1.2s_infinite] rounded-full bg-live" />
      {text}
    </span>
  );
}
