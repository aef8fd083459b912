import type { JsonObject } from "../../json.ts";
import { ABORTED, failedWith } from "../ending.ts";
import { excerptOfText } from "../excerpt.ts";
import type { EntryFacts } from "../format.ts";
import { text } from "../json-fields.ts";
import { textOfContent } from "./content.ts";
import { payloadOf, type Told, timestampOf, tokensOf, told, usageOf } from "./record.ts";

const NO_TOOLS: readonly (string | null)[] = [];

/** See `SessionFormat.facts`: what the model reads as the user's looks like a prompt. */
export function codexFacts(entry: JsonObject, what: Told = told(entry)): EntryFacts {
  const facts: EntryFacts = {
    id: null,
    parentId: undefined,
    conversation: false,
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
  // Changed, and not copied: there is one for every line of a session.
  switch (what.kind) {
    case "prompt":
    case "input":
      facts.role = "user";
      tellMessage(facts, what.text);
      break;
    case "answer":
      facts.role = "assistant";
      tellMessage(facts, textOfContent(what.content));
      break;
    case "reasoning":
    case "call":
      facts.role = "assistant";
      facts.conversation = true;
      facts.continues = true;
      if (what.kind === "call") facts.calledTools = [what.call.name];
      break;
    case "result":
      facts.role = "tool";
      facts.conversation = true;
      facts.isMessage = true;
      if (what.result.isError) facts.failedTools = [null];
      break;
    case "change":
    case "agent":
      facts.role = "tool";
      facts.conversation = true;
      break;
    case "task":
      facts.role = "custom";
      facts.conversation = true;
      break;
    case "summary":
      facts.conversation = true;
      break;
    case "usage":
      facts.usage = usageOf(tokensOf(what.info?.last_token_usage));
      break;
    case "rollback":
      // The turns that ended so are taken back.
      facts.ending = null;
      break;
    case "note":
      addEnding(facts, what.type, payloadOf(entry));
      break;
  }
  return facts;
}

function addEnding(facts: EntryFacts, type: string, { reason, message }: JsonObject): void {
  // A review that ends aborts its own turn.
  if (type === "turn_aborted" && reason !== "review_ended") facts.ending = ABORTED;
  else if (type === "error") facts.ending = failedWith(text(message));
}

function tellMessage(facts: EntryFacts, text: string): void {
  const excerpt = excerptOfText(text);
  facts.conversation = true;
  facts.isMessage = true;
  facts.hasText = excerpt !== null;
  facts.excerpt = () => excerpt;
}
