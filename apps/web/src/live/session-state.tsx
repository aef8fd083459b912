import type { LiveSession } from "../agents/use-live-sessions.ts";
import { LiveDot } from "../design/chip.tsx";
import { t } from "../i18n/text.ts";

const TEXTS = {
  idle: "live.state_idle",
  streaming: "live.state_streaming",
  waiting: "live.state_waiting",
  exited: "live.state_exited",
} as const;

/** Says what an agent is doing. */
export function SessionState({ session: { state, controllable } }: { session: LiveSession }) {
  if (!controllable) return <Mark className="bg-live" text={t("live.state_external")} />;
  if (state === "streaming") return <LiveDot text={t(TEXTS.streaming)} />;
  if (state === "waiting") return <Mark className="bg-warning" textClass="text-warning" text={t(TEXTS.waiting)} />;
  return <Mark className={state === "exited" ? "ring-1 ring-faint ring-inset" : "bg-live"} text={t(TEXTS[state])} />;
}

function Mark({ className, textClass = "text-faint", text }: { className: string; textClass?: string; text: string }) {
  return (
    <span className={`inline-flex shrink-0 items-center gap-1.5 text-xs ${textClass}`}>
      <span aria-hidden className={`size-2 rounded-full ${className}`} />
      {text}
    </span>
  );
}
