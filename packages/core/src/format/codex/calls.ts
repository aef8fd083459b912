import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import { parseLine } from "../../session/jsonl.ts";
import { amount, text, textOrNull } from "../json-fields.ts";
import { textOfContent } from "./content.ts";

/** A call of a tool, of any kind. */
export interface Call {
  id: string | null;
  name: string;
  arguments: JsonObject;
  /** The patch that it applies. */
  patch: string | null;
  /** Address of an image that it has made. */
  image: string | null;
}

const PATCH_START = "*** Begin Patch";
const PATCH_END = "*** End Patch";
const PATCHED_FILE = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$/gm;
const MAX_FILES = 100;
/** Characters of a result, at the beginning of which a shell tool tells how its command ended. */
export const RESULT_HEAD_LENGTH = 500;
const EXIT_CODE = /^(?:Process exited with code|Exit code:) (-?\d{1,10})/m;
/** The tool was not run. */
const REFUSED = "failed to parse function arguments";

/** @returns `null` if the item is no call. */
export function callOf(item: JsonObject): Call | null {
  switch (item.type) {
    case "function_call": {
      const given = argumentsOf(item.arguments);
      const patch = patchIn(given);
      // A patch is shown as what it is.
      return newCall(item, item.name === "apply_patch" && patch !== null ? {} : given, patch);
    }
    case "custom_tool_call": {
      const input = text(item.input);
      const patch = item.name === "apply_patch" ? patchOf(input) : null;
      return newCall(item, patch === null ? { input } : {}, patch);
    }
    case "local_shell_call": {
      const action = isJsonObject(item.action) ? item.action : {};
      return newCall(item, action, patchIn(action));
    }
    case "web_search_call":
      return newCall(item, isJsonObject(item.action) ? item.action : {});
    case "tool_search_call":
      return newCall(item, argumentsOf(item.arguments));
    case "image_generation_call": {
      const made = textOrNull(item.result);
      const image = made === null ? null : `data:image/png;base64,${made}`;
      return newCall(item, { revised_prompt: item.revised_prompt ?? null }, null, image);
    }
    default:
      return null;
  }
}

function newCall(item: JsonObject, given: JsonObject, patch: string | null = null, image: string | null = null): Call {
  const id = textOrNull(item.call_id) ?? textOrNull(item.id);
  return { id, name: textOrNull(item.name) ?? text(item.type), arguments: given, patch, image };
}

/** Arguments are JSON in a string; what is none is kept as it is. */
function argumentsOf(value: JsonValue | undefined): JsonObject {
  if (isJsonObject(value)) return value;
  if (typeof value !== "string" || value === "") return {};
  return parseLine(value) ?? { arguments: value };
}

/** A patch in an argument, or in a command as the input of its program. */
function patchIn(given: JsonObject): string | null {
  for (const value of Object.values(given)) {
    const words = Array.isArray(value) ? value : [value];
    for (const word of words) {
      const patch = typeof word === "string" && word.includes(PATCH_START) ? patchOf(word) : null;
      if (patch !== null) return patch;
    }
  }
  return null;
}

function patchOf(input: string): string | null {
  const start = input.indexOf(PATCH_START);
  if (start < 0) return null;
  const end = input.indexOf(PATCH_END, start);
  return input.slice(start, end < 0 ? undefined : end + PATCH_END.length);
}

/** Paths in the heads of a patch. */
export function patchedFiles(patch: string): string[] {
  const files = new Set<string>();
  for (const [, file = ""] of patch.matchAll(PATCHED_FILE)) {
    if (files.size === MAX_FILES) break;
    files.add(file);
  }
  return [...files];
}

/** The result of a call. */
export interface CallResult {
  id: string | null;
  content: JsonValue | undefined;
  isError: boolean;
  /** Threads of agents that the call has started. */
  subagents: string[];
}

/** @returns `null` if the item is no result. */
export function resultOf(item: JsonObject): CallResult | null {
  if (item.type === "tool_search_output") {
    const id = textOrNull(item.call_id);
    return { id, content: JSON.stringify(item.tools ?? []), isError: item.status === "failed", subagents: [] };
  }
  if (item.type !== "function_call_output" && item.type !== "custom_tool_call_output") return null;
  const id = textOrNull(item.call_id);
  const { output } = item;
  if (isJsonObject(output)) {
    const content = output.content ?? output.content_items;
    return { id, content, isError: output.success === false || exitCodeIn(content) !== 0, subagents: [] };
  }
  if (typeof output !== "string" || !output.startsWith("{")) {
    return { id, content: output, isError: exitCodeIn(output) !== 0, subagents: [] };
  }
  const told = parseLine(output);
  const thread = textOrNull(told?.agent_id);
  const subagents = thread === null ? [] : [thread];
  if (told === null || typeof told.output !== "string" || !isJsonObject(told.metadata)) {
    return { id, content: output, isError: false, subagents };
  }
  return { id, content: told.output, isError: amount(told.metadata.exit_code) !== 0, subagents };
}

/** How a command ended, as its tool tells before the output; 0 if it does not. */
function exitCodeIn(content: JsonValue | undefined): number {
  const head = textOfContent(content).slice(0, RESULT_HEAD_LENGTH);
  if (head.startsWith(REFUSED)) return 1;
  const output = head.indexOf("\nOutput:");
  return Number(EXIT_CODE.exec(output < 0 ? head : head.slice(0, output))?.[1] ?? 0);
}

/** The changes of files that a patch has made, as one diff; `null` without any. */
export function diffOfChanges(changes: JsonValue | undefined): string | null {
  if (!isJsonObject(changes)) return null;
  const diffs = Object.entries(changes).flatMap(([path, change]) => {
    if (!isJsonObject(change)) return [];
    const moved = textOrNull(change.move_path) ?? path;
    switch (change.type) {
      case "add":
        return [`--- /dev/null\n+++ ${path}\n${marked("+", text(change.content))}`];
      case "delete":
        return [`--- ${path}\n+++ /dev/null\n${marked("-", text(change.content))}`];
      default:
        return [`--- ${path}\n+++ ${moved}\n${text(change.unified_diff).trimEnd()}`];
    }
  });
  return diffs.length === 0 ? null : diffs.join("\n");
}

function marked(sign: string, content: string): string {
  const lines = content.replace(/\n$/, "").split("\n");
  return lines.map((line) => `${sign}${line}`).join("\n");
}
