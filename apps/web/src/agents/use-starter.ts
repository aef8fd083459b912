import { CommandError, type CommandInput } from "@sm/router/client";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useService } from "../client/service-context.tsx";
import { toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { awaitPrompt } from "../shortcuts/pane-focus.ts";
import { ELSEWHERE } from "../url/elsewhere.ts";
import { EMPTY_DRAFT, keepDraft } from "./prompt-drafts.ts";
import { useLiveSessionUpdate } from "./use-live-sessions.ts";

/** Starts agents and goes to what they say. */
export interface Starter {
  isStarting: boolean;
  /** Goes to the session once it runs, with the first prompt if there is one; rejects where it does not. */
  start(options: CommandInput<"start_coding_session">, prompt?: string): Promise<void>;
  /** Starts the agent of a stored session, which is shown with it; shows errors. */
  resume(path: string): void;
}

export function useStarter(): Starter {
  const service = useService();
  const navigate = useNavigate();
  const router = useRouter();
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

  /** Runs an agent and gives the id of its session, also where it runs already. */
  async function run(options: CommandInput<"start_coding_session">): Promise<string> {
    try {
      const session = await service.call("start_coding_session", options);
      update(session);
      return session.session_id;
    } catch (error) {
      const running = runningSession(error);
      if (running === null) throw error;
      return running;
    }
  }

  async function whileStarting(work: () => Promise<void>): Promise<void> {
    setStarting(true);
    try {
      await work();
    } finally {
      setStarting(false);
    }
  }

  async function start(options: CommandInput<"start_coding_session">, prompt = ""): Promise<void> {
    const session = await run(options);
    if (prompt.trim() !== "") await begin(session, prompt);
    await navigate({ to: "/live", search: { session } });
  }

  async function resume(path: string): Promise<void> {
    const session = await run({ session_path: path });
    const { pathname, search } = router.state.location;
    const shown = search as { session?: unknown; path?: unknown };
    if (pathname === "/live" && shown.session === session) return;
    awaitPrompt(path);
    if (pathname === "/session" && shown.path === path) return;
    // What the address says of the list beside it stays.
    const ofList = pathname === "/" || pathname === "/session" ? search : {};
    await navigate({ to: "/session", search: { ...ofList, ...ELSEWHERE, path } as never });
  }

  return {
    isStarting,
    start: (options, prompt) => whileStarting(() => start(options, prompt)),
    resume: (path) => {
      whileStarting(() => resume(path)).catch((error) => toastError(t("live.resume_failed"), error));
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
