import type { BranchPages } from "./branch-pages.ts";

/** Entries at the end of a branch that are looked at. */
const MAX_INSPECTED = 256;

/**
 * Tokens that the model had before it, with its newest answer; `null` where that is not known, such as after a
 * compaction.
 */
export function contextTokens(pages: BranchPages): number | null {
  for (let place = pages.total - 1; place >= Math.max(0, pages.total - MAX_INSPECTED); place--) {
    const item = pages.item(place);
    if (item === undefined || (item.kind === "summary" && item.reason === "compaction")) return null;
    if (item.kind === "message" && item.role === "assistant" && (item.usage?.total_tokens ?? 0) > 0) {
      return item.usage?.total_tokens ?? null;
    }
  }
  return null;
}
