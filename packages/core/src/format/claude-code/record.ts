import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { Usage } from "../../session/record.ts";
import { parseTimestamp } from "../../session/timestamp.ts";
import { amount, blocksOf, joinText, text, textOrNull } from "../json-fields.ts";
import { type UserText, userText, withoutContext } from "./user-text.ts";

/** What a record of Claude Code is, as far as it says so on its own. */
export type Told =
  /** The user's words, or those of the agent that started this one. */
  | { kind: "prompt"; blocks: JsonValue[] }
  /** A piece of an answer. */
  | { kind: "answer"; message: JsonObject }
  /** Written by the client in place of an answer. */
  | { kind: "synthetic"; text: string; isError: boolean }
  /** An answer of another agent, as its progress: the only trace of it where the file of that agent is gone. */
  | { kind: "reported"; message: JsonObject; requestId: string | null }
  | { kind: "results"; results: JsonObject[]; blocks: JsonValue[] }
  | Exclude<UserText, { kind: "prompt" }>
  /** Names the session; an empty name takes it away. */
  | { kind: "name"; name: string }
  | { kind: "note"; type: string };

/** Its client writes this in place of a model. */
const SYNTHETIC = "<synthetic>";

export function told(entry: JsonObject): Told {
  switch (entry.type) {
    case "user":
      return ofUser(entry);
    case "assistant":
      return ofAssistant(entry);
    case "attachment":
      return ofAttachment(entry);
    case "system":
      return ofSystem(entry);
    case "progress":
      return ofProgress(entry);
    case "custom-title":
      return { kind: "name", name: text(entry.customTitle).trim() };
    default:
      return { kind: "note", type: text(entry.type) };
  }
}

function ofUser(entry: JsonObject): Told {
  const content = messageOf(entry)?.content;
  const results = blocksOf(content).filter(({ type }) => type === "tool_result");
  if (results.length > 0) return { kind: "results", results, blocks: blocksOf(content) };
  if (entry.isCompactSummary === true) return { kind: "summary", text: joinText(content) };
  if (entry.isMeta === true) return { kind: "context", text: joinText(content) };
  return named(ofWords(content, isOfUser(entry)));
}

/** Newer records tell where a prompt comes from. */
function isOfUser({ origin, promptSource }: JsonObject): boolean {
  const kind = isJsonObject(origin) ? textOrNull(origin.kind) : null;
  return (kind === null || kind === "human") && promptSource !== "system";
}

function ofWords(content: JsonValue | undefined, isUser: boolean): Told {
  if (typeof content === "string") {
    const words = userText(content);
    if (words.kind !== "prompt") return words;
    return isUser
      ? { kind: "prompt", blocks: words.text === "" ? [] : [{ type: "text", text: words.text }] }
      : { kind: "notice", text: words.text, isOfModel: true };
  }
  const blocks = (Array.isArray(content) ? content : []).flatMap((block): JsonValue[] => {
    if (!isJsonObject(block) || block.type !== "text") return [block];
    const words = withoutContext(text(block.text));
    return words === "" ? [] : [{ ...block, text: words }];
  });
  if (blocks.length === 0) return { kind: "context", text: joinText(content) };
  const said = joinText(blocks);
  const words = userText(said);
  if (words.kind !== "prompt") return words;
  return isUser ? { kind: "prompt", blocks } : { kind: "notice", text: said, isOfModel: true };
}

/** `/rename` names the session. */
function named(words: Told): Told {
  return words.kind === "command" && words.name === "/rename" ? { kind: "name", name: words.commandArguments } : words;
}

function ofAssistant(entry: JsonObject): Told {
  const message = messageOf(entry) ?? {};
  const isError = entry.isApiErrorMessage === true;
  if (message.model !== SYNTHETIC && !isError) return { kind: "answer", message };
  return { kind: "synthetic", text: joinText(message.content), isError };
}

function ofProgress({ type, data }: JsonObject): Told {
  const reported = isJsonObject(data) && data.type === "agent_progress" ? data.message : undefined;
  if (!isJsonObject(reported) || reported.type !== "assistant") return { kind: "note", type: text(type) };
  const message = messageOf(reported);
  // Without an ID, nothing tells it from the copy in the agent's own file.
  if (message === null || textOrNull(message.id) === null) return { kind: "note", type: text(type) };
  return { kind: "reported", message, requestId: textOrNull(reported.requestId) };
}

/** Prompts typed while a tool runs are attachments. */
function ofAttachment({ attachment, isMeta }: JsonObject): Told {
  const type = isJsonObject(attachment) ? text(attachment.type) : "";
  if (!isJsonObject(attachment) || type !== "queued_command") return { kind: "note", type: type || "attachment" };
  if (isMeta === true) return { kind: "context", text: joinText(attachment.prompt) };
  const isPrompt = attachment.commandMode === undefined || attachment.commandMode === "prompt";
  return ofWords(attachment.prompt, isPrompt && isOfUser(attachment));
}

function ofSystem({ subtype, content, level }: JsonObject): Told {
  const said = text(content);
  const type = textOrNull(subtype);
  if (type === "compact_boundary" || type === "microcompact_boundary" || said === "") {
    return { kind: "note", type: type ?? "system" };
  }
  if (type === null && level === "info") return { kind: "context", text: said };
  const words = userText(said);
  return words.kind === "prompt" ? { kind: "notice", text: said, isOfModel: false } : named(words);
}

function messageOf({ message }: JsonObject): JsonObject | null {
  return isJsonObject(message) ? message : null;
}

/** A compaction begins a new chain and names its predecessor apart. */
export function parentOf(entry: JsonObject): string | null | undefined {
  if (!("parentUuid" in entry)) return textOrNull(entry.logicalParentUuid) ?? undefined;
  return textOrNull(entry.parentUuid) ?? textOrNull(entry.logicalParentUuid);
}

export function timestampOf(entry: JsonObject): number | null {
  return parseTimestamp(entry.timestamp);
}

/** The model of an answer. */
export function modelOf(message: JsonObject): string | null {
  return textOrNull(message.model);
}

/** @param cost recorded by versions of early 2025 only. */
export function usageOf(value: JsonValue | undefined, cost: JsonValue | undefined): Usage | null {
  if (!isJsonObject(value)) return null;
  const split = isJsonObject(value.cache_creation) ? value.cache_creation : {};
  const input = amount(value.input_tokens);
  const output = amount(value.output_tokens);
  const cacheRead = amount(value.cache_read_input_tokens);
  const cacheWrite =
    typeof value.cache_creation_input_tokens === "number"
      ? amount(value.cache_creation_input_tokens)
      : amount(split.ephemeral_5m_input_tokens) + amount(split.ephemeral_1h_input_tokens);
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    cache_write_1h_tokens: Math.min(cacheWrite, amount(split.ephemeral_1h_input_tokens)),
    reasoning_tokens: 0,
    total_tokens: input + output + cacheRead + cacheWrite,
    cost_usd: typeof cost === "number" ? cost : null,
    estimated_cost_usd: null,
  };
}
