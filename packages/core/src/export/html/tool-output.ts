import type { TranscriptBlock } from "../../session/transcript.ts";
import { ansiHtml } from "./ansi.ts";
import type { PageBudget } from "./budget.ts";
import { codeBlock } from "./code.ts";
import { dataDetails } from "./data.ts";
import { imageHtml } from "./images.ts";

/** Renders the output of a tool: as code if its language is known, otherwise with terminal colors. */
export function outputHtml(text: string, language: string | null, budget: PageBudget): string {
  if (text === "") return "";
  if (language !== null) return codeBlock(text, language, budget);
  return `<div class="code output"><pre tabindex="0"><samp>${ansiHtml(text)}</samp></pre></div>`;
}

/** Renders the blocks of a tool's result. */
export function resultBlocks(blocks: TranscriptBlock[], language: string | null, budget: PageBudget): string {
  return blocks
    .map((block) => {
      if (block.kind === "text") return outputHtml(block.text, language, budget);
      if (block.kind === "image") return imageHtml(block.mime_type, block.data);
      return dataDetails("Data of an unknown kind", block.kind === "raw" ? block.value : { ...block }, budget);
    })
    .join("");
}
