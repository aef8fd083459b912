import { cut, oneLine } from "../../session/text.ts";
import type { MessageItem, NoteItem, ToolResultItem, Transcript, TranscriptItem } from "../../session/transcript.ts";
import { type ExportSelection, selectItems } from "../document.ts";
import { NO_SUBAGENTS, type Subagents } from "../subagents.ts";
import { bashHtml } from "./bash.ts";
import { type PageBudget, pageBudget } from "./budget.ts";
import { EntryHeads } from "./entry-heads.ts";
import type { EntryFragment } from "./fragment.ts";
import { messageHtml } from "./message.ts";
import { noteHtml, summaryHtml } from "./note.ts";
import { ownNoteHtml } from "./own-note.ts";
import type { PageContext } from "./page-context.ts";
import { loneResultHtml } from "./tool-call.ts";

export { ownNoteHtml, type PageBudget, pageBudget };

export interface EntryOptions extends ExportSelection {
  labels: Transcript["labels"];
  /** Notes of the user by entry ID. */
  notes?: ReadonlyMap<string, string> | undefined;
  /** Created by `pageBudget`, shared by all runs of a page. */
  budget: PageBudget;
  /** Those in the page; default: none. */
  subagents?: Subagents["numbers"];
}

/** Maximum characters of a prompt in the contents. */
const MAX_PROMPT_LENGTH = 200;

/** Maximum notes between a call and its result; a message does not wait for more. */
const MAX_WAITING_NOTES = 32;

/** A message whose calls may still get results. */
interface Waiting {
  message: MessageItem;
  /** By call ID. */
  results: Map<string, ToolResultItem[]>;
  /** Notes after it. */
  notes: NoteItem[];
}

/**
 * Renders the entries of one run as soon as they are complete: a message waits for the results of its calls, which are
 * nested in it. A result without a call in the run is a separate entry.
 */
export async function* entryFragments(
  items: Transcript["items"],
  options: EntryOptions,
): AsyncGenerator<EntryFragment> {
  const { labels, notes, budget, subagents = NO_SUBAGENTS.numbers } = options;
  const page = { labels, budget, subagents };
  const noteOn = (id: string) => {
    const note = notes?.get(id);
    return note === undefined ? "" : ownNoteHtml(note, budget);
  };
  const heads = new EntryHeads(labels, noteOn);
  let waiting: Waiting | null = null;
  for await (const item of selectItems(items, options)) {
    if (item.kind === "note" && item.hidden) continue;
    if (waiting !== null) {
      if (keeps(waiting, item)) continue;
      yield* answered(waiting, heads, page);
      waiting = null;
    }
    if (item.kind !== "message") yield { id: item.id, html: entryHtml(item, heads, page), prompt: null };
    else if (item.blocks.some(({ kind }) => kind === "tool_call")) waiting = awaitResults(item);
    else if (!isEmptied(item, options)) yield messageFragment(item, new Map(), heads, page);
  }
  if (waiting !== null) yield* answered(waiting, heads, page);
}

function awaitResults(message: MessageItem): Waiting {
  const results = new Map<string, ToolResultItem[]>();
  for (const block of message.blocks) if (block.kind === "tool_call" && block.id !== null) results.set(block.id, []);
  return { message, results, notes: [] };
}

/** Attaches an item to the waiting message; `false` if it ends the wait. */
function keeps({ results, notes }: Waiting, item: TranscriptItem): boolean {
  if (item.kind === "tool_result" && item.call_id !== null) {
    const answers = results.get(item.call_id);
    answers?.push(item);
    return answers !== undefined;
  }
  if (item.kind !== "note" || notes.length === MAX_WAITING_NOTES) return false;
  notes.push(item);
  return true;
}

function* answered(
  { message, results, notes }: Waiting,
  heads: EntryHeads,
  page: PageContext,
): Generator<EntryFragment> {
  yield messageFragment(message, results, heads, page);
  for (const note of notes) yield { id: note.id, html: noteHtml(note, heads, page), prompt: null };
}

function messageFragment(
  item: MessageItem,
  results: Map<string, ToolResultItem[]>,
  heads: EntryHeads,
  page: PageContext,
): EntryFragment {
  const resultsOf = (callId: string | null): ToolResultItem[] => {
    const found = results.get(callId ?? "") ?? [];
    results.delete(callId ?? "");
    return found;
  };
  return { id: item.id, html: messageHtml(item, resultsOf, heads, page), prompt: promptOf(item) };
}

function entryHtml(item: Exclude<TranscriptItem, MessageItem>, heads: EntryHeads, page: PageContext): string {
  switch (item.kind) {
    case "bash":
      return bashHtml(item, heads, page);
    case "summary":
      return summaryHtml(item, heads, page);
    case "note":
      return noteHtml(item, heads, page);
    case "tool_result":
      return `${heads.open(item, "tool", "Assistant")}${loneResultHtml(item, page)}</article>`;
  }
}

/** Whether a message has no content left after the selection. */
function isEmptied(
  { blocks, error_message }: MessageItem,
  { include_thinking, include_tools }: ExportSelection,
): boolean {
  return blocks.length === 0 && error_message === null && !(include_thinking && include_tools);
}

function promptOf({ role, hidden, blocks }: MessageItem): string | null {
  if (role !== "user" || hidden) return null;
  const text = blocks.map((block) => (block.kind === "text" ? cut(block.text, MAX_PROMPT_LENGTH * 8) : "")).join(" ");
  return oneLine(text, MAX_PROMPT_LENGTH) || "Prompt without text";
}
