import { useRef, useState } from "react";
import { type Draft, draftOf, EMPTY_DRAFT, keepDraft } from "../agents/prompt-drafts.ts";
import { useService } from "../client/service-context.tsx";
import { toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";

/** `prompt` begins a turn; in one, `steer` interrupts it and `follow_up` waits for its end. */
export type PromptMode = "prompt" | "steer" | "follow_up";

/** A prompt that the agent has not accepted yet. */
export interface SentPrompt {
  id: number;
  text: string;
}

/** The prompt of a session: as it is typed, and on its way. */
export interface PromptState {
  draft: Draft;
  setDraft(change: (draft: Draft) => Draft): void;
  sent: readonly SentPrompt[];
  send(mode: PromptMode): void;
  /** Takes the prompts out of the agent's queue, back to where they are typed. Rejects where the agent cannot do that. */
  takeBack(): Promise<void>;
}

export function usePrompt(sessionId: string): PromptState {
  const service = useService();
  const [draft, setOwnDraft] = useState(() => draftOf(sessionId));
  const [sent, setSent] = useState<readonly SentPrompt[]>([]);
  /** Of the prompts on their way to the agent; never rejects. */
  const delivered = useRef<Promise<unknown>>(Promise.resolve());

  function setDraft(change: (draft: Draft) => Draft) {
    setOwnDraft((before) => {
      const next = change(before);
      keepDraft(sessionId, next);
      return next;
    });
  }

  async function deliver(prompt: Draft, mode: PromptMode) {
    const id = Date.now() + Math.random();
    const images = prompt.images.map(({ data, mimeType }) => ({ data, mime_type: mimeType }));
    setSent((all) => [...all, { id, text: prompt.text }]);
    setDraft(() => EMPTY_DRAFT);
    try {
      await service.call("send_coding_agent_rpc", { session_id: sessionId, prompt: prompt.text, mode, images });
    } catch (error) {
      toastError(t("live.send_failed"), error);
      setDraft((now) => inFront(prompt, now));
    }
    setSent((all) => all.filter((one) => one.id !== id));
  }

  async function takeBack() {
    // A prompt still being sent would reach the queue after it was cleared.
    await delivered.current;
    const { steering, follow_up } = await service.call("clear_coding_session_queue", { session_id: sessionId });
    const text = [...steering, ...follow_up].join("\n\n");
    setDraft((now) => inFront({ text, images: [] }, now));
  }

  return {
    draft,
    setDraft,
    sent,
    send(mode) {
      if (draft.text.trim() === "") return;
      delivered.current = Promise.all([delivered.current, deliver(draft, mode)]);
    },
    takeBack,
  };
}

/** What comes back to be sent, before what was typed in the meantime. */
function inFront(back: Draft, now: Draft): Draft {
  const texts = [back.text, now.text].filter((text) => text !== "");
  return { text: texts.join("\n\n"), images: [...back.images, ...now.images] };
}
