import { QUIET_ENDINGS } from "../../session/endings.ts";
import type { MessageItem, ToolResultItem, TranscriptBlock } from "../../session/transcript.ts";
import { visibleText } from "../visible-text.ts";
import { endingText, instructionsText } from "../wording.ts";
import { contextEditHtml } from "./context-edit.ts";
import { dataDetails } from "./data.ts";
import type { EntryHeads } from "./entry-heads.ts";
import { escapeHtml } from "./escape.ts";
import { imageHtml } from "./images.ts";
import { instructionHtml } from "./instructions.ts";
import type { PageContext } from "./page-context.ts";
import { proseHtml } from "./prose.ts";
import { callHtml } from "./tool-call.ts";

const SPEAKERS = {
  user: "User",
  assistant: "Assistant",
  system: "System",
  custom: "Extension",
  client: "Client",
} as const;

/** Finds the results of a message's calls. If several calls have the same ID, the first one gets them. */
export type ResultsOf = (callId: string | null) => ToolResultItem[];

/** Renders a message with the results of its calls. */
export function messageHtml(item: MessageItem, resultsOf: ResultsOf, heads: EntryHeads, page: PageContext): string {
  const opening = heads.open(item, item.role, SPEAKERS[item.role]);
  const blocks = item.blocks.map((block) => blockHtml(block, item.role, resultsOf, page)).join("") + endingHtml(item);
  const body = blocks === "" ? '<p class="empty">Empty message</p>' : blocks;
  return `${opening}${folded(item, body)}${contextEditHtml(item.context_edit, page)}</article>`;
}

/** Messages for the model only are collapsed. */
function folded({ role, hidden, blocks }: MessageItem, body: string): string {
  if (!hidden && role !== "system") return body;
  const summary = hidden ? "Hidden message, meant for the model only" : instructionsText(blocks);
  return `<details class="aside"><summary>${summary}</summary>${body}</details>`;
}

function blockHtml(block: TranscriptBlock, role: MessageItem["role"], resultsOf: ResultsOf, page: PageContext): string {
  switch (block.kind) {
    case "text":
      return proseHtml(block.text, role === "assistant" ? "answer" : "typed", page.budget);
    case "thinking":
      return thinkingHtml(block.text, block.redacted, page);
    case "image":
      return imageHtml(block.mime_type, block.data);
    case "tool_call":
      return callHtml(block, resultsOf(block.id), page);
    case "section":
    case "tools":
      return instructionHtml(block, page.budget);
    case "raw":
      return dataDetails("Content of an unknown kind", block.value, page.budget);
  }
}

function thinkingHtml(text: string, isRedacted: boolean, page: PageContext): string {
  const body = proseHtml(text, "typed", page.budget);
  if (body === "" && !isRedacted) return "";
  const withheld = isRedacted ? '<p class="empty">Withheld by the provider</p>' : "";
  return `<details class="thinking"><summary>Thinking</summary>${body}${withheld}</details>`;
}

function endingHtml(item: MessageItem): string {
  const ending = endingText(item);
  const { error_message } = item;
  if (ending === null && error_message === null) return "";
  const message = error_message === null ? "" : `: <span>${escapeHtml(visibleText(error_message))}</span>`;
  const quiet = QUIET_ENDINGS.has(item.stop_reason ?? "") ? " quiet" : "";
  return `<p class="ending${quiet}">${ending ?? "Error"}${message}</p>`;
}
