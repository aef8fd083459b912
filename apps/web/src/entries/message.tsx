import { type MessageItem, QUIET_ENDINGS, type ToolResultItem, type TranscriptBlock } from "@sm/core";
import type { ReactNode } from "react";
import { type TextKey, t } from "../i18n/text.ts";
import { Picture } from "./content/picture.tsx";
import { Prose } from "./content/prose.tsx";
import { DataBlock } from "./data-block.tsx";
import { Disclosure } from "./disclosure.tsx";
import { useIsAnyOpen } from "./disclosures.ts";
import { useEntryContext } from "./entry-context.ts";
import { InstructionView, instructionsText } from "./instructions.tsx";
import type { ReadingRun } from "./reading-run.ts";
import { RunLine } from "./run-line.tsx";
import { Thinking } from "./thinking.tsx";
import { ToolCallView } from "./tool-call.tsx";

const NONE: readonly string[] = [];

interface MessageBodyProps {
  item: MessageItem;
  results: readonly ToolResultItem[];
  /** The run of calls that begins here. */
  run?: ReadingRun | null;
}

/** Shows what a message says, with the results of its calls. */
export function MessageBody({ item, results, run = null }: MessageBodyProps) {
  const { disclosures } = useEntryContext();
  const isRunOpen = useIsAnyOpen(disclosures, "runs", run?.ids ?? NONE);
  const resultsOf = sortedResults(item, results);
  const blocks = item.blocks.map((block, at) => (
    <Block
      // biome-ignore lint/suspicious/noArrayIndexKey: they never change
      key={at}
      id={`${item.id} ${at}`}
      block={block}
      role={item.role}
      results={resultsOf[at] ?? []}
      calledAt={item.timestamp}
    />
  ));
  const runStart = run === null ? blocks.length : run.fromBlock;
  const body = (
    <>
      {blocks.slice(0, runStart)}
      {run !== null && <RunLine run={run} />}
      {isRunOpen && blocks.slice(runStart)}
      <Ending item={item} />
      {item.blocks.length === 0 && item.error_message === null && (
        <p className="quiet">{t("transcript.empty_message")}</p>
      )}
    </>
  );
  if (!item.hidden && item.role !== "system") return body;
  const summary = item.hidden
    ? t("transcript.hidden_message")
    : instructionsText(item.blocks, t("transcript.instructions"));
  return (
    <Disclosure kind="asides" id={item.id} className="aside" summary={<span>{summary}</span>}>
      {() => body}
    </Disclosure>
  );
}

/** By block, the results of its call. Where an agent gave several calls the same id, the first has them. */
function sortedResults(item: MessageItem, results: readonly ToolResultItem[]): (readonly ToolResultItem[])[] {
  const taken = new Set<string>();
  return item.blocks.map((block) => {
    if (block.kind !== "tool_call" || block.id === null || taken.has(block.id)) return [];
    taken.add(block.id);
    return results.filter(({ call_id }) => call_id === block.id);
  });
}

interface BlockProps {
  id: string;
  block: TranscriptBlock;
  role: MessageItem["role"];
  results: readonly ToolResultItem[];
  calledAt: string | null;
}

function Block({ id, block, role, results, calledAt }: BlockProps): ReactNode {
  const { runningCalls } = useEntryContext();
  switch (block.kind) {
    case "text":
      return <Prose text={block.text} style={role === "assistant" ? "answer" : "typed"} />;
    case "thinking":
      return <Thinking id={id} text={block.text} isRedacted={block.redacted} />;
    case "image":
      return <Picture mimeType={block.mime_type} base64={block.data} />;
    case "tool_call":
      if (block.id !== null && runningCalls.has(block.id)) return null;
      return <ToolCallView id={id} call={block} results={results} calledAt={calledAt} />;
    case "section":
    case "tools":
      return <InstructionView id={id} block={block} />;
    case "raw":
      return (
        <Disclosure kind="asides" id={id} className="aside" summary={<span>{t("transcript.unknown_part")}</span>}>
          {() => <DataBlock value={block.value} />}
        </Disclosure>
      );
  }
}

/** Why a message ended, where it is not because all was said. */
const ENDINGS: Readonly<Record<string, TextKey>> = {
  length: "transcript.ended_length",
  aborted: "transcript.ended_aborted",
  error: "transcript.ended_error",
  deferred: "transcript.ended_deferred",
  pending: "transcript.ended_pending",
};

function Ending({ item: { stop_reason, error_message } }: { item: MessageItem }) {
  const ending = stop_reason !== null && Object.hasOwn(ENDINGS, stop_reason) ? ENDINGS[stop_reason] : undefined;
  if (ending === undefined && error_message === null) return null;
  return (
    <p className="ending" data-quiet={QUIET_ENDINGS.has(stop_reason ?? "") || undefined}>
      {t(ending === undefined ? "transcript.error" : (ending as "transcript.error"))}
      {error_message !== null && <span>{error_message}</span>}
    </p>
  );
}
