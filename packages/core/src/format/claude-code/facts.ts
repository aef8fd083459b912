import type { JsonObject, JsonValue } from "../../json.ts";
import { excerptOfText } from "../excerpt.ts";
import type { AnswerIdentity, EntryFacts } from "../format.ts";
import { blocksOf, joinText, textOrNull } from "../json-fields.ts";
import { modelOf, parentOf, type Told, timestampOf, told, usageOf } from "./record.ts";

const NO_TOOLS: readonly (string | null)[] = [];

/** See `SessionFormat.facts`: each piece of an answer looks like a whole one. */
export function claudeFacts(entry: JsonObject, what: Told = told(entry)): EntryFacts {
  const facts: EntryFacts = {
    id: textOrNull(entry.uuid),
    parentId: parentOf(entry),
    conversation: isConversation(what),
    isMessage: false,
    continues: false,
    role: null,
    timestamp: timestampOf(entry),
    hasText: false,
    excerpt: () => null,
    calledTools: NO_TOOLS,
    nestedTools: NO_TOOLS,
    failedTools: NO_TOOLS,
    model: null,
    provider: null,
    setsModel: false,
    usage: null,
    answer: null,
    name: undefined,
    label: undefined,
    editedId: undefined,
  };
  switch (what.kind) {
    case "prompt":
      return { ...facts, isMessage: true, role: "user", ...textFacts(joinText(what.blocks)) };
    case "answer": {
      const { message } = what;
      return {
        ...facts,
        isMessage: true,
        role: "assistant",
        ...textFacts(joinText(message.content)),
        calledTools: callsIn(message.content).map(({ name }) => textOrNull(name)),
        model: modelOf(message),
        setsModel: true,
        usage: usageOf(message.usage, entry.costUSD),
        answer: answerOf(entry, message),
      };
    }
    case "results":
      return {
        ...facts,
        isMessage: true,
        role: "tool",
        failedTools: what.results.filter(({ is_error }) => is_error === true).map(() => null),
      };
    case "bash":
      return { ...facts, role: "bash" };
    case "name":
      return { ...facts, name: what.name };
    case "summary":
    case "note":
      return facts;
    case "synthetic":
    case "command":
    case "notice":
    case "context":
      return { ...facts, role: "custom" };
  }
}

export function callsIn(content: JsonValue | undefined): JsonObject[] {
  return blocksOf(content).filter(({ type }) => type === "tool_use");
}

/** Without an ID, each record is an answer of its own. */
function answerOf({ requestId, isSidechain }: JsonObject, message: JsonObject): AnswerIdentity | null {
  const id = textOrNull(message.id);
  return id === null ? null : { id, request: textOrNull(requestId), isAside: isSidechain === true };
}

/** What the client does by itself makes no branch. */
function isConversation(what: Told): boolean {
  switch (what.kind) {
    case "prompt":
    case "answer":
    case "synthetic":
    case "results":
    case "summary":
      return true;
    case "notice":
      return what.isOfModel;
    default:
      return false;
  }
}

function textFacts(text: string): Pick<EntryFacts, "hasText" | "excerpt"> {
  const excerpt = excerptOfText(text);
  return { hasText: excerpt !== null, excerpt: () => excerpt };
}
