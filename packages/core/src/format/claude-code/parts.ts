import { isJsonObject, type JsonObject } from "../../json.ts";
import type { OutlineRole } from "../../session/roles.ts";
import type { StoredOutput } from "../../session/transcript.ts";
import { argumentPaths } from "../argument-paths.ts";
import { callText } from "../call-text.ts";
import type { SearchPart } from "../format.ts";
import { blocksOf, joinField, joinText, text, textOrNull } from "../json-fields.ts";
import { callsIn } from "./facts.ts";
import { textOfPrompt } from "./items.ts";
import { patchText } from "./patch.ts";
import { modelOf, told } from "./record.ts";
import { storedOutputOf } from "./stored-output.ts";

/** See `SessionFormat.parts`. */
export function claudeParts(entry: JsonObject, role: OutlineRole): SearchPart[] {
  const what = told(entry);
  switch (what.kind) {
    case "prompt":
      return part("text", role === "user" ? "user" : null, textOfPrompt(what.blocks));
    case "command":
      return part("text", null, what.text);
    case "answer": {
      const { content } = what.message;
      const model = modelOf(what.message);
      return [
        ...part("text", "assistant", joinText(content), { model }),
        ...part("thinking", "assistant", joinField(blocksOf(content), "thinking", "thinking"), { model }),
        ...callsIn(content).map((call) => callPart(call, model)),
      ];
    }
    case "results":
      return [
        ...part("tool_result", "tool", resultText(what.blocks)),
        ...part("tool_result", "tool", patchText(entry.toolUseResult)),
        ...storedPart(storedOutputOf(what.results, entry.toolUseResult)),
      ];
    case "bash":
      return part("bash", "tool", what.command, { toolName: "bash" });
    case "summary":
      return part("summary", null, what.text);
    case "name":
      return part("name", null, what.name);
    case "synthetic":
    case "notice":
      return part("text", null, what.text);
    // Found in the file of its agent.
    case "reported":
    case "context":
    case "note":
      return [];
  }
}

/** Texts of results, and what the client has written beside them. */
function resultText(blocks: readonly unknown[]): string {
  const texts = blocks.map((block) => {
    if (!isJsonObject(block)) return "";
    return block.type === "tool_result" ? joinText(block.content) : joinText([block]);
  });
  return texts.filter((said) => said !== "").join("\n");
}

function part(
  kind: SearchPart["kind"],
  role: SearchPart["role"],
  said: string,
  { toolName = null, model = null }: { toolName?: string | null; model?: string | null } = {},
): SearchPart[] {
  return said === "" ? [] : [{ kind, role, text: said, toolName, model, files: [] }];
}

/** The last one of its entry: older ones keep their places. */
function storedPart(stored: StoredOutput | null): SearchPart[] {
  if (stored === null) return [];
  const { file_name: outputFile } = stored;
  return [{ kind: "tool_result", role: "tool", text: "", toolName: null, model: null, files: [], outputFile }];
}

function callPart(call: JsonObject, model: string | null): SearchPart {
  const { name, input } = call;
  const files = isJsonObject(input) ? argumentPaths(input) : [];
  return {
    kind: "tool_call",
    role: "tool",
    text: callText(text(name), input),
    toolName: textOrNull(name),
    model,
    files,
  };
}
