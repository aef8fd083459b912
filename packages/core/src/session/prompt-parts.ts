import { isJsonObject, type JsonValue } from "../json.ts";
import type { TranscriptBlock } from "./transcript.ts";

/** How much of what instructions to the model change. */
export interface PromptCounts {
  sections: number;
  sectionsRemoved: number;
  toolsAdded: number;
  toolsRemoved: number;
}

/** Counts the sections and tools among the blocks of a system message. */
export function promptCounts(blocks: readonly TranscriptBlock[]): PromptCounts {
  const counts = { sections: 0, sectionsRemoved: 0, toolsAdded: 0, toolsRemoved: 0 };
  for (const block of blocks) {
    if (block.kind === "section") counts[block.text === null ? "sectionsRemoved" : "sections"]++;
    if (block.kind === "tools") {
      counts.toolsAdded += block.added.length;
      counts.toolsRemoved += block.removed.length;
    }
  }
  return counts;
}

/** The name of a tool that the model is told of; "" where it has none. */
export function declaredName(tool: JsonValue): string {
  return isJsonObject(tool) && typeof tool.name === "string" ? tool.name : "";
}
