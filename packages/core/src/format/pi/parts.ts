import type { ScannedPart } from "../format.ts";
import type { ScannedLine } from "../scanned-line.ts";
import { callPart, contentOf, partOf, strings } from "../scanned-parts.ts";
import { decodedLines, endAt, isText, kindAt, memberOf, NONE, nameOf, next, stringAt } from "../scanned-values.ts";
import { ARRAY, ESCAPED, FALSE, OBJECT } from "../token-layout.ts";

const TYPE = nameOf("type");
const MESSAGE = nameOf("message");
const ROLE = nameOf("role");
const NAME = nameOf("name");
const ARGUMENTS = nameOf("arguments");
const TOOL_NAME = nameOf("toolName");
const MODEL = nameOf("model");
const DISPLAY = nameOf("display");
const COMMAND = nameOf("command");
const OUTPUT = nameOf("output");
const SUMMARY = nameOf("summary");
const LABEL = nameOf("label");
const NESTED_CALLS = nameOf("nestedCalls");
const CALLS = nameOf("calls");
const ERROR = nameOf("error");

/**
 * Lists the same parts as `piFormat.parts` without parsing the line. `null` if something is not written as by the
 * agent.
 */
export function partsOfScanned(line: ScannedLine): ScannedPart[] | null {
  const { tokens } = line;
  const type = memberOf(tokens, 0, TYPE);
  if (kindAt(tokens, type) === ESCAPED) return null;
  if (isText(line, type, "message")) {
    const message = memberOf(tokens, 0, MESSAGE);
    return kindAt(tokens, message) === OBJECT ? messageParts(line, message) : [];
  }
  if (isText(line, type, "compaction") || isText(line, type, "branch_summary")) {
    return partOf("summary", null, strings(tokens, memberOf(tokens, 0, SUMMARY)));
  }
  if (isText(line, type, "custom_message")) return shownPart(line, 0);
  if (isText(line, type, "session_info")) {
    return partOf("name", null, unlessBlank(line, strings(tokens, memberOf(tokens, 0, NAME))));
  }
  if (isText(line, type, "label")) return partOf("label", null, strings(tokens, memberOf(tokens, 0, LABEL)));
  return [];
}

function messageParts(line: ScannedLine, message: number): ScannedPart[] | null {
  const { tokens } = line;
  const role = memberOf(tokens, message, ROLE);
  if (kindAt(tokens, role) === ESCAPED) return null;
  if (isText(line, role, "toolResult")) return resultParts(line, message);
  if (isText(line, role, "assistant")) return assistantParts(line, message);
  if (isText(line, role, "user")) {
    const content = contentOf(line, message, "toolCall");
    return content && partOf("text", "user", content.text);
  }
  if (isText(line, role, "bashExecution")) {
    const pieces = strings(tokens, memberOf(tokens, message, COMMAND), memberOf(tokens, message, OUTPUT));
    return partOf("bash", "tool", unlessBlank(line, pieces), { toolName: "bash" });
  }
  const isOther = isText(line, role, "custom") || isText(line, role, "hookMessage") || isText(line, role, "system");
  return isOther ? shownPart(line, message) : [];
}

/** A result, then each nested call with its error. */
function resultParts(line: ScannedLine, message: number): ScannedPart[] | null {
  const { tokens } = line;
  const content = contentOf(line, message, "toolCall");
  if (content === null) return null;
  const toolName = stringAt(line, memberOf(tokens, message, TOOL_NAME)) || null;
  const parts = partOf("tool_result", "tool", content.text, { toolName });
  const nested = memberOf(tokens, message, NESTED_CALLS);
  const calls = kindAt(tokens, nested) === OBJECT ? memberOf(tokens, nested, CALLS) : NONE;
  if (kindAt(tokens, calls) !== ARRAY) return parts;
  const end = endAt(tokens, calls);
  for (let call = calls + 1; call < end; call = next(tokens, call)) {
    if (kindAt(tokens, call) !== OBJECT) continue;
    const part = callPart(line, call, ARGUMENTS, null);
    if (part === null) return null;
    parts.push(part);
    const error = strings(tokens, memberOf(tokens, call, ERROR));
    parts.push(...partOf("tool_result", "tool", error, { toolName: part.toolName }));
  }
  return parts;
}

function assistantParts(line: ScannedLine, message: number): ScannedPart[] | null {
  const content = contentOf(line, message, "toolCall");
  if (content === null) return null;
  const model = stringAt(line, memberOf(line.tokens, message, MODEL)) || null;
  const parts = partOf("text", "assistant", content.text, { model });
  parts.push(...partOf("thinking", "assistant", content.thinking, { model }));
  for (const block of content.calls) {
    const call = callPart(line, block, ARGUMENTS, model);
    if (call === null) return null;
    parts.push(call);
  }
  return parts;
}

/** A part that may be hidden. */
function shownPart(line: ScannedLine, object: number): ScannedPart[] | null {
  if (kindAt(line.tokens, memberOf(line.tokens, object, DISPLAY)) === FALSE) return [];
  const content = contentOf(line, object, "toolCall");
  return content && partOf("text", null, content.text);
}

/** The ranges, or none if they contain only white space. */
function unlessBlank(line: ScannedLine, pieces: number[]): number[] {
  return decodedLines(line, pieces).trim() === "" ? [] : pieces;
}
