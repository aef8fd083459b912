import { isJsonObject, type JsonValue } from "../json.ts";
import type { TranscriptBlock } from "./transcript.ts";

/** Number of changes in instructions to the model. */
export interface PromptCounts {
  sections: number;
  sectionsRemoved: number;
  toolsAdded: number;
  toolsRemoved: number;
}

/** Counts the sections and tools in the blocks of a system message. */
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

/** Name of a tool declared to the model; "" if it has none. */
export function declaredName(tool: JsonValue): string {
  return isJsonObject(tool) && typeof tool.name === "string" ? tool.name : "";
}
