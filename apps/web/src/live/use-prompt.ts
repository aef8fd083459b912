import { useState } from "react";
import { useService } from "../client/service-context.tsx";
import { toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import type { PromptImage } from "./prompt-images.ts";

/** `prompt` begins a turn; in one, `steer` interrupts it and `follow_up` waits for its end. */
export type PromptMode = "prompt" | "steer" | "follow_up";

/** What somebody has typed and not sent yet. */
export interface Draft {
  text: string;
  images: readonly PromptImage[];
}

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
}

const EMPTY_DRAFT: Draft = { text: "", images: [] };

/** What was typed stays for as long as the page, whatever else is looked at meanwhile. */
const drafts = new Map<string, Draft>();
const MOST_DRAFTS = 50;

export function usePrompt(sessionId: string): PromptState {
  const service = useService();
  const [draft, setOwnDraft] = useState(() => drafts.get(sessionId) ?? EMPTY_DRAFT);
  const [sent, setSent] = useState<readonly SentPrompt[]>([]);

  function setDraft(change: (draft: Draft) => Draft) {
    setOwnDraft((before) => {
      const next = change(before);
      keep(sessionId, next);
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
      // Unless something else has been typed meanwhile.
      setDraft((now) => (now.text === "" && now.images.length === 0 ? prompt : now));
    }
    setSent((all) => all.filter((one) => one.id !== id));
  }

  return {
    draft,
    setDraft,
    sent,
    send(mode) {
      if (draft.text.trim() !== "") void deliver(draft, mode);
    },
  };
}

function keep(sessionId: string, draft: Draft): void {
  drafts.delete(sessionId);
  if (draft.text === "" && draft.images.length === 0) return;
  drafts.set(sessionId, draft);
  const [oldest] = drafts.keys();
  if (drafts.size > MOST_DRAFTS && oldest !== undefined) drafts.delete(oldest);
}
