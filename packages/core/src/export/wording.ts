import { promptCounts } from "../session/prompt-parts.ts";
import type { ContextEdit, MessageItem, NestedCall, NestedCalls, TranscriptBlock } from "../session/transcript.ts";

// Texts of exports about entries, equal in all formats. The page has its own, translated ones.

/** Why a message ended early. */
const ENDINGS: Readonly<Record<string, string>> = {
  length: "Cut off at the token limit",
  aborted: "Aborted",
  error: "Failed",
  deferred: "Deferred: the provider responds later",
  pending: "Incomplete: the response was still being written",
};

/** Why a message ended early; `null` if it is complete. */
export function endingText({ stop_reason }: MessageItem): string | null {
  return stop_reason !== null && Object.hasOwn(ENDINGS, stop_reason) ? (ENDINGS[stop_reason] ?? null) : null;
}

/** Summary of instructions to the model: "Instructions for the model: 3 sections, 12 tools added". */
export function instructionsText(blocks: readonly TranscriptBlock[], title = "Instructions for the model"): string {
  const { sections, sectionsRemoved, toolsAdded, toolsRemoved } = promptCounts(blocks);
  const parts = [
    counted(sections, "section", ""),
    counted(sectionsRemoved, "section", " removed"),
    counted(toolsAdded, "tool", " added"),
    counted(toolsRemoved, "tool", " removed"),
  ].filter((part) => part !== "");
  return parts.length === 0 ? title : `${title}: ${parts.join(", ")}`;
}

export const CHECKPOINT_TITLE = "Instructions for the model at this point";
export const NOTHING_KEPT = "Nothing before this summary is kept";

export function editText({ replacement }: ContextEdit): string {
  return replacement === null ? "The model no longer sees this" : "The model sees other content here";
}

export function nestedCallsText({ calls, complete }: NestedCalls): string {
  return `${counted(calls.length, "nested call", "") || "No nested calls"}${complete ? "" : ", recorded incompletely"}`;
}

/** Outcome of a nested call: "3 ms", "failed, 1,200 ms", "not finished". */
export function outcomeText({ status, duration_ms }: NestedCall): string {
  const outcome = { ok: "", error: "failed", unfinished: "not finished" }[status];
  const time = duration_ms === null ? "" : `${duration_ms.toLocaleString("en-US")} ms`;
  return [outcome, time].filter((part) => part !== "").join(", ");
}

/** Appended to truncated text of an entry that is too large for the export. */
export function cutText(bytes: number): string {
  return `… [The rest of this text is omitted: the entry has ${bytes.toLocaleString("en-US")} bytes. The JSONL export contains all of it.]`;
}

/** Follows the beginning of an output that is in a file of its own. */
export function cutOutput(bytes: number): string {
  return `… [The rest of this output is omitted: it has ${bytes.toLocaleString("en-US")} bytes.]`;
}

/** Replaces the result of a nested call. */
export const NESTED_RESULT = "The agent does not record results of nested calls";

export function omittedArgumentsText({ arguments_bytes }: NestedCall): string {
  const size = arguments_bytes === null ? "" : ` (${arguments_bytes.toLocaleString("en-US")} bytes)`;
  return `The agent omitted the arguments${size}`;
}

function counted(count: number, noun: string, rest: string): string {
  return count === 0 ? "" : `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}${rest}`;
}
