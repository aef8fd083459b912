import type { MessageItem, ToolResultItem, TranscriptBlock } from "@sm/core";

type ToolCall = Extract<TranscriptBlock, { kind: "tool_call" }>;

/** What tools do that only look: their names, without what separates words in them. */
const LOOKING = {
  read: ["read", "readfile", "readmanyfiles", "view", "viewfile", "cat", "openfile", "notebookread"],
  search: ["grep", "greptool", "grepsearch", "rg", "ripgrep", "find", "glob", "search", "searchfiles", "filesearch"],
  list: ["ls", "list", "listdir", "listdirectory", "listfiles", "tree"],
} as const;

export type Looking = keyof typeof LOOKING;

const KINDS = new Map<string, Looking>(
  Object.entries(LOOKING).flatMap(([kind, names]) => names.map((name) => [name, kind as Looking])),
);

/** Endings that are told below a message. */
const TOLD_ENDINGS = new Set(["length", "aborted", "error", "deferred", "pending"]);

/** Calls that only look, one after the other, of which one line says how many there are. */
export interface ReadingRun {
  /** The places of the first and of the last message with one of them. */
  first: number;
  last: number;
  /** The block of the first message with which it begins. */
  fromBlock: number;
  /** The messages; it is open where one of them is. */
  ids: readonly string[];
  calls: readonly ToolCall[];
  startedAt: string | null;
  endedAt: string | null;
}

/** What of a message only looks. */
export interface QuietTail {
  /** The block with which it begins. */
  from: number;
  calls: ToolCall[];
}

/** What a tool does that only looks; `null` for others. */
export function lookingOf(name: string): Looking | null {
  return KINDS.get(name.toLowerCase().replace(/[^a-z]/g, "")) ?? null;
}

/** The calls that only look, and what was thought before them, with which a message ends; `null`: it does not. */
export function quietTail(item: MessageItem, results: readonly ToolResultItem[]): QuietTail | null {
  const isToldOf = item.error_message !== null || TOLD_ENDINGS.has(item.stop_reason ?? "");
  if (item.role !== "assistant" || item.hidden || isToldOf) return null;
  let from = item.blocks.length;
  const calls: ToolCall[] = [];
  for (; from > 0; from--) {
    const block = item.blocks[from - 1];
    if (block?.kind === "thinking" || (block?.kind === "text" && block.text.trim() === "")) continue;
    if (block?.kind !== "tool_call" || !isQuiet(block, results)) break;
    calls.unshift(block);
  }
  return from === item.blocks.length ? null : { from, calls };
}

function isQuiet(call: ToolCall, results: readonly ToolResultItem[]): boolean {
  if (lookingOf(call.name) === null || call.id === null) return false;
  const own = results.filter(({ call_id }) => call_id === call.id);
  return own.length > 0 && own.every(({ is_error, subagents }) => !is_error && subagents.length === 0);
}
