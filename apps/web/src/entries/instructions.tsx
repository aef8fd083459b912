import { declaredName, oneLine, promptCounts, type TranscriptBlock } from "@sm/core";
import { t } from "../i18n/text.ts";
import { Prose } from "./content/prose.tsx";
import { DataBlock } from "./data-block.tsx";
import { Disclosure } from "./disclosure.tsx";

/** Names come from the transcript, and may be of any length there. */
const MAX_NAME_LENGTH = 200;

type Instruction = Extract<TranscriptBlock, { kind: "section" | "tools" }>;

/** Tells what instructions to the model hold: "Instructions for the model: 3 sections, 12 tools added". */
export function instructionsText(blocks: readonly TranscriptBlock[], title: string): string {
  const { sections, sectionsRemoved, toolsAdded, toolsRemoved } = promptCounts(blocks);
  const parts: string[] = [];
  if (sections > 0) parts.push(t("transcript.sections", { count: sections }));
  if (sectionsRemoved > 0) parts.push(t("transcript.sections_removed", { count: sectionsRemoved }));
  if (toolsAdded > 0) parts.push(t("transcript.tools_added", { count: toolsAdded }));
  if (toolsRemoved > 0) parts.push(t("transcript.tools_removed", { count: toolsRemoved }));
  return [title, ...parts].join(" · ");
}

/** Shows a section of the agent's instructions, or the tools that the model has from here on. */
export function InstructionView({ id, block }: { id: string; block: Instruction }) {
  if (block.kind === "section") {
    return (
      <div>
        <p className="argument-name">
          {block.text === null ? t("transcript.section_removed", { name: lineOf(block.name) }) : lineOf(block.name)}
        </p>
        {block.text !== null && <Prose text={block.text} style="typed" />}
      </div>
    );
  }
  return (
    <>
      {block.added.map((tool, at) => (
        <Disclosure
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change
          key={at}
          kind="asides"
          id={`${id} ${at}`}
          className="aside"
          summary={<span>{t("transcript.tool_added", { name: lineOf(declaredName(tool)) })}</span>}
        >
          {() => <DataBlock value={tool} />}
        </Disclosure>
      ))}
      {block.removed.map((name, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <p key={at} className="argument-name">
          {t("transcript.tool_removed", { name: lineOf(name) })}
        </p>
      ))}
    </>
  );
}

/** Shows instructions that a compaction repeats for the model, closed at first. */
export function Checkpoint({ id, blocks }: { id: string; blocks: readonly TranscriptBlock[] }) {
  return (
    <Disclosure
      kind="asides"
      id={id}
      className="aside"
      summary={<span>{instructionsText(blocks, t("transcript.checkpoint"))}</span>}
    >
      {() =>
        blocks.map((block, at) => {
          const key = `${id} ${at}`;
          if (block.kind === "text") return <Prose key={key} text={block.text} style="typed" />;
          if (block.kind !== "section" && block.kind !== "tools") return null;
          return <InstructionView key={key} id={key} block={block} />;
        })
      }
    </Disclosure>
  );
}

function lineOf(name: string): string {
  return oneLine(name, MAX_NAME_LENGTH) || t("transcript.unknown");
}
