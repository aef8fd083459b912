import { useNavigate } from "@tanstack/react-router";
import { SquareTerminal, SquareX } from "lucide-react";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { useLiveTitles } from "../agents/live-titles.ts";
import { type LiveSession, useLiveSessionUpdate } from "../agents/use-live-sessions.ts";
import { useCommand } from "../client/commands.ts";
import { useSession } from "../client/service-context.tsx";
import { MenuItem } from "../design/menu.tsx";
import { toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import type { Addition, Attachment } from "../transcript/attachment.ts";
import { Chat } from "./chat.tsx";
import type { ConversationRow } from "./conversation.ts";
import { RowView } from "./conversation-row.tsx";
import { ModelPicker } from "./model-picker.tsx";
import { NowView } from "./now-view.tsx";
import { SessionState } from "./session-state.tsx";
import { StopDialog } from "./stop-dialog.tsx";
import { useConversation } from "./use-conversation.ts";

/**
 * What the agent of a session adds to its screen; `null` without one that can be controlled.
 *
 * @param mayTakeFocus whether its prompt may take the focus from what has it.
 */
export function useAttachment(session: LiveSession | null, mayTakeFocus: () => boolean): Attachment | null {
  const isAttached = session?.controllable === true;
  const attachedId = isAttached ? session.session_id : null;
  const state = useConversation(attachedId);
  const { conversation, isLoaded } = state;
  const { rows, tools, extensions } = conversation;
  const additions = useMemo(() => rows.map(additionOf), [rows]);
  const callKey = JSON.stringify(tools.map(({ id }) => id));
  const runningCalls = useMemo(() => new Set<string>(JSON.parse(callKey)), [callKey]);
  const field = useRef<HTMLTextAreaElement>(null);
  const [isStopping, setStopping] = useState(false);
  // What was asked about one agent is not asked about the next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it is another agent
  useLayoutEffect(() => () => setStopping(false), [attachedId]);
  const titleOf = useLiveTitles();
  const navigate = useNavigate();
  const record = useSession(session?.session_path ?? null);
  const update = useLiveSessionUpdate();
  const { mutate: rename } = useCommand("name_coding_session", {
    onSuccess: update,
    onError: (error) => toastError(t("live.rename_failed"), error),
  });
  if (!isAttached) return null;

  const { session_id, session_path, cwd, name } = session;
  const isOver = session.state === "exited";
  const title = titleOf(session);
  return {
    title,
    name: name ?? "",
    rename: (to) => rename({ session_id, name: to }),
    additions,
    runningCalls,
    now: (
      <NowView
        conversation={conversation}
        isBusy={session.state === "streaming"}
        isEmpty={isLoaded && session_path === null && rows.length === 0}
      />
    ),
    facts: (
      <>
        <SessionState session={session} />
        {!isOver && <ModelPicker session={session} />}
        {record === null && (
          <span className="cwd" title={cwd}>
            <bdi>{cwd}</bdi>
          </span>
        )}
        {extensions.title !== null && <span className="min-w-0 truncate">{extensions.title}</span>}
      </>
    ),
    contextWindow: session.context_window,
    menu: (
      <>
        <MenuItem
          icon={SquareTerminal}
          onSelect={() => void navigate({ to: "/terminals", search: { new: true, cwd } })}
        >
          {t("live.terminal_here")}
        </MenuItem>
        {!isOver && (
          <MenuItem icon={SquareX} isDanger onSelect={() => setStopping(true)}>
            {t("live.stop")}
          </MenuItem>
        )}
      </>
    ),
    below: (reader) => (
      <>
        <Chat
          // Drafts are those of one session.
          key={session_id}
          session={session}
          state={state}
          reader={reader}
          field={field}
          mayTakeFocus={mayTakeFocus}
        />
        {isStopping && <StopDialog session={session} title={title} onClose={() => setStopping(false)} />}
      </>
    ),
    field,
  };
}

function additionOf(row: ConversationRow): Addition {
  return { key: row.key, time: row.time, isEntry: row.kind !== "notice", content: <RowView row={row} /> };
}
