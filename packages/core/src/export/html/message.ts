import type { MessageItem, ToolResultItem, TranscriptBlock } from "../../session/transcript.ts";
import { dataDetails } from "./data.ts";
import type { EntryHeads } from "./entry-heads.ts";
import { escapeHtml } from "./escape.ts";
import { imageHtml } from "./images.ts";
import { proseHtml } from "./prose.ts";
import { callHtml, type PageContext } from "./tool-call.ts";
import { visibleText } from "./visible.ts";

const SPEAKERS = { user: "User", assistant: "Assistant", system: "System", custom: "Extension" } as const;

/** Finds the results of a message's calls. Where an agent gave several calls the same id, the first has them. */
export type ResultsOf = (callId: string | null) => ToolResultItem[];

/** Shows a message with the results of its calls. */
export function messageHtml(item: MessageItem, resultsOf: ResultsOf, heads: EntryHeads, page: PageContext): string {
  const opening = heads.open(item, item.role, SPEAKERS[item.role]);
  const blocks = item.blocks.map((block) => blockHtml(block, item.role, resultsOf, page)).join("") + endingHtml(item);
  const body = blocks === "" ? '<p class="empty">Empty message</p>' : blocks;
  return `${opening}${folded(item, body)}</article>`;
}

/** What is meant for the model is closed at first. */
function folded({ role, hidden }: MessageItem, body: string): string {
  if (!hidden && role !== "system") return body;
  const summary = hidden ? "Hidden message, meant for the model only" : "Instructions for the model";
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
    case "raw":
      return dataDetails("A part of a kind that this page does not know", block.value, page.budget);
  }
}

function thinkingHtml(text: string, isRedacted: boolean, page: PageContext): string {
  const body = proseHtml(text, "typed", page.budget);
  if (body === "" && !isRedacted) return "";
  const withheld = isRedacted ? '<p class="empty">Withheld by the provider</p>' : "";
  return `<details class="thinking"><summary>Thinking</summary>${body}${withheld}</details>`;
}

/** Why a message ended, where it is not because all was said. */
const ENDINGS: Readonly<Record<string, string>> = {
  length: "Cut off: the limit of tokens was reached",
  aborted: "Aborted",
  error: "Ended by an error",
};

function endingHtml({ stop_reason, error_message }: MessageItem): string {
  const ending = stop_reason !== null && Object.hasOwn(ENDINGS, stop_reason) ? ENDINGS[stop_reason] : undefined;
  if (ending === undefined && error_message === null) return "";
  const message = error_message === null ? "" : `: <span>${escapeHtml(visibleText(error_message))}</span>`;
  return `<p class="ending">${ending ?? "Error"}${message}</p>`;
}
