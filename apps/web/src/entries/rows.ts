import type { MessageItem, ToolResultItem, TranscriptItem } from "@sm/core";

/** What stands in one place of a branch. */
export type Row =
  /** Not loaded. */
  | { kind: "missing" }
  /** A result that is shown with its call, above. */
  | { kind: "absorbed" }
  /** `continues`: the same speaker has spoken last. */
  | { kind: "message"; item: MessageItem; results: ToolResultItem[]; continues: boolean }
  | { kind: "other"; item: Exclude<TranscriptItem, MessageItem>; continues: boolean };

const MISSING: Row = { kind: "missing" };
const ABSORBED: Row = { kind: "absorbed" };

/** Notes and results between a call and its result; behind more of them a result stands alone. */
const MAX_BETWEEN = 256;

/** Tells what stands in one place of a branch; `itemAt` gives `undefined` for what is not loaded. */
export function rowAt(place: number, itemAt: (place: number) => TranscriptItem | undefined): Row {
  const item = itemAt(place);
  if (item === undefined) return MISSING;
  if (item.kind === "tool_result" && isAbsorbed(place, item, itemAt)) return ABSORBED;
  const continues = speakerOf(item) !== null && speakerBefore(place, itemAt) === speakerOf(item);
  if (item.kind !== "message") return { kind: "other", item, continues };
  return { kind: "message", item, results: resultsOf(place, item, itemAt), continues };
}

/** Whether two rows show the same. */
export function isSameRow(one: Row, other: Row): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind === "missing" || one.kind === "absorbed" || other.kind === "missing" || other.kind === "absorbed") {
    return true;
  }
  if (one.item !== other.item || one.continues !== other.continues) return false;
  if (one.kind !== "message" || other.kind !== "message") return true;
  return one.results.length === other.results.length && one.results.every((result, at) => result === other.results[at]);
}

/** Ids of the tool calls in a message; empty for other items. */
function callIds(item: TranscriptItem | undefined): string[] {
  if (item?.kind !== "message") return [];
  return item.blocks.flatMap((block) => (block.kind === "tool_call" && block.id !== null ? [block.id] : []));
}

function resultsOf(
  place: number,
  message: MessageItem,
  itemAt: (place: number) => TranscriptItem | undefined,
): ToolResultItem[] {
  const wanted = new Set(callIds(message));
  const results: ToolResultItem[] = [];
  if (wanted.size === 0) return results;
  for (let at = place + 1; at <= place + MAX_BETWEEN; at++) {
    const item = itemAt(at);
    if (item?.kind === "tool_result" && item.call_id !== null && wanted.has(item.call_id)) results.push(item);
    else if (item === undefined || !standsBetween(item)) break;
  }
  return results;
}

/** The call may be above, in entries loaded next. */
function isAbsorbed(
  place: number,
  result: ToolResultItem,
  itemAt: (place: number) => TranscriptItem | undefined,
): boolean {
  for (let at = place - 1; at >= Math.max(0, place - MAX_BETWEEN); at--) {
    const item = itemAt(at);
    if (item === undefined) return true;
    if (!standsBetween(item)) return result.call_id !== null && callIds(item).includes(result.call_id);
  }
  return false;
}

function standsBetween({ kind }: TranscriptItem): boolean {
  return kind === "tool_result" || kind === "note";
}

/** `null`: without an author, and it does not end a turn. */
function speakerOf(item: TranscriptItem): string | null {
  if (item.kind === "message") return item.role;
  if (item.kind === "tool_result") return "assistant";
  return item.kind === "bash" ? "user" : null;
}

function speakerBefore(place: number, itemAt: (place: number) => TranscriptItem | undefined): string | null {
  for (let at = place - 1; at >= Math.max(0, place - MAX_BETWEEN); at--) {
    const item = itemAt(at);
    if (item === undefined) return null;
    const speaker = speakerOf(item);
    if (speaker !== null || item.kind === "summary") return speaker;
  }
  return null;
}
