import type { JsonObject } from "../../json.ts";
import { formatTimestamp } from "../../session/timestamp.ts";
import type { NoteItem, TranscriptBlock, TranscriptItem } from "../../session/transcript.ts";
import type { EntryPlace } from "../format.ts";
import { text } from "../json-fields.ts";
import { type ItemBase, newMessage, newToolResult, textBlocks } from "../new-items.ts";
import { type Call, diffOfChanges, patchedFiles } from "./calls.ts";
import { blocksOfContent, imageOf, withoutEncrypted } from "./content.ts";
import { timestampOf, tokensOf, told, usageOf } from "./record.ts";

/** See `SessionFormat.item`. */
export function codexItem(entry: JsonObject, { id, parentId, role }: EntryPlace): TranscriptItem {
  const base: ItemBase = { id, parent_id: parentId, timestamp: formatTimestamp(timestampOf(entry)) };
  const what = told(entry);
  switch (what.kind) {
    case "prompt":
    case "input": {
      const blocks = [...textBlocks(what.text), ...what.images.map(imageOf)];
      if (role === "user") return newMessage(base, "user", blocks);
      // The reader has taken another line for the prompt, or the client has written it.
      return { ...newMessage(base, "client", blocks), hidden: role === null };
    }
    case "context":
      return { ...newMessage(base, "client", textBlocks(what.text)), hidden: true };
    case "task":
      return newMessage(base, "client", textBlocks(what.text));
    case "answer":
      return newMessage(base, "assistant", blocksOfContent(what.content));
    case "reasoning":
      return newMessage(base, "assistant", [{ kind: "thinking", text: what.text, redacted: what.text === "" }]);
    case "call":
      return newMessage(base, "assistant", callBlocks(what.call));
    case "result": {
      const { result } = what;
      const shown = { call_id: result.id, is_error: result.isError, subagents: result.subagents };
      return { ...newToolResult(base, blocksOfContent(result.content)), ...shown };
    }
    case "change": {
      const shown = { call_id: what.id, is_error: what.isError, diff: diffOfChanges(what.changes) };
      return { ...newToolResult(base, textBlocks(what.output)), tool_name: "apply_patch", ...shown };
    }
    case "agent":
      return { ...newToolResult(base, []), call_id: what.id, subagents: [what.thread] };
    case "summary":
      return {
        ...base,
        kind: "summary",
        reason: "compaction",
        text: what.text,
        keeps_nothing: false,
        checkpoint: [],
        usage: null,
      };
    case "usage": {
      const usage = usageOf(tokensOf(what.info?.last_token_usage));
      return { ...base, kind: "note", type: "token_count", value: withoutEncrypted(entry), hidden: true, usage };
    }
    case "title":
      return note(base, "thread_name_updated", entry);
    case "rollback":
      return note(base, "thread_rolled_back", entry);
    case "turn":
      return { ...note(base, "turn_context", entry), hidden: true };
    case "note":
      return note(base, what.type, entry);
    default:
      return note(base, text(entry.type), entry);
  }
}

function note(base: ItemBase, type: string, entry: JsonObject): NoteItem {
  return { ...base, kind: "note", type, value: withoutEncrypted(entry), hidden: false, usage: null };
}

/** The call, and what it writes as a diff. */
function callBlocks({ id, name, arguments: given, patch, image }: Call): TranscriptBlock[] {
  const shown = patch === null ? given : { ...given, files: patchedFiles(patch) };
  const blocks: TranscriptBlock[] = [{ kind: "tool_call", id, name, arguments: shown }];
  if (patch !== null) blocks.push({ kind: "text", text: fenced(patch) });
  if (image !== null) blocks.push(imageOf(image));
  return blocks;
}

/** A diff as a block of code, which no line in it ends. */
function fenced(diff: string): string {
  const longest = (diff.match(/`{3,}/g) ?? []).reduce((most, ticks) => Math.max(most, ticks.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}diff\n${diff}\n${fence}`;
}
