import type { JsonObject } from "../../json.ts";
import type { OutlineRole } from "../../session/roles.ts";
import { argumentPaths } from "../argument-paths.ts";
import { callText } from "../call-text.ts";
import type { SearchPart } from "../format.ts";
import { type Call, diffOfChanges, patchedFiles } from "./calls.ts";
import { textOfContent } from "./content.ts";
import { told } from "./record.ts";

/** See `SessionFormat.parts`. */
export function codexParts(entry: JsonObject, role: OutlineRole): SearchPart[] {
  const what = told(entry);
  switch (what.kind) {
    case "prompt":
    case "input":
      // What is no prompt is told by another line, or was written by the client.
      if (role === null) return [];
      return part("text", role === "user" ? "user" : null, what.text);
    case "answer":
      return part("text", "assistant", textOfContent(what.content));
    case "reasoning":
      return part("thinking", "assistant", what.text);
    case "call":
      return [callPart(what.call)];
    case "result":
      return part("tool_result", "tool", textOfContent(what.result.content));
    case "change":
      return part("tool_result", "tool", diffOfChanges(what.changes) ?? "", "apply_patch");
    case "summary":
      return part("summary", null, what.text);
    case "task":
      return part("text", null, what.text);
    case "title":
      return part("name", null, what.title);
    default:
      return [];
  }
}

function part(
  kind: SearchPart["kind"],
  role: SearchPart["role"],
  said: string,
  toolName: string | null = null,
): SearchPart[] {
  return said === "" ? [] : [{ kind, role, text: said, toolName, model: null, files: [] }];
}

function callPart({ name, arguments: given, patch }: Call): SearchPart {
  const said = callText(name, given);
  const files = new Set([...argumentPaths(given), ...(patch === null ? [] : patchedFiles(patch))]);
  return {
    kind: "tool_call",
    role: "tool",
    text: patch === null ? said : `${said}\n${patch}`,
    toolName: name === "" ? null : name,
    model: null,
    files: [...files],
  };
}
