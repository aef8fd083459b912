import { declaredName } from "../../session/prompt-parts.ts";
import type { TranscriptBlock } from "../../session/transcript.ts";
import { instructionsText } from "../wording.ts";
import type { PageBudget } from "./budget.ts";
import { dataDetails } from "./data.ts";
import { lineHtml } from "./line-html.ts";
import { proseHtml } from "./prose.ts";

type Instruction = Extract<TranscriptBlock, { kind: "section" | "tools" }>;

/** Renders a section of the agent's instructions, or the tools available from here on. */
export function instructionHtml(block: Instruction, budget: PageBudget): string {
  if (block.kind === "section") {
    const name = `<p class="argument-name">${lineHtml(block.name)}${block.text === null ? " (removed)" : ""}</p>`;
    return block.text === null ? name : name + proseHtml(block.text, "typed", budget);
  }
  const tools = block.added.map((tool) =>
    dataDetails(`Tool added: <code>${lineHtml(declaredName(tool))}</code>`, tool, budget),
  );
  const removed = block.removed.map(
    (name) => `<p class="argument-name">Tool removed: <code>${lineHtml(name)}</code></p>`,
  );
  return [...tools, ...removed].join("");
}

/** Renders instructions to the model, collapsed, with a summary line. */
export function instructionsHtml(blocks: readonly TranscriptBlock[], title: string, budget: PageBudget): string {
  const body = blocks.map((block) => {
    if (block.kind === "text") return proseHtml(block.text, "typed", budget);
    return block.kind === "section" || block.kind === "tools" ? instructionHtml(block, budget) : "";
  });
  return `<details class="aside"><summary>${instructionsText(blocks, title)}</summary>${body.join("")}</details>`;
}
