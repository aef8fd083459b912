import type { JsonValue } from "../json.ts";
import type { ContextEdit, Transcript, TranscriptBlock, TranscriptItem } from "../session/transcript.ts";

/** What of a session an export shows. */
export interface ExportSelection {
  include_thinking: boolean;
  /** Tool calls, their results and the commands that the user ran. */
  include_tools: boolean;
}

/** Reads the items of a transcript one at a time and leaves out what `selection` excludes. */
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

/** Empties an item of what `selection` excludes. Its place is left to it: the runs of a transcript count items. */
export function selectContent(item: TranscriptItem, selection: ExportSelection): TranscriptItem {
  if (item.kind === "message") {
    const { blocks, context_edit } = item;
    return { ...item, blocks: selected(blocks, selection), context_edit: selectedEdit(context_edit, selection) };
  }
  if (selection.include_tools) return item;
  if (item.kind === "tool_result") {
    return { ...item, blocks: [], diff: null, details: null, nested_calls: null, context_edit: null };
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

/** Levels of nesting that an export writes of a value that is nested too deeply for `JSON.stringify`. */
const DEEPEST = 500;

/** Writes a value as JSON. One that is nested thousands of levels deep is cut there instead of failing the export. */
export function stringify(value: JsonValue | object, indent = 0): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch (error) {
    // The engine's stack is too small for what its own parser, which needs none, has read.
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
