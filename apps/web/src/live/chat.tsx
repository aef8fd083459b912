import { RotateCw } from "lucide-react";
import { type RefObject, useMemo } from "react";
import { questionText } from "../agents/question-text.ts";
import { type LiveSession, useLiveSessionUpdate } from "../agents/use-live-sessions.ts";
import { useStarter } from "../agents/use-starter.ts";
import { useCommand } from "../client/commands.ts";
import { useConnection } from "../client/service-context.tsx";
import { Button } from "../design/button.tsx";
import { toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { useActions } from "../shortcuts/actions.ts";
import type { TranscriptReader } from "../transcript/transcript-reader.ts";
import { Composer } from "./composer.tsx";
import { Statuses, Widgets } from "./extension-view.tsx";
import { saidIn } from "./prompt-history.ts";
import { QuestionCard } from "./question-card.tsx";
import { QueuedPrompts } from "./queued-prompts.tsx";
import type { ConversationState } from "./use-conversation.ts";
import { usePrompt } from "./use-prompt.ts";

interface ChatProps {
  session: LiveSession;
  state: ConversationState;
  reader: TranscriptReader;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Whether the prompt may take the focus from what has it. */
  mayTakeFocus(): boolean;
}

/** What can be said to an agent, below the transcript of its session. */
export function Chat({ session, state: { conversation, error, retry }, reader, field, mayTakeFocus }: ChatProps) {
  const { session_id, session_path, state } = session;
  const { state: connection } = useConnection();
  const prompt = usePrompt(session_id);
  const update = useLiveSessionUpdate();
  const abort = useCommand("abort_coding_session", {
    onSuccess: update,
    onError: (reason) => toastError(t("live.abort_failed"), reason),
  });
  const isBusy = state === "streaming" || state === "waiting";
  const { rows, questions, queue, extensions } = conversation;
  const { pages } = reader;
  const { ids } = pages;
  const said = useMemo(() => {
    const stored = ids.map((_, place) => pages.item(place));
    return saidIn([...stored, ...rows.map((row) => (row.kind === "notice" ? undefined : row.item))]);
  }, [pages, ids, rows]);
  async function onAbort() {
    // The agent would go on with what waits, of which the page may not have been told yet. Old agents cannot give it
    // back, and those in terminals keep it.
    await prompt.takeBack().catch(() => {});
    abort.mutate({ session_id });
  }
  const onTakeBack = () => prompt.takeBack().catch((reason) => toastError(t("live.take_back_failed"), reason));
  useActions(
    isBusy
      ? [
          {
            id: "live.abort",
            title: "live.abort",
            group: "live",
            keys: "escape",
            inFields: true,
            isOfScreen: true,
            run: () => void onAbort(),
          },
        ]
      : [],
  );

  return (
    <div className="mx-auto flex max-h-[70%] w-full max-w-200 shrink-0 flex-col gap-2 overflow-y-auto px-4 pt-1 pb-4 phone:px-2 phone:pb-2">
      {error !== null && connection === "open" && (
        <p role="alert" className="text-danger text-sm">
          {t("live.failed_to_load")}{" "}
          <button type="button" className="underline" onClick={retry}>
            {t("frame.retry")}
          </button>
        </p>
      )}
      <div aria-live="polite" className="flex flex-col gap-2 empty:hidden">
        {questions.map((question) => (
          <QuestionCard key={question.id} sessionId={session_id} question={question} />
        ))}
        {state === "waiting" && questions.length === 0 && (
          <p className="text-muted text-sm">
            {t("live.waits_in_terminal")} <bdi>{session.question !== null && questionText(session.question)}</bdi>
          </p>
        )}
      </div>
      <Widgets widgets={extensions.widgets} isBelowPrompt={false} />
      <QueuedPrompts queue={queue} sent={prompt.sent} onTakeBack={() => void onTakeBack()} />
      {state === "exited" ? (
        <Ended sessionPath={session_path} />
      ) : (
        <Composer
          sessionId={session_id}
          prompt={prompt}
          said={said}
          isBusy={isBusy}
          isAborting={abort.isPending}
          onAbort={() => void onAbort()}
          field={field}
          mayTakeFocus={mayTakeFocus}
        />
      )}
      <Widgets widgets={extensions.widgets} isBelowPrompt />
      <Statuses statuses={extensions.statuses} />
    </div>
  );
}

function Ended({ sessionPath }: { sessionPath: string | null }) {
  const { isStarting, resume } = useStarter();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-sunken px-4 py-3">
      <p className="text-muted text-sm">{t(sessionPath === null ? "live.ended_unsaved" : "live.ended_text")}</p>
      {sessionPath !== null && (
        <Button icon={RotateCw} variant="primary" disabled={isStarting} onClick={() => resume(sessionPath)}>
          {t("live.resume")}
        </Button>
      )}
    </div>
  );
}
