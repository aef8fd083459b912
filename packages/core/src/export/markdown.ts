import { formatCosts } from "../dollars.ts";
import { type JsonObject, ownValue } from "../json.ts";
import { declaredName } from "../session/prompt-parts.ts";
import type {
  BashItem,
  ContextEdit,
  MessageItem,
  NestedCall,
  RedactionCount,
  SummaryItem,
  ToolResultItem,
  Transcript,
  TranscriptBlock,
  TranscriptNotes,
} from "../session/transcript.ts";
import { blockQuote, fence, plainLine, prose } from "./commonmark.ts";
import { type ExportSelection, selectItems, stringify } from "./document.ts";
import { NO_SUBAGENTS, numbersOf, type Subagents, subagentAnchor, UNREADABLE_SUBAGENT } from "./subagents.ts";
import {
  CHECKPOINT_TITLE,
  editText,
  endingText,
  instructionsText,
  NOTHING_KEPT,
  nestedCallsText,
  omittedArgumentsText,
  outcomeText,
} from "./wording.ts";

/**
 * Streams a transcript as a CommonMark document. Headings of level 1 to 3 (outside of lists and quotes) and HTML belong
 * to the document: session text cannot create them. Omits image data, hidden messages, and entries without
 * conversation.
 */
export async function* exportMarkdown(
  transcript: Transcript,
  selection: ExportSelection,
  subagents: Subagents = NO_SUBAGENTS,
): AsyncGenerator<string> {
  let separator = "";
  for await (const block of documentBlocks(transcript, selection, subagents)) {
    // Lone surrogates have no UTF-8 encoding, and readers differ in joining two of them across pieces.
    yield `${separator}${block.replace(/\p{Cs}/gu, "\ufffd")}\n`;
    separator = "\n";
  }
}

/** A piece of one speaker's text; a call has an ID to find its result. */
interface Section {
  callId: string | null;
  text: string;
}

async function* documentBlocks(
  transcript: Transcript,
  selection: ExportSelection,
  subagents: Subagents,
): AsyncGenerator<string> {
  yield `# Session: ${plainLine(transcript.name ?? transcript.title)}`;
  yield* sessionBlocks(transcript, selection, subagents.numbers);
  let number = 0;
  for await (const subagent of subagents.transcripts()) {
    number++;
    yield `<a id="${subagentAnchor(number)}"></a>`;
    if (subagent === null) {
      yield `# Subagent ${number}`;
      yield `*${UNREADABLE_SUBAGENT}*`;
      continue;
    }
    yield `# Subagent ${number}: ${plainLine(subagent.name ?? subagent.title)}`;
    yield* sessionBlocks(subagent, selection, subagents.numbers);
  }
  if (transcript.redactions !== null) yield redactionSummary(transcript.redactions());
}

async function* sessionBlocks(
  transcript: Transcript,
  selection: ExportSelection,
  subagents: Subagents["numbers"],
): AsyncGenerator<string> {
  yield metadata(transcript);
  const { notes, labels } = transcript;
  if (notes !== undefined && notes.session !== null) yield note(notes.session);

  let speaker: string | null = null;
  // The last message is held back until its results arrive, so that each follows its call.
  let waiting: Section[] = [];
  for await (const item of selectItems(transcript.items, selection)) {
    if (item.kind === "note" || (item.kind === "message" && item.hidden)) continue;
    const own = notes === undefined ? "" : ownMarks(item.id, notes, labels);

    if (item.kind === "tool_result") {
      const call = waiting.findIndex((section) => section.callId !== null && section.callId === item.call_id);
      const before = waiting.splice(0, call === -1 ? waiting.length : call + 1);
      for (const section of before) yield section.text;
      if (call === -1) {
        if (speaker !== "Assistant") yield "## Assistant";
        speaker = "Assistant";
        yield `### Tool Result: ${plainLine(item.tool_name ?? "unknown")}`;
      }
      if (own !== "") yield own;
      yield toolResult(item, subagents);
      continue;
    }

    for (const section of waiting) yield section.text;
    const { heading, sections } = said(item);
    waiting = sections;
    if (own !== "" && sections.length > 0) waiting.unshift({ callId: null, text: own });
    if (sections.length === 0) continue;
    // An assistant turn is a sequence of messages with tool results in between.
    if (heading !== "Assistant" || heading !== speaker) yield `## ${heading}`;
    speaker = heading;
  }
  for (const section of waiting) yield section.text;
}

