import type { TranscriptItem } from "@sm/core";
import { stringify } from "@sm/core/rendering";
import type { Disclosures } from "../../entries/disclosures.ts";
import { nestedCallId } from "../../entries/nested-call-id.ts";
import { rowAt } from "../../entries/rows.ts";

/** Entries between a result and its call, at most. */
const FARTHEST_CALL = 256;

/** Opens what hides a match in an entry; returns the place of the row that shows it. */
export function reveal(
  place: number,
  pattern: RegExp,
  itemAt: (place: number) => TranscriptItem | undefined,
  disclosures: Disclosures,
): number {
  const item = itemAt(place);
  if (item === undefined) return place;
  const holds = (text: string) => text.search(pattern) >= 0;
  switch (item.kind) {
    case "message":
      disclosures.set("runs", item.id, true);
      if (item.hidden || item.role === "system") disclosures.set("asides", item.id, true);
      for (const [at, block] of item.blocks.entries()) {
        const id = `${item.id} ${at}`;
        if (block.kind === "thinking" && holds(block.text)) disclosures.set("thinking", id, true);
        if (block.kind === "tool_call" && (holds(block.name) || holdsText(block.arguments, holds)))
          disclosures.set("tools", id, true);
      }
      return place;
    case "tool_result":
      for (const [at, { name, arguments: args, error }] of (item.nested_calls?.calls ?? []).entries()) {
        const isFound = holds(name) || holdsText(args, holds) || holds(error ?? "");
        if (isFound) disclosures.set("tools", nestedCallId(item.id, at), true);
      }
      return revealResult(place, item.call_id, item.id, itemAt, disclosures);
    case "bash":
      disclosures.set("tools", item.id, true);
      return place;
    case "summary":
    case "note":
      disclosures.set("asides", item.id, true);
      return place;
  }
}

/** Finds the place of the row that shows an entry: a result stands with its call, which is opened. */
export function rowOf(
  place: number,
  itemAt: (place: number) => TranscriptItem | undefined,
  disclosures: Disclosures,
): number {
  const item = itemAt(place);
  if (item?.kind === "message") disclosures.set("runs", item.id, true);
  if (item?.kind !== "tool_result") return place;
  return revealResult(place, item.call_id, item.id, itemAt, disclosures);
}

function revealResult(
  place: number,
  callId: string | null,
  id: string,
  itemAt: (place: number) => TranscriptItem | undefined,
  disclosures: Disclosures,
): number {
  if (rowAt(place, itemAt).kind !== "absorbed") {
    disclosures.set("tools", id, true);
    return place;
  }
  for (let at = place - 1; at >= Math.max(0, place - FARTHEST_CALL); at--) {
    const item = itemAt(at);
    if (item?.kind !== "message") continue;
    const block = item.blocks.findIndex((one) => one.kind === "tool_call" && one.id === callId);
    if (block >= 0) disclosures.set("tools", `${item.id} ${block}`, true);
    disclosures.set("runs", item.id, true);
    return at;
  }
  return place;
}

/** Strings are looked at as they are: in JSON their line ends and quotes are others. */
function holdsText(value: unknown, holds: (text: string) => boolean): boolean {
  if (typeof value === "string") return holds(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => holds(key) || holdsText(inner, holds)) || holds(stringify(value));
}
