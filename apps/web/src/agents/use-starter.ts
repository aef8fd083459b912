import { CommandError, type CommandInput } from "@sm/router/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useService } from "../client/service-context.tsx";
import { toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { EMPTY_DRAFT, keepDraft } from "./prompt-drafts.ts";
import { useLiveSessionUpdate } from "./use-live-sessions.ts";

/** Starts agents and goes to what they say. */
export interface Starter {
  isStarting: boolean;
  /** Goes to the session once it runs, with the first prompt if there is one; rejects where it does not. */
  start(options: CommandInput<"start_coding_session">, prompt?: string): Promise<void>;
  /** The same for a stored session; shows errors. */
  resume(path: string): void;
}

export function useStarter(): Starter {
  const service = useService();
  const navigate = useNavigate();
  const update = useLiveSessionUpdate();
  const [isStarting, setStarting] = useState(false);

  /** What cannot be sent stays in the field of the session. */
  async function begin(sessionId: string, prompt: string): Promise<void> {
    try {
      await service.call("send_coding_agent_rpc", { session_id: sessionId, prompt, mode: "prompt" });
    } catch (error) {
      keepDraft(sessionId, { ...EMPTY_DRAFT, text: prompt });
      toastError(t("live.send_failed"), error);
    }
  }

  async function start(options: CommandInput<"start_coding_session">, prompt = ""): Promise<void> {
    setStarting(true);
    try {
      const session = await service.call("start_coding_session", options);
      update(session);
      if (prompt.trim() !== "") await begin(session.session_id, prompt);
      await navigate({ to: "/live", search: { session: session.session_id } });
    } catch (error) {
      const running = runningSession(error);
      if (running === null) throw error;
      await navigate({ to: "/live", search: { session: running } });
    } finally {
      setStarting(false);
    }
  }

  return {
    isStarting,
    start,
    resume: (path) => {
      start({ session_path: path }).catch((error) => toastError(t("live.resume_failed"), error));
    },
  };
}

/** Id of the session that runs already; `null` where that is not why it could not be started. */
function runningSession(error: unknown): string | null {
  if (!(error instanceof CommandError) || error.code !== "CONFLICT") return null;
  const { details } = error;
  if (details === null || Array.isArray(details) || !("session_id" in details)) return null;
  return typeof details.session_id === "string" ? details.session_id : null;
}
