import type { JsonValue } from "../json.ts";
import type { ContextEdit, Transcript, TranscriptBlock, TranscriptItem } from "../session/transcript.ts";

/** The part of a session to export. */
export interface ExportSelection {
  include_thinking: boolean;
  /** Tool calls, their results and user commands. */
  include_tools: boolean;
}

/** Streams the items of a transcript without content excluded by `selection`. */
export async function* selectItems(
  items: Transcript["items"],
  selection: ExportSelection,
): AsyncGenerator<TranscriptItem> {
  for await (const item of items) {
    if (selection.include_tools || (item.kind !== "tool_result" && item.kind !== "bash")) {
      yield selectContent(item, selection);
    }
  }
}

/** Removes excluded content from an item. Keeps the item, because the runs of a transcript count items. */
export function selectContent(item: TranscriptItem, selection: ExportSelection): TranscriptItem {
  if (item.kind === "message") {
    const { blocks, context_edit } = item;
    return { ...item, blocks: selected(blocks, selection), context_edit: selectedEdit(context_edit, selection) };
  }
  if (selection.include_tools) return item;
  if (item.kind === "tool_result") {
    const nothing = { diff: null, details: null, nested_calls: null, stored_output: null, context_edit: null };
    return { ...item, ...nothing, blocks: [], subagents: [] };
  }
  if (item.kind === "bash") return { ...item, command: "", output: "", full_output_path: null };
  return item;
}

function selectedEdit(edit: ContextEdit | null, selection: ExportSelection): ContextEdit | null {
  if (edit === null || edit.replacement === null) return edit;
  return { ...edit, replacement: selected(edit.replacement, selection) };
}

function selected(blocks: TranscriptBlock[], selection: ExportSelection): TranscriptBlock[] {
  return blocks.filter((block) => isSelected(block, selection));
}

function isSelected(block: TranscriptBlock, selection: ExportSelection): boolean {
  if (block.kind === "thinking") return selection.include_thinking;
  if (block.kind === "tool_call") return selection.include_tools;
  return true;
}

/** Levels kept of a value too deeply nested for `JSON.stringify`. */
const DEEPEST = 500;

/** Writes a value as JSON; truncates extreme nesting instead of failing. */
export function stringify(value: JsonValue | object, indent = 0): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch (error) {
    // Stack overflow: the parser is not recursive, but `JSON.stringify` is.
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify(cutBelow(value, DEEPEST), null, indent);
  }
}

function cutBelow(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return "…";
  if (Array.isArray(value)) return value.map((element) => cutBelow(element, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cutBelow(member, levels - 1)]));
}
