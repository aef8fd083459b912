import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { RecordQueue } from "./record-queue.ts";
import { registerSession } from "./registration.ts";
import { carryOut, type SessionState, stateOf, usableModels } from "./session.ts";

/**
 * Makes sessions in this terminal live in Session Manager: reports their events and accepts prompts. The agent never
 * waits for the service, except briefly at the end of a session.
 *
 * The agent calls this for each session that it opens, and after each reload.
 */
export default function sessionManager(pi: ExtensionAPI): void {
  follow(pi, { env: process.env, isTerminal: process.stdin.isTTY === true });
}

export interface FollowOptions {
  env: NodeJS.ProcessEnv;
  /** Whether a user is at the terminal. If a program drives the agent, that program manages the session. */
  isTerminal: boolean;
}

/**
 * Events missing in 0.74.2, whose types are used here: `session_info_changed` (0.80.3), `ui_prompt_start` and
 * `ui_prompt_end` (0.84.4). Older agents accept the handlers and never call them.
 */
interface LaterEvents {
  on(event: "session_info_changed" | "ui_prompt_end", handler: () => void): unknown;
  on(event: "ui_prompt_start", handler: (event: PromptStart) => void): unknown;
}

/** The agent or an extension begins to ask the user; further questions until the last answer are not reported. */
interface PromptStart {
  type: "ui_prompt_start";
  kind: string;
  title?: string;
}

/** Implements the extension, in a given environment. */
export function follow(pi: ExtensionAPI, { env, isTerminal }: FollowOptions): void {
  const outbox = new RecordQueue();
  let state: SessionState["state"] = "idle";
  /** What the agent or an extension is asking the user in the terminal. */
  let question: PromptStart | null = null;
  let disconnect: (() => Promise<void>) | null = null;

  const later = pi as unknown as LaterEvents;
  const stopHearing = later.on("session_info_changed", () => outbox.wake());
  later.on("ui_prompt_start", ({ type, kind, title }) => {
    question = { type, kind, ...(title === undefined ? {} : { title }) };
    tell(question);
    outbox.wake();
  });
  later.on("ui_prompt_end", () => {
    question = null;
    tell({ type: "ui_prompt_end" });
    outbox.wake();
  });

  pi.on("session_start", (_event, context) => {
    if (!isTerminal || !context.hasUI) return;
    if (!context.isIdle()) state = "streaming";
    disconnect = registerSession({
      id: context.sessionManager.getSessionId(),
      env,
      outbox,
      state: () => stateOf(pi, context, question !== null && state !== "exited" ? "waiting" : state),
      models: () => usableModels(context),
      // Releases whose `on` returns nothing may lack the event.
      tellsNames: typeof stopHearing === "function",
      carryOut: (request) => carryOut(request, pi, context),
      onConnected(isConnected) {
        showStatus(context, isConnected);
        // A service that has started since does not know it.
        if (isConnected && question !== null) tell(question);
      },
    });
  });

  pi.on("session_shutdown", async ({ reason }) => {
    // After a reload the same session registers again.
    if (reason !== "reload") state = "exited";
    await disconnect?.();
  });

  const tell = <AgentRecord extends { type: string }>(record: AgentRecord, key?: string) => {
    if (disconnect !== null) outbox.add(record, key);
  };
  pi.on("agent_start", (event) => {
    state = "streaming";
    tell(event);
  });
  pi.on("agent_end", (event) => {
    state = "idle";
    tell(event);
  });
  pi.on("turn_start", ({ type }) => tell({ type }));
  pi.on("turn_end", ({ type, message, toolResults }) => tell({ type, message, toolResults }));
  pi.on("message_start", (event) => tell(event));
  pi.on("message_update", (event) => tell(deltaOf(event)));
  pi.on("message_end", (event) => tell(event));
  pi.on("tool_execution_start", (event) => tell(event));
  // Each contains all output so far.
  pi.on("tool_execution_update", (event) => tell(event, event.toolCallId));
  pi.on("tool_execution_end", (event) => tell(event));
  pi.on("thinking_level_select", ({ level }) => tell({ type: "thinking_level_changed", level }));
  pi.on("model_select", () => outbox.wake());
  pi.on("session_compact", ({ compactionEntry: { summary, firstKeptEntryId, tokensBefore, details } }) => {
    const result = { summary, firstKeptEntryId, tokensBefore, details };
    tell({ type: "compaction_end", result, aborted: false, willRetry: false });
  });
}

/** Omits the partial message, which the agent repeats with each update. */
function deltaOf({ type, assistantMessageEvent }: { type: string; assistantMessageEvent: object }) {
  return { type, assistantMessageEvent: { ...assistantMessageEvent, partial: undefined } };
}

function showStatus(context: ExtensionContext, isConnected: boolean): void {
  context.ui.setStatus("session-manager", isConnected ? "Session Manager" : undefined);
}
