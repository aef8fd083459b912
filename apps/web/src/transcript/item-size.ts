import type { JsonValue, ToolResultItem, TranscriptBlock, TranscriptItem } from "@sm/core";

/** What an item takes beside its texts. */
const OVERHEAD = 500;
/** Levels of a value that are added up. */
const DEEPEST = 4;

/** Estimates how much memory an item takes, in UTF-16 units. */
export function itemSize(item: TranscriptItem): number {
  switch (item.kind) {
    case "message":
      return OVERHEAD + blocksSize(item.blocks);
    case "tool_result":
      return OVERHEAD + blocksSize(item.blocks) + valueSize(item.details, DEEPEST) + nestedSize(item);
    case "bash":
      return OVERHEAD + item.command.length + item.output.length;
    case "summary":
      return OVERHEAD + item.text.length + blocksSize(item.checkpoint);
    case "note":
      return OVERHEAD + valueSize(item.value, DEEPEST);
  }
}

function nestedSize({ nested_calls }: ToolResultItem): number {
  const calls = nested_calls?.calls ?? [];
  return calls.reduce((sum, call) => sum + valueSize(call.arguments ?? "", DEEPEST) + (call.error ?? "").length, 0);
}

function blocksSize(blocks: readonly TranscriptBlock[]): number {
  return blocks.reduce((sum, block) => sum + blockSize(block), 0);
}

function blockSize(block: TranscriptBlock): number {
  switch (block.kind) {
    case "text":
    case "thinking":
      return block.text.length;
    case "image":
      return block.data.length;
    case "tool_call":
      return valueSize(block.arguments, DEEPEST);
    case "section":
      return block.name.length + (block.text ?? "").length;
    case "tools":
      return valueSize(block.added, DEEPEST);
    case "raw":
      return valueSize(block.value, DEEPEST);
  }
}

function valueSize(value: JsonValue | undefined, levels: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null || levels === 0) return 8;
  let size = 0;
  for (const inner of Object.values(value)) size += valueSize(inner, levels - 1);
  return size;
}
