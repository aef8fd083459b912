import type { JsonObject, JsonValue } from "../../json.ts";
import { ABORTED, failedWith } from "../ending.ts";
import { excerptOfText } from "../excerpt.ts";
import type { AnswerIdentity, EntryFacts } from "../format.ts";
import { blocksOf, joinText, text, textOrNull } from "../json-fields.ts";
import { modelOf, parentOf, type Told, timestampOf, told, usageOf } from "./record.ts";

const NO_TOOLS: readonly (string | null)[] = [];

function noExcerpt(): null {
  return null;
}

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
    excerpt: noExcerpt,
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
  addTold(facts, what, entry);
  return facts;
}

/** Written into the facts: copies of them would take a tenth of the first reading. */
function addTold(facts: EntryFacts, what: Told, entry: JsonObject): void {
  switch (what.kind) {
    case "prompt":
      facts.isMessage = true;
      facts.role = "user";
      addText(facts, joinText(what.blocks));
      break;
    case "answer": {
      const { message } = what;
      const calls = callsIn(message.content);
      facts.isMessage = true;
      facts.role = "assistant";
      addText(facts, joinText(message.content));
      if (calls.length > 0) facts.calledTools = calls.map(({ name }) => textOrNull(name));
      facts.model = modelOf(message);
      facts.setsModel = true;
      facts.usage = usageOf(message.usage, entry.costUSD);
      facts.answer = answerOf(entry, message);
      break;
    }
    case "reported": {
      const { message, requestId: request } = what;
      facts.model = modelOf(message);
      facts.usage = usageOf(message.usage, undefined);
      facts.answer = { id: text(message.id), request, isAside: true, isReported: true };
      break;
    }
    case "results": {
      const failed = what.results.filter(({ is_error }) => is_error === true);
      facts.isMessage = true;
      facts.role = "tool";
      if (failed.length > 0) facts.failedTools = failed.map(() => null);
      break;
    }
    case "bash":
      facts.role = "bash";
      break;
    case "name":
      facts.name = what.name;
      break;
    case "summary":
    case "note":
      break;
    case "synthetic":
      facts.role = "custom";
      if (what.isError) facts.ending = failedWith(what.text);
      break;
    case "notice":
      facts.role = "custom";
      if (what.isInterruption === true) facts.ending = ABORTED;
      break;
    case "command":
    case "context":
      facts.role = "custom";
      break;
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

function addText(facts: EntryFacts, said: string): void {
  const excerpt = excerptOfText(said);
  if (excerpt === null) return;
  facts.hasText = true;
  facts.excerpt = () => excerpt;
}
