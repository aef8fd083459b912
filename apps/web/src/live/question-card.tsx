import { MessageCircleQuestion } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useCommand } from "../client/commands.ts";
import { Button } from "../design/button.tsx";
import { Input, TextArea } from "../design/input.tsx";
import { toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import type { Question } from "./question.ts";

type Answer = { value: string } | { confirmed: boolean } | { cancelled: true };

/** Shows a question of the agent until it is answered, here or elsewhere. */
export function QuestionCard({ sessionId, question }: { sessionId: string; question: Question }) {
  const id = useId();
  const { mutate, isPending } = useCommand("answer_coding_agent_request", {
    onError: (error) => toastError(t("live.answer_failed"), error),
  });
  const answer = (given: Answer) => mutate({ session_id: sessionId, request_id: question.id, ...given });
  return (
    <section
      aria-labelledby={`${id}-title`}
      aria-describedby={question.message === "" ? undefined : `${id}-message`}
      className="rounded-lg bg-warning-soft p-4"
    >
      <h3 id={`${id}-title`} className="flex gap-2 whitespace-pre-wrap text-sm">
        <MessageCircleQuestion aria-hidden size={17} strokeWidth={1.75} className="mt-0.5 shrink-0 text-warning" />
        <span className="min-w-0 [overflow-wrap:anywhere]">{question.title || t("live.question")}</span>
      </h3>
      {question.message !== "" && (
        <p
          id={`${id}-message`}
          className="mt-1 max-h-48 overflow-y-auto whitespace-pre-wrap pl-6 text-muted text-sm [overflow-wrap:anywhere]"
        >
          {question.message}
        </p>
      )}
      <fieldset disabled={isPending} className="mt-3 pl-6" aria-labelledby={`${id}-title`}>
        <Choices question={question} labelId={`${id}-title`} onAnswer={answer} />
      </fieldset>
    </section>
  );
}

interface ChoicesProps {
  question: Question;
  labelId: string;
  onAnswer(answer: Answer): void;
}

function Choices({ question, labelId, onAnswer }: ChoicesProps): ReactNode {
  const cancel = (
    <Button variant="ghost" onClick={() => onAnswer({ cancelled: true })}>
      {t("frame.cancel")}
    </Button>
  );
  switch (question.method) {
    case "confirm":
      return (
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" onClick={() => onAnswer({ confirmed: true })}>
            {t("live.yes")}
          </Button>
          <Button onClick={() => onAnswer({ confirmed: false })}>{t("live.no")}</Button>
        </div>
      );
    case "select":
      return (
        <>
          <ul className="mb-2 flex max-h-60 flex-col gap-1 overflow-y-auto">
            {question.options.map((option) => (
              <li key={option}>
                <button
                  type="button"
                  onClick={() => onAnswer({ value: option })}
                  className="min-h-8 w-full rounded-md bg-paper px-3 py-1 text-left text-sm [overflow-wrap:anywhere] hover:bg-selected disabled:opacity-50 touch:min-h-11"
                >
                  {option}
                </button>
              </li>
            ))}
          </ul>
          {cancel}
        </>
      );
    case "input":
      return <TextQuestion placeholder={question.placeholder} labelId={labelId} cancel={cancel} onAnswer={onAnswer} />;
    case "editor":
      return <TextQuestion prefill={question.prefill} labelId={labelId} cancel={cancel} onAnswer={onAnswer} />;
  }
}

interface TextQuestionProps {
  placeholder?: string;
  /** Of many lines, where it is given. */
  prefill?: string;
  labelId: string;
  cancel: ReactNode;
  onAnswer(answer: Answer): void;
}

/** The service takes no more. */
const MAX_ANSWER_LENGTH = 1_048_576;

function TextQuestion({ placeholder = "", prefill, labelId, cancel, onAnswer }: TextQuestionProps) {
  const [value, setValue] = useState(prefill ?? "");
  const attributes = { "aria-labelledby": labelId, value, maxLength: MAX_ANSWER_LENGTH };

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    onAnswer({ value });
  }

  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-2">
      {prefill === undefined ? (
        <Input {...attributes} placeholder={placeholder} onChange={({ target }) => setValue(target.value)} />
      ) : (
        <TextArea
          {...attributes}
          rows={Math.min(12, prefill.split("\n").length + 1)}
          className="font-mono"
          onChange={({ target }) => setValue(target.value)}
        />
      )}
      <div className="flex gap-2">
        <Button type="submit" variant="primary">
          {t("live.answer")}
        </Button>
        {cancel}
      </div>
    </form>
  );
}
