import type { JsonObject } from "../../json.ts";
import { excerptOfText } from "../excerpt.ts";
import type { EntryFacts } from "../format.ts";
import { textOfContent } from "./content.ts";
import { type Told, timestampOf, tokensOf, told, usageOf } from "./record.ts";

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
  switch (what.kind) {
    case "prompt":
    case "input":
      return { ...facts, conversation: true, isMessage: true, role: "user", ...textFacts(what.text) };
    case "answer":
      return {
        ...facts,
        conversation: true,
        isMessage: true,
        role: "assistant",
        ...textFacts(textOfContent(what.content)),
      };
    case "reasoning":
      return { ...facts, conversation: true, continues: true, role: "assistant" };
    case "call":
      return { ...facts, conversation: true, continues: true, role: "assistant", calledTools: [what.call.name] };
    case "result":
      return {
        ...facts,
        conversation: true,
        isMessage: true,
        role: "tool",
        failedTools: what.result.isError ? [null] : NO_TOOLS,
      };
    case "change":
    case "agent":
      return { ...facts, conversation: true, role: "tool" };
    case "summary":
      return { ...facts, conversation: true };
    case "task":
      return { ...facts, conversation: true, role: "custom" };
    case "usage":
      return { ...facts, usage: usageOf(tokensOf(what.info?.last_token_usage)) };
    default:
      return facts;
  }
}

function textFacts(text: string): Pick<EntryFacts, "hasText" | "excerpt"> {
  const excerpt = excerptOfText(text);
  return { hasText: excerpt !== null, excerpt: () => excerpt };
}