/** The bookmark and the note on an entry; empty without either. */
function ownMarks(id: string, notes: TranscriptNotes, labels: Transcript["labels"]): string {
  const text = notes.entries.get(id);
  const marks = text === undefined ? [] : [note(text)];
  const label = ownValue(labels, id);
  if (label !== undefined) marks.unshift(label === "" ? "**Bookmarked**" : `**Bookmark:** ${plainLine(label)}`);
  return marks.join("\n\n");
}

/** A note of the user. */
function note(text: string): string {
  return blockQuote(`**Note:**\n\n${prose(text)}`);
}

function redactionSummary(redactions: RedactionCount[]): string {
  const kinds = redactions.map(({ type, count: found }) => `${plainLine(type)} (${count(found)})`);
  return `*Redacted: ${kinds.length === 0 ? "nothing was found" : kinds.join(", ")}.*`;
}

function metadata(transcript: Transcript): string {
  const { usage } = transcript;
  const facts = [["Session ID", transcript.session_id]];
  if (transcript.cwd !== null) facts.push(["Working directory", transcript.cwd]);
  facts.push(["Created", transcript.created_at]);
  if (transcript.models.length > 0) facts.push(["Models", transcript.models.join(", ")]);
  if (usage.total_tokens > 0) {
    const kinds = [
      `${count(usage.input_tokens)} input`,
      `${count(usage.output_tokens)} output`,
      `${count(usage.cache_read_tokens)} cache read`,
      `${count(usage.cache_write_tokens)} cache write`,
    ];
    facts.push(["Tokens", `${count(usage.total_tokens)} (${kinds.join(", ")})`]);
  }
  const costs = formatCosts(usage);
  if (costs !== null) facts.push(["Cost", costs]);
  return facts.map(([name, value = ""]) => `- **${name}:** ${plainLine(value)}`).join("\n");
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}

const SPEAKERS = {
  user: "User",
  assistant: "Assistant",
  system: "System",
  custom: "Extension",
  client: "Client",
} as const;

function said(item: MessageItem | BashItem | SummaryItem): { heading: string; sections: Section[] } {
  switch (item.kind) {
    case "message":
      return { heading: SPEAKERS[item.role], sections: messageSections(item) };
    case "bash":
      return { heading: "User", sections: [{ callId: null, text: bashExecution(item) }] };
    case "summary": {
      const heading = item.reason === "compaction" ? "Compaction Summary" : "Branch Summary";
      const texts = [
        item.keeps_nothing ? `*${NOTHING_KEPT}.*` : "",
        prose(item.text),
        instructions(item.checkpoint, CHECKPOINT_TITLE),
      ];
      return { heading, sections: texts.filter((text) => text !== "").map((text) => ({ callId: null, text })) };
    }
  }
}

function messageSections(item: MessageItem): Section[] {
  if (item.role === "system") {
    const text = instructions(item.blocks);
    return text === "" ? [] : [{ callId: null, text }];
  }
  const sections: Section[] = [];
  // Before the text, because results directly follow their calls.
  if (item.context_edit !== null) sections.push({ callId: null, text: contextEdit(item.context_edit) });
  for (const block of item.blocks) {
    const text = messageBlock(block);
    if (text !== "") sections.push({ callId: block.kind === "tool_call" ? block.id : null, text });
  }
  const ending = endingText(item);
  if (item.error_message !== null) {
    sections.push({ callId: null, text: `**${ending ?? "Error"}:**\n\n${fence(item.error_message)}` });
  } else if (ending !== null) sections.push({ callId: null, text: `*${ending}.*` });
  return sections;
}

/** Instructions of the agent to the model, collapsed, with the names of tools. Empty if there are none. */
function instructions(blocks: TranscriptBlock[], title?: string): string {
  const parts = blocks.map(messageBlock).filter((text) => text !== "");
  return parts.length === 0 ? "" : details(instructionsText(blocks, title), parts);
}

function contextEdit(edit: ContextEdit): string {
  if (edit.replacement === null) return `*${editText(edit)}.*`;
  return details(
    editText(edit),
    edit.replacement.map(messageBlock).filter((text) => text !== ""),
  );
}

