import type { EntriesPage, JsonObject } from "@sm/core";
import { countMatches } from "./pattern.ts";

/** An entry with text that was looked for, and how often it is there. */
export interface FoundEntry {
  place: number;
  id: string;
  count: number;
}

export interface FindOptions {
  /** Ids of the branch, root to leaf. */
  ids: readonly string[];
  pattern: RegExp;
  load(request: { leafId: string; limit: number }): Promise<EntriesPage>;
  /** What an entry says, in pieces. */
  textsOf(entry: JsonObject): string[];
  /** UTF-16 units of an entry on average, as far as is known. */
  expectedSize: number;
  signal: AbortSignal;
}

/** What has been found so far. */
export interface Findings {
  /** From the root to the leaf. */
  entries: readonly FoundEntry[];
  count: number;
  /** Entries that have been looked at. */
  scanned: number;
  isComplete: boolean;
}

/** Matches that are counted; somebody who has more needs another word. */
export const MOST_MATCHES = 10_000;

/** UTF-16 units of one page: what is looked through without a pause. */
const PAGE_SIZE = 512 * 1024;
const MOST_IN_PAGE = 1_000;

/**
 * Looks through a whole branch, the newest entries first, page by page: nothing of them is kept but where something was
 * found. Ends early where there is more than anybody can look at, and without a word when it is aborted.
 */
export async function* findInBranch(options: FindOptions): AsyncGenerator<Findings> {
  const { ids, pattern, load, textsOf, signal } = options;
  let entries: readonly FoundEntry[] = [];
  let count = 0;
  let end = ids.length;
  let average = options.expectedSize;
  while (end > 0 && count < MOST_MATCHES) {
    const limit = Math.max(1, Math.min(MOST_IN_PAGE, Math.floor(PAGE_SIZE / Math.max(1, average))));
    const page = await load({ leafId: ids[end - 1] ?? "", limit });
    if (signal.aborted) return;
    const start = end - page.entries.length;
    const found: FoundEntry[] = [];
    let size = 0;
    for (const [at, entry] of page.entries.entries()) {
      let inEntry = 0;
      for (const text of textsOf(entry)) {
        size += text.length;
        inEntry += countMatches(text, pattern, MOST_MATCHES - inEntry);
      }
      if (inEntry > 0) found.push({ place: start + at, id: ids[start + at] ?? "", count: inEntry });
      count += inEntry;
    }
    if (page.entries.length === 0) break;
    average = size / page.entries.length + 200;
    entries = [...found, ...entries];
    end = start;
    yield { entries, count, scanned: ids.length - end, isComplete: end === 0 };
  }
  yield { entries, count, scanned: ids.length - end, isComplete: true };
}

/** One match of many. */
export interface Match {
  entry: FoundEntry;
  /** Which of the matches in its entry, from 0. */
  nth: number;
}

/** The match at a place in the order of the branch; `null` beyond the last. */
export function matchAt(findings: Findings, index: number): Match | null {
  let before = 0;
  for (const entry of findings.entries) {
    if (index < before + entry.count) return { entry, nth: index - before };
    before += entry.count;
  }
  return null;
}

/** The place of the first match in or behind an entry, in the order of the branch; the first of all where none is. */
export function firstMatchFrom(findings: Findings, place: number): number {
  let before = 0;
  for (const entry of findings.entries) {
    if (entry.place >= place) return before;
    before += entry.count;
  }
  return 0;
}
