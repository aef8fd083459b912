import { type FindPage, MAX_MATCHES } from "@sm/core";

/** An entry with text that was looked for, and how often it is there. */
export interface FoundEntry {
  place: number;
  id: string;
  count: number;
}

/** What has been found so far. */
export interface Findings {
  /** From the root to the leaf. */
  entries: readonly FoundEntry[];
  count: number;
  /** Entries that have been looked at. */
  scanned: number;
  /** Entries of the branch. */
  total: number;
  isComplete: boolean;
}

/**
 * Has a whole branch looked through, the newest entries first, page by page. Ends early where there is more than anybody
 * can look at, and without a word when it is aborted.
 *
 * @param ask answers with the page behind a cursor, with the first one for `null`.
 */
export async function* findInBranch(
  ask: (cursor: string | null) => Promise<FindPage>,
  signal: AbortSignal,
): AsyncGenerator<Findings> {
  let entries: readonly FoundEntry[] = [];
  let cursor: string | null = null;
  let count = 0;
  do {
    const page = await ask(cursor);
    if (signal.aborted) return;
    const older = page.entries.map(({ entry_id, ...entry }) => ({ id: entry_id, ...entry })).reverse();
    entries = [...older, ...entries];
    count += older.reduce((sum, entry) => sum + entry.count, 0);
    cursor = count < MAX_MATCHES ? page.next_cursor : null;
    yield { entries, count, scanned: page.scanned, total: page.total, isComplete: cursor === null };
  } while (cursor !== null);
}

/**
 * Has a branch looked through for several texts at a time, each of which one of `asks` asks for; their matches are told
 * together.
 */
export async function* findTogether(
  asks: readonly ((cursor: string | null) => Promise<FindPage>)[],
  signal: AbortSignal,
): AsyncGenerator<Findings> {
  let searches = asks.map((ask, at) => ({ at, found: findInBranch(ask, signal) }));
  const latest = new Map<number, Findings>();
  while (searches.length > 0) {
    const answers = await Promise.all(searches.map(async (search) => ({ search, answer: await search.found.next() })));
    if (signal.aborted) return;
    searches = answers.flatMap(({ search, answer }) => {
      if (answer.done === true) return [];
      latest.set(search.at, answer.value);
      return search;
    });
    if (searches.length > 0) yield together([...latest.values()]);
  }
}

function together(all: readonly Findings[]): Findings {
  const entries = new Map<number, FoundEntry>();
  for (const entry of all.flatMap((findings) => findings.entries)) {
    entries.set(entry.place, { ...entry, count: entry.count + (entries.get(entry.place)?.count ?? 0) });
  }
  return {
    entries: [...entries.values()].sort((a, b) => a.place - b.place),
    count: all.reduce((sum, { count }) => sum + count, 0),
    scanned: Math.min(...all.map(({ scanned }) => scanned)),
    total: Math.max(...all.map(({ total }) => total)),
    isComplete: all.every(({ isComplete }) => isComplete),
  };
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
