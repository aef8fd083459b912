import type { FoundDocuments, MatchedSegment, SegmentView } from "@sm/text-index";

/** Position of a match in the order. Does not contain document numbers, which change in merges. */
export interface Rank {
  /** By relevance: that of the session's best match; by time: that of the match itself. */
  bestValue: number;
  bestTime: number;
  key: number;
  value: number;
  time: number;
  ordinal: number;
  part: number;
}

export interface Match {
  view: SegmentView;
  document: number;
  rank: Rank;
}

export interface PageOptions {
  /** By relevance, matches are grouped by session at its best match; by time they are not grouped. */
  sort: "relevance" | "newest";
  /** Maximum matches per session. */
  perSession: number;
  limit: number;
}

/** Sorts after all times, and can be encoded as JSON. */
export const NO_TIME = Number.MIN_SAFE_INTEGER;

/** End of a page. */
export interface Position {
  /** Rank of the last processed match. */
  rank: Rank;
  shown: ShownMatches;
}

/** A cursor with so many sessions has about 3,000 characters. */
const MAX_SHOWN = 500;

/**
 * Number of matches shown per session on earlier pages. Ranks are not sufficient: a text written between two pages,
 * with a rank on an earlier page, would count as shown, and its session would be skipped.
 */
export class ShownMatches {
  readonly #counts: Map<number, number>;

  /** @param counts by session, at most `MAX_SHOWN`. */
  constructor(counts: Iterable<readonly [key: number, count: number]> = []) {
    this.#counts = new Map(counts);
  }

  /** Later sessions are not counted; their rank decides. */
  get isFull(): boolean {
    return this.#counts.size >= MAX_SHOWN;
  }

  get counts(): ReadonlyMap<number, number> {
    return this.#counts;
  }

  add(key: number): void {
    const count = this.#counts.get(key);
    if (count !== undefined || !this.isFull) this.#counts.set(key, (count ?? 0) + 1);
  }
}

/** Summary of a session's matches. */
interface SessionMatches {
  key: number;
  /** By relevance, of the best match; by time, of the best remaining one. */
  bestValue: number;
  bestTime: number;
  /** Matches at or before the previous page's end. */
  before: number;
  best: Match[];
}

/** Sorts documents by time, those without a time last. */
export function byTime({ view, documents }: FoundDocuments): MatchedSegment {
  const values = new Float64Array(documents.length);
  for (let place = 0; place < documents.length; place++) values[place] = timeOf(view, documents[place] ?? 0);
  return { view, documents, values };
}

/** Lists matches in order, after `start`; continues beyond the page if requested. */
export function* matchesInOrder(
  segments: readonly MatchedSegment[],
  options: PageOptions,
  start: Position | null,
): Generator<Match> {
  const shown = new ShownMatches(start?.shown.counts);
  let position = start;
  // One more than the page, to know whether there is a next one. A second round is rarely needed.
  for (let count = options.limit + 1; ; count *= 2) {
    const matches = nextMatches(segments, options, position, count);
    yield* matches;
    const last = matches.at(-1);
    if (last === undefined || matches.length < count) return;
    for (const { rank } of matches) shown.add(rank.key);
    position = { rank: last.rank, shown };
  }
}

function compareRanks(a: Rank, b: Rank): number {
  return compareSessions(a, b) || compareInSession(a, b);
}

type SessionRank = Pick<Rank, "bestValue" | "bestTime" | "key">;

function compareSessions(a: SessionRank, b: SessionRank): number {
  return b.bestValue - a.bestValue || b.bestTime - a.bestTime || b.key - a.key;
}

function compareInSession(a: Rank, b: Rank): number {
  return b.value - a.value || b.time - a.time || b.ordinal - a.ordinal || a.part - b.part;
}

