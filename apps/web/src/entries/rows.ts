import type { MessageItem, ToolResultItem, TranscriptItem, Usage } from "@sm/core";

/** What stands in one place of a branch. */
export type Row =
  /** Not loaded. */
  | { kind: "missing" }
  /** A result that is shown with its call, above; and what is not shown at all. */
  | { kind: "absorbed" }
  /**
   * `continues`: the same speaker has spoken last. `usage`: of the whole answer, in the first of its pieces; `null` in
   * the others.
   */
  | { kind: "message"; item: MessageItem; results: ToolResultItem[]; continues: boolean; usage: Usage | null }
  | { kind: "other"; item: Exclude<TranscriptItem, MessageItem>; continues: boolean };

const MISSING: Row = { kind: "missing" };
const ABSORBED: Row = { kind: "absorbed" };

/** Notes, results and pieces of the answer between a call and its result; behind more of them a result stands alone. */
const MAX_BETWEEN = 256;

/** Tells what stands in one place of a branch; `itemAt` gives `undefined` for what is not loaded. */
export function rowAt(place: number, itemAt: (place: number) => TranscriptItem | undefined): Row {
  const item = itemAt(place);
  if (item === undefined) return MISSING;
  if (item.kind === "note" && item.hidden) return ABSORBED;
  if (item.kind === "tool_result" && isAbsorbed(place, item, itemAt)) return ABSORBED;
  const continues = speakerOf(item) !== null && speakerBefore(place, itemAt) === speakerOf(item);
  if (item.kind !== "message") return { kind: "other", item, continues };
  return {
    kind: "message",
    item,
    results: resultsOf(place, item, itemAt),
    continues,
    usage: usageOf(place, item, itemAt),
  };
}

/** Whether two rows show the same. */
export function isSameRow(one: Row, other: Row): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind === "missing" || one.kind === "absorbed" || other.kind === "missing" || other.kind === "absorbed") {
    return true;
  }
  if (one.item !== other.item || one.continues !== other.continues) return false;
  if (one.kind !== "message" || other.kind !== "message") return true;
  if (one.usage !== other.usage) return false;
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
    else if (item === undefined || !(standsBetween(item) || isOfAnswer(item, message.answer_id))) break;
  }
  return results;
}

/** The last piece of an answer has what all of it took. */
function usageOf(
  place: number,
  message: MessageItem,
  itemAt: (place: number) => TranscriptItem | undefined,
): Usage | null {
  const { answer_id: answerId } = message;
  if (answerId === null) return message.usage;
  let { usage } = message;
  for (let at = place - 1; at >= Math.max(0, place - MAX_BETWEEN); at--) {
    const item = itemAt(at);
    if (isOfAnswer(item, answerId)) return null;
    if (item === undefined || !standsBetween(item)) break;
  }
  for (let at = place + 1; at <= place + MAX_BETWEEN; at++) {
    const item = itemAt(at);
    if (isOfAnswer(item, answerId)) usage = item.usage ?? usage;
    else if (item === undefined || !standsBetween(item)) break;
  }
  return usage;
}

function isOfAnswer(item: TranscriptItem | undefined, answerId: string | null): item is MessageItem {
  return answerId !== null && item?.kind === "message" && item.answer_id === answerId;
}

/** The call may be above, in entries loaded next. */
function isAbsorbed(
  place: number,
  result: ToolResultItem,
  itemAt: (place: number) => TranscriptItem | undefined,
): boolean {
  if (result.call_id === null) return false;
  let answerId: string | null = null;
  for (let at = place - 1; at >= Math.max(0, place - MAX_BETWEEN); at--) {
    const item = itemAt(at);
    if (item === undefined) return true;
    if (standsBetween(item)) continue;
    if (item.kind !== "message" || (answerId !== null && item.answer_id !== answerId)) return false;
    if (callIds(item).includes(result.call_id)) return true;
    answerId = item.answer_id;
    if (answerId === null) return false;
  }
  return false;
}

/** Context that an agent has put in for the model does not end a turn. */
function standsBetween(item: TranscriptItem): boolean {
  return item.kind === "tool_result" || item.kind === "note" || (item.kind === "message" && item.hidden);
}

/** `null`: without an author, and it does not end a turn. */
function speakerOf(item: TranscriptItem): string | null {
  if (item.kind === "message") return item.hidden ? null : item.role;
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
