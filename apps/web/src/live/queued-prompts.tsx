import { oneLine } from "@sm/core";
import { CornerDownRight, ListEnd, Send, Undo2 } from "lucide-react";
import { IconButton } from "../design/button.tsx";
import { type PlainTextKey, t } from "../i18n/text.ts";
import type { Queue } from "./conversation.ts";
import type { SentPrompt } from "./use-prompt.ts";

/** Characters of a waiting prompt that are shown. */
const LONGEST = 300;

const KINDS = {
  sending: { icon: Send, text: "live.sending" },
  steering: { icon: CornerDownRight, text: "live.steering" },
  followUp: { icon: ListEnd, text: "live.following_up" },
} as const satisfies Record<string, { icon: unknown; text: PlainTextKey }>;

interface QueuedPromptsProps {
  queue: Queue;
  sent: readonly SentPrompt[];
  onTakeBack(): void;
}

/** Prompts that wait: on their way to the agent, or for their turn. */
export function QueuedPrompts({ queue, sent, onTakeBack }: QueuedPromptsProps) {
  const waiting = [
    ...queue.steering.map((text) => ({ kind: "steering" as const, text })),
    ...queue.followUp.map((text) => ({ kind: "followUp" as const, text })),
    ...sent.map(({ text }) => ({ kind: "sending" as const, text })),
  ];
  if (waiting.length === 0) return null;
  const canTakeBack = queue.steering.length + queue.followUp.length > 0;
  return (
    <div className="flex items-start gap-2">
      <ul
        aria-label={t("live.waiting_prompts")}
        className="flex max-h-32 min-w-0 flex-1 flex-col gap-1 overflow-y-auto px-1"
      >
        {waiting.map(({ kind, text }, at) => {
          const { icon: Icon, text: label } = KINDS[kind];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same prompt may wait twice
            <li key={at} className="flex min-w-0 items-center gap-2 text-muted text-sm">
              <Icon aria-hidden size={14} strokeWidth={1.75} className="shrink-0 text-faint" />
              <span className="shrink-0 text-faint text-xs">{t(label)}</span>
              <span className="min-w-0 truncate">{oneLine(text, LONGEST)}</span>
            </li>
          );
        })}
      </ul>
      {canTakeBack && <IconButton icon={Undo2} label={t("live.take_back")} onClick={onTakeBack} />}
    </div>
  );
}
