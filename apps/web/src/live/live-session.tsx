import { Link } from "@tanstack/react-router";
import { Eye, RotateCw } from "lucide-react";
import { useMemo } from "react";
import { questionText } from "../agents/question-text.ts";
import { type LiveSession, useLiveSessionUpdate } from "../agents/use-live-sessions.ts";
import { useStarter } from "../agents/use-starter.ts";
import { useCommand } from "../client/commands.ts";
import { useConnection } from "../client/service-context.tsx";
import { Button } from "../design/button.tsx";
import { ErrorState } from "../design/error-state.tsx";
import { EmptyState, SkeletonLines } from "../design/placeholder.tsx";
import { toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { useActions } from "../shortcuts/actions.ts";
import { Composer } from "./composer.tsx";
import { ConversationView } from "./conversation-view.tsx";
import { Statuses, Widgets } from "./extension-view.tsx";
import { LiveHeader } from "./live-header.tsx";
import { saidIn } from "./prompt-history.ts";
import { QuestionCard } from "./question-card.tsx";
import { QueuedPrompts } from "./queued-prompts.tsx";
import { useConversation } from "./use-conversation.ts";
import { usePrompt } from "./use-prompt.ts";

/** A live session that is open: what was said, and what can be said to it. */
export function LiveSessionPane({ session }: { session: LiveSession }) {
  if (session.controllable) return <Chat session={session} />;
  return (
    <>
      <LiveHeader session={session} extensionTitle={null} />
      <ExternalSession session={session} />
    </>
  );
}

function Chat({ session }: { session: LiveSession }) {
  const { session_id, session_path, state } = session;
  const { conversation, isLoaded, error, hasLeftOut, retry } = useConversation(session_id, session_path);
  const { state: connection } = useConnection();
  const prompt = usePrompt(session_id);
  const update = useLiveSessionUpdate();
  const abort = useCommand("abort_coding_session", {
    onSuccess: update,
    onError: (reason) => toastError(t("live.abort_failed"), reason),
  });
  const isBusy = state === "streaming" || state === "waiting";
  const { rows, questions, queue, extensions } = conversation;
  const said = useMemo(() => saidIn(rows), [rows]);
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
            run: () => void onAbort(),
          },
        ]
      : [],
  );

  const header = <LiveHeader session={session} extensionTitle={extensions.title} />;
  if (!isLoaded) {
    return (
      <>
        {header}
        {error !== null ? (
          <ErrorState title={t("live.failed_to_load")} error={error} onRetry={retry} />
        ) : (
          <SkeletonLines count={6} className="mx-auto w-full max-w-184 flex-1 px-6 py-8" />
        )}
      </>
    );
  }
  return (
    <>
      {header}
      <ConversationView
        conversation={conversation}
        sessionPath={session_path}
        hasLeftOut={hasLeftOut}
        isBusy={state === "streaming"}
      />
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
          />
        )}
        <Widgets widgets={extensions.widgets} isBelowPrompt />
        <Statuses statuses={extensions.statuses} />
      </div>
    </>
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

function ExternalSession({ session: { session_path, cwd } }: { session: LiveSession }) {
  return (
    <EmptyState
      icon={Eye}
      title={t("live.external")}
      actions={
        <Link
          to={session_path === null ? "/" : "/session"}
          search={(session_path === null ? { project: cwd } : { path: session_path }) as never}
          className="inline-flex h-8 items-center rounded-md bg-press px-3 text-sm hover:bg-selected touch:min-h-11"
        >
          {t(session_path === null ? "live.show_project" : "live.open_transcript")}
        </Link>
      }
    >
      {t("live.external_text")}
      <code className="mt-3 block rounded-md bg-sunken px-3 py-2 font-mono text-xs">
        pi install npm:@sm/pi-extension
      </code>
    </EmptyState>
  );
}
