import { isJsonObject } from "../../json.ts";
import { oneLine } from "../../session/text.ts";
import { callText } from "../call-text.ts";
import type { SessionFormat } from "../format.ts";
import { text } from "../json-fields.ts";
import { codexAgent } from "./agent.ts";
import { hasImage, textOfContent } from "./content.ts";
import { codexFacts } from "./facts.ts";
import { codexItem } from "./items.ts";
import { codexParts } from "./parts.ts";
import { codexReader } from "./reader.ts";
import { isBareItem, isBareMeta, LINE_TYPES, told } from "./record.ts";
import { codexScannedParts } from "./scanned.ts";

/** Rollouts of Codex, as versions of 2025 and 2026 write them, paginated or not: see docs/formats.md. */
export const codexFormat: SessionFormat = {
  name: "codex",
  agent: codexAgent,

  recognises(line): boolean {
    if (isBareItem(line) || isBareMeta(line)) return true;
    if (!isJsonObject(line.payload) || typeof line.type !== "string" || !LINE_TYPES.has(line.type)) return false;
    const isWrapped = line.type === "response_item" || line.type === "event_msg";
    return !isWrapped || typeof line.payload.type === "string";
  },

  reader: codexReader,

  facts: (entry) => codexFacts(entry),

  parts: codexParts,

  scannedParts: codexScannedParts,

  item: codexItem,

  contextEdit: () => null,

  preview(entry, limit): string {
    const what = told(entry);
    switch (what.kind) {
      case "prompt":
      case "input": {
        const said = oneLine(what.text, limit);
        return said === "" && what.images.length > 0 ? IMAGE.slice(0, limit) : said;
      }
      case "answer":
        return oneLine(textOfContent(what.content), limit);
      case "call": {
        const { name, arguments: given, patch } = what.call;
        return oneLine(`${callText(name, given)}\n${patch ?? ""}`, limit);
      }
      case "result": {
        const { content } = what.result;
        const said = oneLine(textOfContent(content), limit);
        return said === "" && hasImage(content) ? IMAGE.slice(0, limit) : said;
      }
      case "change":
        return oneLine(what.output, limit);
      case "agent":
        return oneLine(what.thread, limit);
      case "title":
        return oneLine(what.title, limit);
      case "turn":
        return oneLine(text(what.payload.model), limit);
      case "usage":
        return "token_count".slice(0, limit);
      case "rollback":
        return "thread_rolled_back".slice(0, limit);
      case "note":
        return oneLine(what.type, limit);
      case "meta":
      case "nothing":
        return "";
      default:
        return oneLine(what.text, limit);
    }
  },

  writer: null,
};

const IMAGE = "[image]";