function nextMatches(
  segments: readonly MatchedSegment[],
  { sort, perSession }: PageOptions,
  start: Position | null,
  count: number,
): Match[] {
  const isByTime = sort === "newest";
  const isBefore = (matched: MatchedSegment, key: number, place: number): boolean => {
    if (start === null || (!isByTime && key !== start.rank.key)) return false;
    const rank = rankOf(matched, place, null);
    return (isByTime ? compareRanks(rank, start.rank) : compareInSession(rank, start.rank)) <= 0;
  };

  const sessions = new Map<number, SessionMatches>();
  for (const { matched, key, from, to } of runsOf(segments)) {
    const session = sessions.get(key) ?? {
      key,
      bestValue: Number.NEGATIVE_INFINITY,
      bestTime: NO_TIME,
      before: 0,
      best: [],
    };
    sessions.set(key, session);
    const { values } = matched;
    let { bestValue, bestTime } = session;
    for (let place = from; place < to; place++) {
      const value = values[place] as number;
      if (start !== null && isBefore(matched, key, place)) {
        session.before++;
        if (isByTime) continue;
      }
      if (value < bestValue) continue;
      const time = timeOf(matched.view, matched.documents[place] ?? 0);
      if (value > bestValue || time > bestTime) bestTime = time;
      bestValue = value;
    }
    session.bestValue = bestValue;
    session.bestTime = bestTime;
  }
  /** Number of matches left after the earlier pages. */
  const leftOf = (session: SessionMatches): number => {
    if (start === null) return perSession;
    const { rank, shown } = start;
    const known = shown.counts.get(session.key);
    const isPassed =
      known !== undefined ? session.key !== rank.key : shown.isFull && compareSessions(rank, session) > 0;
    if (!isByTime && isPassed) return 0;
    return perSession - (known ?? (shown.isFull ? session.before : 0));
  };
  // The session at the end of the previous page continues first: new matches of others may rank above it.
  const begun = isByTime || start === null ? null : start.rank.key;
  const compareBegun = (a: SessionRank, b: SessionRank) => Number(b.key === begun) - Number(a.key === begun);
  // Each has at least one match on the page, except that one.
  const chosen = [...sessions.values()]
    .filter((session) => session.bestValue > Number.NEGATIVE_INFINITY && leftOf(session) > 0)
    .sort((a, b) => compareBegun(a, b) || compareSessions(a, b))
    .slice(0, count + 1);
  const wanted = new Set(chosen);

  for (const { matched, key, from, to } of runsOf(segments)) {
    const session = sessions.get(key);
    if (session === undefined || !wanted.has(session)) continue;
    const left = Math.min(leftOf(session), count);
    for (let place = from; place < to; place++) {
      const last = session.best.length < left ? undefined : session.best.at(-1);
      if (last !== undefined && (matched.values[place] as number) < last.rank.value) continue;
      if (isBefore(matched, key, place)) continue;
      const rank = rankOf(matched, place, isByTime ? null : session);
      insert(session.best, { view: matched.view, document: matched.documents[place] ?? 0, rank }, left);
    }
  }
  return chosen
    .flatMap(({ best }) => best)
    .sort((a, b) => compareBegun(a.rank, b.rank) || compareRanks(a.rank, b.rank))
    .slice(0, count);
}

/** Consecutive matches of one session in a segment. */
function* runsOf(segments: readonly MatchedSegment[]) {
  for (const matched of segments) {
    const { view, documents } = matched;
    let run = 0;
    for (let from = 0; from < documents.length; ) {
      while ((view.runStarts[run + 1] ?? 0) <= (documents[from] ?? 0)) run++;
      const end = view.runStarts[run + 1] ?? 0;
      let to = from + 1;
      while (to < documents.length && (documents[to] ?? 0) < end) to++;
      yield { matched, key: view.runKeys[run] ?? 0, from, to };
      from = to;
    }
  }
}

/** @param session whose best match decides, `null` to rank each match by itself. */
function rankOf(matched: MatchedSegment, place: number, session: SessionRank | null): Rank {
  const { keys, ordinals, parts } = matched.view.documents;
  const document = matched.documents[place] ?? 0;
  const value = matched.values[place] ?? 0;
  const time = timeOf(matched.view, document);
  return {
    bestValue: session?.bestValue ?? value,
    bestTime: session?.bestTime ?? time,
    key: keys[document] ?? 0,
    value,
    time,
    ordinal: ordinals[document] ?? 0,
    part: parts[document] ?? 0,
  };
}

function timeOf({ documents: { timestamps } }: SegmentView, document: number): number {
  const time = timestamps[document] ?? Number.NaN;
  return Number.isNaN(time) ? NO_TIME : time;
}

/** Keeps the best `most` matches of a session, sorted. */
function insert(best: Match[], match: Match, most: number): void {
  let at = best.length;
  while (at > 0 && compareInSession(match.rank, (best[at - 1] as Match).rank) < 0) at--;
  if (at === most) return;
  best.splice(at, 0, match);
  if (best.length > most) best.pop();
}
