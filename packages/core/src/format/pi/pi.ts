import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import { cut, oneLine } from "../../session/text.ts";
import { parseTimestamp } from "../../session/timestamp.ts";
import { argumentPaths } from "../argument-paths.ts";
import { callText } from "../call-text.ts";
import type { LineReader, RawLine, SearchPart, SessionFormat, SessionHeader } from "../format.ts";
import { blocksOf, joinField, joinText, text, textOrNull } from "../json-fields.ts";
import { piAgent } from "./agent.ts";
import { piFacts, WITHOUT_CONVERSATION } from "./facts.ts";
import { messageOf, nestedCallsOf, roleOf } from "./fields.ts";
import { piContextEdit, piItem } from "./items.ts";
import { partsOfScanned } from "./parts.ts";
import { factsOfScanned } from "./scanned.ts";
import { piWriter } from "./writer.ts";

const OWN_TYPES = new Set([...WITHOUT_CONVERSATION, "compaction", "branch_summary", "custom_message"]);

/** Shorter lines are parsed as fast as their beginning is inspected. */
const MIN_TO_SKIM = 512;
/** Beginning of the text in such a line, if it comes first. */
const RESULT_TEXT_START =
  /^\{"type":"message",[^{}]{0,200}"message":\{"role":"toolResult",(?:"toolCallId":"[^"\\]*","toolName":"[^"\\]*",)?"content":\[\{"type":"text","text":"/;
const RESULT_TEXT_START_BYTES = 512;
/** Per character of a preview: most characters have at most three bytes. */
const BYTES_TO_PREVIEW = 4;
/** Characters and complete escapes of a JSON string. */
const JSON_LETTERS = /(?:[^"\\]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y;
/** Result of decoding bytes that end within a character. */
const HALF_A_LETTER = /\ufffd$/;
/**
 * Sessions of pi (`@earendil-works/pi-coding-agent`), format versions 1 to 3; a higher version is read as 3.
 * Version 1 is a plain sequence without ids, versions 2 and 3 are trees.
 */
export const piFormat: SessionFormat = {
  name: "pi",
  agent: piAgent,

  recognises(line): boolean {
    if (line.type === "session") return true;
    if (line.type === "message") return isJsonObject(line.message);
    return typeof line.type === "string" && OWN_TYPES.has(line.type) && typeof line.timestamp === "string";
  },

  reader: () => READER,

  facts: piFacts,

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
          if (call.type === "toolCall") parts.push(callPart(call, model));
        }
        break;
      }
      case "tool":
        add("tool_result", "tool", joinText(message.content), textOrNull(message.toolName));
        for (const call of nestedCallsOf(message)) {
          parts.push(callPart(call, null));
          add("tool_result", "tool", text(call.error), textOrNull(call.name));
        }
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

  item: piItem,

  contextEdit: piContextEdit,

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
        case "context_edit":
          return isJsonObject(entry.replacement) ? previewOfContent(entry.replacement.content, limit) : "";
        case "usage":
          return oneLine(text(entry.kind), limit);
        case "custom_message":
          return entry.display === false ? "" : oneLine(joinText(entry.content), limit);
        default:
          return oneLine(text(entry.customType), limit);
      }
    }
    if (roleOf(message) === "bash") return oneLine(`$ ${text(message.command)}`, limit);
    return previewOfContent(message.content, limit) || oneLine(text(message.errorMessage), limit);
  },

  skimPreview(line: RawLine, limit: number): string | null {
    if (line.length < MIN_TO_SKIM) return null;
    const start = RESULT_TEXT_START.exec(line.slice(0, RESULT_TEXT_START_BYTES))?.[0].length;
    if (start === undefined) return null;
    const bytes = line.slice(start, start + limit * BYTES_TO_PREVIEW);
    JSON_LETTERS.lastIndex = 0;
    const letters = JSON_LETTERS.exec(bytes)?.[0].length ?? 0;
    const json = line.text(start, start + letters).replace(HALF_A_LETTER, "");
    const said = json.includes("\\") ? text(parseValue(`"${json}"`)) : json;
    const preview = oneLine(said, limit + 1);
    // The rest would be cut off.
    return preview.length > limit ? cut(preview, limit) : null;
  },

  writer: piWriter,
};

const READER: LineReader = {
  state: null,
  readScanned(line) {
    const entry = factsOfScanned(line);
    return entry === null ? null : { header: null, entry };
  },
  read(line, { header }) {
    // A second header starts a second copy of the conversation; the first one counts.
    if (line.type === "session") return { header: header === null ? headerOf(line) : null, entry: null };
    return { header: null, entry: typeof line.type === "string" ? piFacts(line) : null };
  },
};

function headerOf(line: JsonObject): SessionHeader {
  const parentSessionPath = textOrNull(line.parentSession) ?? textOrNull(line.branchedFrom);
  return {
    id: textOrNull(line.id),
    timestamp: parseTimestamp(line.timestamp),
    cwd: textOrNull(line.cwd),
    parentSessionPath,
    parentSessionId: null,
    relation: parentSessionPath === null ? null : "fork",
    title: null,
    rateLimits: null,
    hasTree: typeof line.version === "number" && line.version >= 2,
  };
}

function previewOfContent(content: JsonValue | undefined, limit: number): string {
  const said = oneLine(joinText(content), limit);
  if (said !== "") return said;
  const blocks = blocksOf(content);
  const call = blocks.find((block) => block.type === "toolCall");
  if (call !== undefined) return oneLine(piCallText(call), limit);
  return blocks.some((block) => block.type === "image") ? "[image]" : "";
}

function parseValue(json: string): JsonValue | undefined {
  try {
    // Parsed JSON is always a `JsonValue`.
    return JSON.parse(json) as JsonValue;
  } catch {
    return undefined;
  }
}

function callPart(call: JsonObject, model: string | null): SearchPart {
  const files = isJsonObject(call.arguments) ? argumentPaths(call.arguments) : [];
  return { kind: "tool_call", role: "tool", text: piCallText(call), toolName: textOrNull(call.name), model, files };
}

function piCallText(call: JsonObject): string {
  return callText(text(call.name), call.arguments);
}