/** Writes one block; empty if it has no visible content. */
function messageBlock(block: TranscriptBlock): string {
  switch (block.kind) {
    case "text":
      return prose(block.text);
    case "thinking": {
      const text = prose(block.text);
      if (text !== "") return blockQuote(`**Thinking**\n\n${text}`);
      return block.redacted ? blockQuote("**Thinking** (redacted)") : "";
    }
    case "image":
      return `*[${plainLine(block.mime_type || "image")}, ${base64Size(block.data)}]*`;
    case "tool_call":
      return toolCall(block.name, block.arguments);
    case "section":
      return `**${plainLine(block.name)}**${block.text === null ? " (removed)" : `\n\n${prose(block.text)}`}`;
    case "tools": {
      const lines = [
        toolNames("Tools added", block.added.map(declaredName)),
        toolNames("Tools removed", block.removed),
      ];
      return lines.filter((line) => line !== "").join("\n\n");
    }
    case "raw":
      return fence(stringify(block.value, 2), "json");
  }
}

function toolNames(title: string, names: string[]): string {
  return names.length === 0 ? "" : `**${title}:** ${names.map(plainLine).join(", ")}`;
}

function toolCall(name: string, args: JsonObject): string {
  const parts = [`### Tool Call: ${plainLine(name)}`];
  const path = [args.path, args.file_path, args.filePath].find((value) => typeof value === "string" && value !== "");
  if (typeof path === "string") parts.push(`**File:** ${plainLine(path)}`);
  const { command, ...others } = args;
  const isCommand = name.toLowerCase() === "bash" && typeof command === "string";
  if (isCommand) parts.push(fence(command, "bash"));
  const shown = isCommand ? others : args;
  if (Object.keys(shown).length > 0) parts.push(fence(stringify(shown, 2), "json"));
  return parts.join("\n\n");
}

function toolResult(item: ToolResultItem, subagents: Subagents["numbers"]): string {
  const parts: string[] = [];
  for (const block of item.blocks) {
    const text = block.kind === "text" ? fencedOutput(block.text) : messageBlock(block);
    if (text !== "") parts.push(text);
  }
  if (item.diff !== null) parts.push(fence(item.diff, "diff"));
  const written = [details(item.is_error ? "Result (error)" : "Result", parts)];
  if (item.nested_calls !== null) {
    written.push(details(nestedCallsText(item.nested_calls), item.nested_calls.calls.map(nestedCall)));
  }
  if (item.context_edit !== null) written.push(contextEdit(item.context_edit));
  const links = numbersOf(item.subagents, subagents).map(
    (number) => `[Subagent ${number}](#${subagentAnchor(number)})`,
  );
  if (links.length > 0) written.push(links.join(", "));
  return written.join("\n\n");
}

function nestedCall(call: NestedCall): string {
  const outcome = outcomeText(call);
  const parts = [`**${plainLine(call.name) || "unnamed tool"}**${outcome === "" ? "" : ` (${outcome})`}`];
  if (call.arguments === null) parts.push(`*${omittedArgumentsText(call)}*`);
  else if (Object.keys(call.arguments).length > 0) parts.push(fence(stringify(call.arguments, 2), "json"));
  if (call.error !== null) parts.push(fence(call.error));
  return parts.join("\n\n");
}

function bashExecution(item: BashItem): string {
  const remarks: string[] = [];
  if (item.exit_code !== null && item.exit_code !== 0) remarks.push(`exit code ${item.exit_code}`);
  if (item.cancelled) remarks.push("cancelled");
  if (item.truncated) remarks.push("truncated");
  const summary = remarks.length === 0 ? "Output" : `Output (${remarks.join(", ")})`;
  const output = fencedOutput(item.output);
  return `### Bash\n\n${fence(item.command, "bash")}\n\n${details(summary, output === "" ? [] : [output])}`;
}

function fencedOutput(text: string): string {
  return text === "" ? "" : fence(text);
}

/** Blank lines end the HTML blocks, so that the content is parsed as Markdown. */
function details(summary: string, parts: string[]): string {
  const body = parts.length === 0 ? "*No output*" : parts.join("\n\n");
  return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

function base64Size(data: string): string {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  const bytes = Math.floor(((data.length - padding) * 3) / 4);
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
