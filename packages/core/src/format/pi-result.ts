import type { RawLine, RawPart } from "./format.ts";

/** Where a result with nothing but one text has it: everything up to there, and everything behind it. */
const START =
  /^\{"type":"message",(?:"id":"[\w.@-]+","parentId":(?:null|"[\w.@-]+"),)?"timestamp":"[\w:.+-]+","message":\{"role":"toolResult","toolCallId":"[\w.:@|+/=-]*","toolName":"([\w.:@-]*)","content":\[\{"type":"text","text":"/;
const START_BYTES = 512;
const END = /"\}\],"isError":(?:true|false),"timestamp":(?:0|[1-9]\d*)\}\}\r?$/;
const END_BYTES = 64;

/** Finds the text of a tool's result, see `SessionFormat.rawPart`: most of what sessions hold. */
export function rawResult(line: RawLine): RawPart | null {
  const head = START.exec(line.slice(0, START_BYTES));
  if (head === null) return null;
  const tailStart = Math.max(0, line.length - END_BYTES);
  const tail = END.exec(line.slice(tailStart, line.length));
  const start = head[0].length;
  const end = tailStart + (tail?.index ?? 0);
  // A part without text is none.
  if (tail === null || end <= start) return null;
  return { kind: "tool_result", role: "tool", toolName: head[1] || null, start, end };
}
