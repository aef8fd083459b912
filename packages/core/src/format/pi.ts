import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Usage } from "../session/record.ts";
import { cut, oneLine } from "../session/text.ts";
import { formatTimestamp, isWritable, parseTimestamp } from "../session/timestamp.ts";
import type { TranscriptBlock, TranscriptItem } from "../session/transcript.ts";
import { argumentPaths, DEEPEST_ARGUMENT } from "./argument-paths.ts";
import type {
  AppendPosition,
  EntryFacts,
  MessageRole,
  RawLine,
  SearchPart,
  SessionFormat,
  SessionHeader,
} from "./format.ts";
import { excerptOfText } from "./pi-excerpt.ts";
import { partsOfScanned } from "./pi-parts.ts";
import { factsOfScanned } from "./pi-scanned.ts";

/** Entries that carry no conversation: settings, names, bookmarks, data of extensions. */
const WITHOUT_CONVERSATION = new Set(["label", "session_info", "custom", "model_change", "thinking_level_change"]);

const OWN_TYPES = new Set([
  ...WITHOUT_CONVERSATION,
  "compaction",
  "branch_summary",
  "custom_message",
  "context_edit",
  "usage",
]);

/** Roles as the agent writes them; `hookMessage` is what format 2 called `custom`. */
const ROLES: Readonly<Record<string, MessageRole>> = {
  user: "user",
  assistant: "assistant",
  toolResult: "tool",
  bashExecution: "bash",
  custom: "custom",
  hookMessage: "custom",
  system: "system",
};

