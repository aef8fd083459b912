import { Link } from "@tanstack/react-router";
import { ArrowDown } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { EmptyState } from "../design/placeholder.tsx";
import { Disclosures } from "../entries/disclosures.ts";
import { EntryContext, type EntryContextValue } from "../entries/entry-context.ts";
import { t } from "../i18n/text.ts";
import { RunningTools } from "./activity.tsx";
import type { Conversation, ConversationRow, RunningTool } from "./conversation.ts";
import { RowView } from "./conversation-row.tsx";
import { StreamingView } from "./streaming-view.tsx";
import { useStickyEnd } from "./use-sticky-end.ts";
import "../entries/entries.css";
import "./conversation.css";

const NO_NOTES: EntryContextValue["notes"] = new Map();

interface ConversationViewProps {
  conversation: Conversation;
  /** The session's file, where all of it is. */
  sessionPath: string | null;
  /** Whether the beginning is only there. */
  hasLeftOut: boolean;
  /** Whether the agent works and says nothing yet. */
  isBusy: boolean;
}

/** Rows that are elements at first; each wish for more adds as many. */
const ROWS_SHOWN = 150;

/** What was said in a session, up to what is being said now. */
export function ConversationView({ conversation, sessionPath, hasLeftOut, isBusy }: ConversationViewProps) {
  const { rows, streaming, tools, isCompacting } = conversation;
  const [shown, setShown] = useState(ROWS_SHOWN);
  const box = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAtEnd, toEnd } = useStickyEnd(box, content);
  const context = useMemo(makeContext, []);
  const hidden = Math.max(0, rows.length - shown);
  const visible = hidden === 0 ? rows : rows.slice(hidden);
  const last = rows.at(-1);
  const continues = last?.kind === "message" && last.item.role === "assistant";
  const isThinking = isBusy && streaming === null && tools.length === 0;

  return (
    <EntryContext value={context}>
      <div className="transcript relative flex min-h-0 flex-1 flex-col">
        <h2 className="sr-only">{t("live.conversation")}</h2>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard where it can be focused */}
        <section ref={box} tabIndex={0} aria-label={t("live.conversation")} className="conversation">
          <div ref={content} className="conversation-rows">
            {rows.length === 0 && streaming === null && !isBusy && (
              <EmptyState title={t("live.nothing_said")}>{t("live.nothing_said_text")}</EmptyState>
            )}
            {hidden > 0 ? (
              <button type="button" className="more mx-auto" onClick={() => setShown(shown + ROWS_SHOWN)}>
                {t("live.show_earlier")}
              </button>
            ) : (
              hasLeftOut &&
              sessionPath !== null && (
                <p className="py-2 text-center text-sm">
                  <Link to="/session" search={{ path: sessionPath } as never} className="link">
                    {t("live.earlier_in_transcript")}
                  </Link>
                </p>
              )
            )}
            {visible.map((row, at) => (
              <RowView key={row.key} row={at < visible.length - 1 ? row : withoutCalls(row, tools)} />
            ))}
            {streaming !== null && <StreamingView message={streaming} continues={continues} />}
            <RunningTools tools={tools} />
            <p role="status" className="entry text-faint text-sm">
              {isCompacting ? (
                <Working text={t("live.compacting")} />
              ) : (
                isThinking && <Working text={t("live.working")} />
              )}
            </p>
          </div>
        </section>
        {!isAtEnd && (
          <button type="button" className="newest" onClick={toEnd}>
            <ArrowDown aria-hidden size={15} />
            {t("live.to_end")}
          </button>
        )}
      </div>
    </EntryContext>
  );
}

function Working({ text }: { text: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden className="size-2 animate-[breathe_1.2s_infinite] rounded-full bg-live" />
      {text}
    </span>
  );
}

/** Leaves out calls that run: they are shown below, with what they have written so far. */
function withoutCalls(row: ConversationRow, tools: readonly RunningTool[]): ConversationRow {
  if (row.kind !== "message" || tools.length === 0) return row;
  const running = new Set<string | null>(tools.map(({ id }) => id));
  const blocks = row.item.blocks.filter((block) => block.kind !== "tool_call" || !running.has(block.id));
  return { ...row, item: { ...row.item, blocks } };
}

/** Entries here have no places of their own that one could go to. */
function makeContext(): EntryContextValue {
  return {
    disclosures: new Disclosures(),
    labels: {},
    contextEdits: new Map(),
    replacementOf: () => Promise.resolve(null),
    truncated: new Map(),
    saveEntry() {},
    outputOf: () => Promise.reject(new Error("Running agents keep no outputs in files.")),
    pictures: () => [],
    tree: null,
    hrefOf: () => "#",
    goTo() {},
    switchTo: null,
    subagentOf: () => null,
    notes: NO_NOTES,
    editNote: () => undefined,
    openMenu() {},
  };
}
