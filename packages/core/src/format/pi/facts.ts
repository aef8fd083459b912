import type { JsonObject, JsonValue } from "../../json.ts";
import type { Ending, Usage } from "../../session/record.ts";
import type { MessageRole } from "../../session/roles.ts";
import { ABORTED, failedWith } from "../ending.ts";
import { excerptOfText } from "../excerpt.ts";
import type { EntryFacts } from "../format.ts";
import { blocksOf, joinText, text, textOrNull } from "../json-fields.ts";
import { messageOf, nestedCallsOf, roleOf, timestampOf, usageOf } from "./fields.ts";

/** Entries without conversation: settings, names, bookmarks, extension data, costs, and context edits. */
export const WITHOUT_CONVERSATION = new Set([
  "label",
  "session_info",
  "custom",
  "model_change",
  "thinking_level_change",
  "usage",
  "context_edit",
]);

const NO_TOOLS: readonly (string | null)[] = [];
const NO_MODEL = { model: null, provider: null };

/** `SessionFormat.facts` for pi. */
export function piFacts(entry: JsonObject): EntryFacts {
  const message = messageOf(entry);
  const role = message === null ? null : roleOf(message);
  const spoken = role === "user" || role === "assistant";
  const excerpt = message !== null && spoken ? excerptOfText(joinText(message.content)) : null;
  const nested = role === "tool" && message !== null ? nestedCallsOf(message) : [];
  const facts: EntryFacts = {
    id: textOrNull(entry.id),
    parentId: "parentId" in entry ? textOrNull(entry.parentId) : undefined,
    conversation: typeof entry.type === "string" && !WITHOUT_CONVERSATION.has(entry.type),
    isMessage: entry.type === "message",
    continues: false,
    role,
    timestamp: timestampOf(entry),
    hasText: excerpt !== null,
    excerpt: () => excerpt,
    calledTools: role === "assistant" ? calledTools(message?.content) : NO_TOOLS,
    nestedTools: nested.length === 0 ? NO_TOOLS : nested.map(({ name }) => textOrNull(name)),
    failedTools: role === "tool" ? failedTools(message, nested) : NO_TOOLS,
    ...modelOf(entry, message, role),
    setsModel: role === "assistant" || entry.type === "model_change",
    usage: usageIn(entry, message, role),
    answer: null,
    name: entry.type === "session_info" ? (textOrNull(entry.name) ?? "").trim() : undefined,
    label: labelOf(entry),
    editedId: entry.type === "context_edit" ? (textOrNull(entry.targetId) ?? undefined) : undefined,
  };
  const ending = role === "assistant" && message !== null ? endingOf(message) : null;
  if (ending !== null) facts.ending = ending;
  return facts;
}

/** Current name of a provider: release 1.0.3 of the agent renamed one. */
export function providerNamed(provider: string | null): string | null {
  return provider === "azure-openai-responses" ? "azure" : provider;
}

function endingOf({ stopReason, errorMessage }: JsonObject): Ending | null {
  if (stopReason === "aborted") return ABORTED;
  return stopReason === "error" ? failedWith(text(errorMessage)) : null;
}

function calledTools(content: JsonValue | undefined): EntryFacts["calledTools"] {
  const calls = blocksOf(content).filter((block) => block.type === "toolCall");
  return calls.length === 0 ? NO_TOOLS : calls.map((call) => textOrNull(call.name));
}

function failedTools(message: JsonObject | null, nested: readonly JsonObject[]): EntryFacts["failedTools"] {
  const failed = nested.filter(({ status }) => status === "error").map(({ name }) => textOrNull(name));
  if (message?.isError === true) failed.unshift(textOrNull(message.toolName));
  return failed.length === 0 ? NO_TOOLS : failed;
}

function modelOf(entry: JsonObject, message: JsonObject | null, role: MessageRole | null) {
  const from = role === "assistant" ? message : entry.type === "usage" || entry.type === "model_change" ? entry : null;
  if (from === null) return NO_MODEL;
  const model = textOrNull(entry.type === "model_change" ? entry.modelId : from.model);
  return { model, provider: providerNamed(textOrNull(from.provider)) };
}

/** Usage as in the agent's own totals, see its `getSessionStats`. */
function usageIn(entry: JsonObject, message: JsonObject | null, role: MessageRole | null): Usage | null {
  if (role === "assistant" || role === "tool") return usageOf(message?.usage);
  const hasUsage = entry.type === "usage" || entry.type === "compaction" || entry.type === "branch_summary";
  return hasUsage ? usageOf(entry.usage) : null;
}

function labelOf(entry: JsonObject): EntryFacts["label"] {
  if (entry.type !== "label" || typeof entry.targetId !== "string") return undefined;
  return { targetId: entry.targetId, label: textOrNull(entry.label) };
}
