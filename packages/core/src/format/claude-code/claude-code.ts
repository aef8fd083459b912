import { isJsonObject, type JsonObject } from "../../json.ts";
import { oneLine } from "../../session/text.ts";
import { callText } from "../call-text.ts";
import type { SessionFormat } from "../format.ts";
import { blocksOf, joinField, joinText, text } from "../json-fields.ts";
import { claudeCodeAgent } from "./agent.ts";
import { callsIn, claudeFacts } from "./facts.ts";
import { claudeItem, textOfPrompt } from "./items.ts";
import { claudeParts } from "./parts.ts";
import { claudeReader } from "./reader.ts";
import { told } from "./record.ts";
import { claudeScannedParts } from "./scanned-parts.ts";

/** Records about the session or its client, which have its ID. */
const OF_SESSION = new Set([
  "agent-name",
  "agent-setting",
  "ai-title",
  "attachment",
  "bridge-session",
  "cost-state",
  "custom-title",
  "last-prompt",
  "mode",
  "permission-mode",
  "pr-link",
  "progress",
  "queue-operation",
  "relocated",
  "system",
  "worktree-state",
]);

/** Sessions of Claude Code, as versions 1.0 to 2.1 write them. There is no published schema: see docs/formats.md. */
export const claudeCodeFormat: SessionFormat = {
  name: "claude-code",
  agent: claudeCodeAgent,

  recognises(line): boolean {
    switch (line.type) {
      case "user":
      case "assistant":
        return isJsonObject(line.message) && line.message.content !== undefined;
      case "summary":
        return typeof line.leafUuid === "string" && typeof line.summary === "string";
      case "file-history-snapshot":
        return isJsonObject(line.snapshot);
      case "attachment":
        if (isJsonObject(line.attachment)) return true;
    }
    return typeof line.type === "string" && OF_SESSION.has(line.type) && typeof line.sessionId === "string";
  },

  reader: claudeReader,

  facts: (entry) => claudeFacts(entry),

  parts: claudeParts,

  scannedParts: claudeScannedParts,

  item: claudeItem,

  contextEdit: () => null,

  preview(entry, limit): string {
    const what = told(entry);
    switch (what.kind) {
      case "prompt": {
        const said = oneLine(joinText(what.blocks) || textOfPrompt(what.blocks), limit);
        return said !== "" ? said : blocksOf(what.blocks).some(({ type }) => type === "image") ? "[image]" : "";
      }
      case "answer":
      case "reported": {
        const { content } = what.message;
        const said = oneLine(joinText(content), limit);
        if (said !== "") return said;
        const [call] = callsIn(content);
        if (call !== undefined) return oneLine(callText(text(call.name), call.input), limit);
        return oneLine(joinField(blocksOf(content), "thinking", "thinking"), limit);
      }
      case "results": {
        const content = what.results.map((result) => result.content);
        const said = oneLine(content.map(joinText).join("\n"), limit);
        return said !== "" ? said : content.flatMap(blocksOf).some(({ type }) => type === "image") ? "[image]" : "";
      }
      case "bash":
        return oneLine(`$ ${what.command}`, limit);
      case "name":
        return oneLine(what.name, limit);
      case "note":
        return oneLine(noteText(entry, what.type), limit);
      default:
        return oneLine(what.text, limit);
    }
  },

  writer: null,
};

function noteText(entry: JsonObject, type: string): string {
  if (type === "pr-link") return text(entry.prUrl);
  return text(entry.content) || type;
}