/** Shorter lines are parsed as fast as their beginning is looked at. */
const LEAST_TO_SKIM = 512;
const NO_TOOLS: EntryFacts["calledTools"] = [];
/** What such a line says begins here, where it is the text that comes first. */
const RESULT_TEXT_START =
  /^\{"type":"message",[^{}]{0,200}"message":\{"role":"toolResult",(?:"toolCallId":"[^"\\]*","toolName":"[^"\\]*",)?"content":\[\{"type":"text","text":"/;
const RESULT_TEXT_START_BYTES = 512;
/** For each letter of a preview: most letters take three at most. */
const BYTES_TO_PREVIEW = 4;
/** Letters and whole escapes of a JSON string. */
const JSON_LETTERS = /(?:[^"\\]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y;
/** What decoding makes of bytes that end in the middle of a letter. */
const HALF_A_LETTER = /\ufffd$/;
/**
 * Sessions of pi (`@earendil-works/pi-coding-agent`), format versions 1 to 3; a higher version is read as 3.
 * Version 1 is a plain sequence without ids, versions 2 and 3 are trees.
 */
export const piFormat: SessionFormat = {
  name: "pi",

  readHeader(line): SessionHeader | null {
    if (line.type !== "session") return null;
    return {
      id: textOrNull(line.id),
      timestamp: parseTimestamp(line.timestamp),
      cwd: textOrNull(line.cwd),
      parentSessionPath: textOrNull(line.parentSession) ?? textOrNull(line.branchedFrom),
      hasTree: typeof line.version === "number" && line.version >= 2,
    };
  },

  recognises(line): boolean {
    if (line.type === "message") return isJsonObject(line.message);
    return typeof line.type === "string" && OWN_TYPES.has(line.type) && typeof line.timestamp === "string";
  },

  facts(entry): EntryFacts {
    const message = messageOf(entry);
    const role = message === null ? null : roleOf(message);
    const spoken = role === "user" || role === "assistant";
    const excerpt = message !== null && spoken ? excerptOfText(joinText(message.content)) : null;
    return {
      id: textOrNull(entry.id),
      parentId: "parentId" in entry ? textOrNull(entry.parentId) : undefined,
      conversation: typeof entry.type === "string" && !WITHOUT_CONVERSATION.has(entry.type),
      isMessage: entry.type === "message",
      role,
      timestamp: timestampOf(entry),
      hasText: excerpt !== null,
      excerpt: () => excerpt,
      calledTools: role === "assistant" ? calledTools(message?.content) : NO_TOOLS,
      failedTool: role === "tool" && message?.isError === true ? textOrNull(message.toolName) : undefined,
      model: role === "assistant" ? textOrNull(message?.model) : null,
      provider: role === "assistant" ? textOrNull(message?.provider) : null,
      usage: role === "assistant" ? usageOf(message?.usage) : null,
      name: entry.type === "session_info" ? (textOrNull(entry.name) ?? "").trim() : undefined,
      label: labelOf(entry),
    };
  },

  scannedFacts: factsOfScanned,

  parts(entry): SearchPart[] {
    const parts: SearchPart[] = [];
    const message = messageOf(entry);
    const model = textOrNull(message?.model);
    const add = (kind: SearchPart["kind"], role: SearchPart["role"], text: string, toolName: string | null = null) => {
      if (text !== "")
        parts.push({ kind, role, text, toolName, model: role === "assistant" ? model : null, files: [] });
    };
    if (message === null) {
      if (entry.type === "compaction" || entry.type === "branch_summary") add("summary", null, text(entry.summary));
      if (entry.type === "custom_message" && entry.display !== false) add("text", null, joinText(entry.content));
      if (entry.type === "session_info") add("name", null, text(entry.name).trim());
      if (entry.type === "label") add("label", null, text(entry.label));
      return parts;
    }
    switch (roleOf(message)) {
      case "user":
        add("text", "user", joinText(message.content));
        break;
      case "assistant": {
        const blocks = blocksOf(message.content);
        add("text", "assistant", joinText(message.content));
        add("thinking", "assistant", joinField(blocks, "thinking", "thinking"));
        for (const call of blocks) {
          if (call.type !== "toolCall") continue;
          const files = isJsonObject(call.arguments) ? argumentPaths(call.arguments) : [];
          const toolName = textOrNull(call.name);
          parts.push({ kind: "tool_call", role: "tool", text: callText(call), toolName, model, files });
        }
        break;
      }
      case "tool":
        add("tool_result", "tool", joinText(message.content), textOrNull(message.toolName));
        break;
      case "bash":
        add("bash", "tool", `${text(message.command)}\n${text(message.output)}`.trim(), "bash");
        break;
      case "custom":
      case "system":
        if (message.display !== false) add("text", null, joinText(message.content));
        break;
      case null:
        break;
    }
    return parts;
  },

  scannedParts: partsOfScanned,

  item(entry, id, parentId): TranscriptItem {
    const base = { id, parent_id: parentId, timestamp: formatTimestamp(timestampOf(entry)) };
    const message = messageOf(entry);
    if (message !== null) {
      const role = roleOf(message);
      if (role === "tool") {
        return {
          ...base,
          kind: "tool_result",
          call_id: textOrNull(message.toolCallId),
          tool_name: textOrNull(message.toolName),
          blocks: transcriptBlocks(message.content),
          is_error: message.isError === true,
          diff: isJsonObject(message.details) ? textOrNull(message.details.diff) : null,
          details: message.details ?? null,
        };
      }
      if (role === "bash") {
        return {
          ...base,
          kind: "bash",
          command: text(message.command),
          output: text(message.output),
          exit_code: typeof message.exitCode === "number" ? message.exitCode : null,
          cancelled: message.cancelled === true,
          truncated: message.truncated === true,
          full_output_path: textOrNull(message.fullOutputPath),
        };
      }
      if (role !== null) {
        return {
          ...base,
          kind: "message",
          role,
          hidden: message.display === false,
          blocks: [...transcriptBlocks(message.content), ...sectionBlocks(message.sections)],
          provider: textOrNull(message.provider),
          model: textOrNull(message.model),
          usage: usageOf(message.usage),
          stop_reason: textOrNull(message.stopReason),
          error_message: textOrNull(message.errorMessage),
        };
      }
    }
    if (entry.type === "compaction")
      return { ...base, kind: "summary", reason: "compaction", text: text(entry.summary) };
    if (entry.type === "branch_summary")
      return { ...base, kind: "summary", reason: "branch", text: text(entry.summary) };
    if (entry.type === "custom_message") {
      return {
        ...base,
        kind: "message",
        role: "custom",
        hidden: entry.display === false,
        blocks: transcriptBlocks(entry.content),
        provider: null,
        model: null,
        usage: null,
        stop_reason: null,
        error_message: null,
      };
    }
    return { ...base, kind: "note", type: text(entry.type), value: entry };
  },

  preview(entry, limit): string {
    const message = messageOf(entry);
    if (message === null) {
      switch (entry.type) {
        case "compaction":
        case "branch_summary":
          return oneLine(text(entry.summary), limit);
        case "session_info":
          return oneLine(text(entry.name), limit);
        case "label":
          return oneLine(text(entry.label), limit);
        case "model_change":
          return oneLine(`${text(entry.provider)}/${text(entry.modelId)}`, limit);
        case "thinking_level_change":
          return oneLine(text(entry.thinkingLevel), limit);
        case "custom_message":
          return entry.display === false ? "" : oneLine(joinText(entry.content), limit);
        default:
          return oneLine(text(entry.customType), limit);
      }
    }
    if (roleOf(message) === "bash") return oneLine(`$ ${text(message.command)}`, limit);
    const said = oneLine(joinText(message.content), limit);
    if (said !== "") return said;
    const [call] = blocksOf(message.content).filter((block) => block.type === "toolCall");
    if (call !== undefined) return oneLine(callText(call), limit);
    if (blocksOf(message.content).some((block) => block.type === "image")) return "[image]";
    return oneLine(text(message.errorMessage), limit);
  },

  skimPreview(line: RawLine, limit: number): string | null {
    if (line.length < LEAST_TO_SKIM) return null;
    const start = RESULT_TEXT_START.exec(line.slice(0, RESULT_TEXT_START_BYTES))?.[0].length;
    if (start === undefined) return null;
    const bytes = line.slice(start, start + limit * BYTES_TO_PREVIEW);
    JSON_LETTERS.lastIndex = 0;
    const letters = JSON_LETTERS.exec(bytes)?.[0].length ?? 0;
    const json = line.text(start, start + letters).replace(HALF_A_LETTER, "");
    const said = json.includes("\\") ? text(parseValue(`"${json}"`)) : json;
    const preview = oneLine(said, limit + 1);
    // Whatever follows, it is not seen.
    return preview.length > limit ? cut(preview, limit) : null;
  },

  nameLine(name: string, position: AppendPosition): string {
    const tree = position.tree === null ? {} : { id: position.tree.id, parentId: position.tree.parentId };
    return JSON.stringify({ type: "session_info", ...tree, timestamp: position.timestamp, name });
  },
};

function parseValue(json: string): JsonValue | undefined {
  try {
    // Whatever JSON says is one.
    return JSON.parse(json) as JsonValue;
  } catch {
    return undefined;
  }
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function messageOf(entry: JsonObject): JsonObject | null {
  return entry.type === "message" && isJsonObject(entry.message) ? entry.message : null;
}

function roleOf(message: JsonObject): MessageRole | null {
  const role = message.role;
  return typeof role === "string" && Object.hasOwn(ROLES, role) ? (ROLES[role] ?? null) : null;
}

function timestampOf(entry: JsonObject): number | null {
  const own = parseTimestamp(entry.timestamp);
  if (own !== null) return own;
  const inner = messageOf(entry)?.timestamp;
  return typeof inner === "number" && Number.isInteger(inner) && isWritable(inner) ? inner : null;
}

function blocksOf(content: JsonValue | undefined): JsonObject[] {
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

function joinField(blocks: JsonObject[], type: string, field: string): string {
  return blocks
    .filter((block) => block.type === type)
    .map((block) => text(block[field]))
    .filter((piece) => piece !== "")
    .join("\n");
}

function joinText(content: JsonValue | undefined): string {
  return typeof content === "string" ? content : joinField(blocksOf(content), "text", "text");
}

function calledTools(content: JsonValue | undefined): EntryFacts["calledTools"] {
  const calls = blocksOf(content).filter((block) => block.type === "toolCall");
  return calls.length === 0 ? NO_TOOLS : calls.map((call) => textOrNull(call.name));
}

/** A call in words: its name, then each argument on a line of its own. */
function callText(call: JsonObject): string {
  const lines = [text(call.name)];
  if (isJsonObject(call.arguments)) addArguments(lines, call.arguments, 0);
  return lines.join("\n");
}

/** Strings deep down are written as they are too: in JSON, `n` would stick to the first word of each of their lines. */
function addArguments(lines: string[], value: JsonObject | JsonValue[], depth: number): void {
  if (depth === DEEPEST_ARGUMENT) return;
  for (const [key, inner] of Object.entries(value)) {
    const name = Array.isArray(value) ? "" : `${key}: `;
    if (typeof inner !== "object" || inner === null) lines.push(`${name}${inner}`);
    else addArguments(lines, inner, depth + 1);
  }
}

function labelOf(entry: JsonObject): EntryFacts["label"] {
  if (entry.type !== "label" || typeof entry.targetId !== "string") return undefined;
  return { targetId: entry.targetId, label: textOrNull(entry.label) };
}

function amount(value: JsonValue | undefined): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

function usageOf(value: JsonValue | undefined): Usage | null {
  if (!isJsonObject(value)) return null;
  const input = amount(value.input);
  const output = amount(value.output);
  const cacheRead = amount(value.cacheRead);
  const cacheWrite = amount(value.cacheWrite);
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    total_tokens: typeof value.totalTokens === "number" ? value.totalTokens : input + output + cacheRead + cacheWrite,
    cost_usd: costOf(value.cost),
  };
}

function costOf(value: JsonValue | undefined): number | null {
  if (!isJsonObject(value)) return null;
  if (typeof value.total === "number") return value.total;
  const parts = [value.input, value.output, value.cacheRead, value.cacheWrite];
  return parts.some((part) => typeof part === "number")
    ? parts.reduce<number>((sum, part) => sum + amount(part), 0)
    : null;
}

function transcriptBlocks(content: JsonValue | undefined): TranscriptBlock[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.map(transcriptBlock);
}

/** From 0.87 on the agent keeps its own instructions in named parts. */
function sectionBlocks(sections: JsonValue | undefined): TranscriptBlock[] {
  if (!isJsonObject(sections)) return [];
  return Object.values(sections).flatMap((section) =>
    typeof section === "string" && section !== "" ? [{ kind: "text", text: section }] : [],
  );
}

function transcriptBlock(block: JsonValue): TranscriptBlock {
  if (isJsonObject(block)) {
    if (block.type === "text" && typeof block.text === "string") return { kind: "text", text: block.text };
    if (block.type === "thinking" && typeof block.thinking === "string") {
      return { kind: "thinking", text: block.thinking, redacted: block.redacted === true };
    }
    if (block.type === "image" && typeof block.data === "string") {
      return { kind: "image", mime_type: text(block.mimeType), data: block.data };
    }
    if (block.type === "toolCall" && typeof block.name === "string") {
      const args = isJsonObject(block.arguments) ? block.arguments : {};
      return { kind: "tool_call", id: textOrNull(block.id), name: block.name, arguments: args };
    }
  }
  return { kind: "raw", value: block };
}
