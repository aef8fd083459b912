import type { MessageItem, ToolResultItem, TranscriptItem } from "@sm/core";
import type { ReactNode } from "react";
import { BashBody } from "./bash.tsx";
import { MessageBody } from "./message.tsx";
import { NoteBody, SummaryBody } from "./note.tsx";
import type { ReadingRun } from "./reading-run.ts";
import { LoneResult } from "./tool-call.tsx";

interface ItemBodyProps {
  row:
    | { kind: "message"; item: MessageItem; results: readonly ToolResultItem[] }
    | { kind: "other"; item: Exclude<TranscriptItem, MessageItem> };
  run?: ReadingRun | null;
}

/** Shows an entry without its head. */
export function ItemBody({ row, run = null }: ItemBodyProps): ReactNode {
  if (row.kind === "message") return <MessageBody item={row.item} results={row.results} run={run} />;
  switch (row.item.kind) {
    case "bash":
      return <BashBody item={row.item} />;
    case "summary":
      return <SummaryBody item={row.item} />;
    case "note":
      return <NoteBody item={row.item} />;
    case "tool_result":
      return <LoneResult result={row.item} />;
  }
}
