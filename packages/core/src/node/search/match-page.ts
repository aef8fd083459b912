import type { FoundDocuments, MatchedSegment, SegmentView } from "@sm/text-index";

/** Where a match stands in the order of all. Numbers of documents are not part of it, since merging changes them. */
export interface Rank {
  /** Of the session's best match by relevance; of the match itself by time. */
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
  /** By relevance, matches of a session stand together, where its best one belongs; by time each stands for itself. */
  sort: "relevance" | "newest";
  /** Matches of one session at most. */
  perSession: number;
  limit: number;
}

/** Comes after every time, and can be written as JSON. */
export const NO_TIME = Number.MIN_SAFE_INTEGER;

/** Where a page ended. */
export interface Position {
  /** Of the last match that was looked at. */
  rank: Rank;
  shown: ShownMatches;
}

/** A cursor that names so many sessions is some 3,000 characters long. */
const MAX_SHOWN = 500;

/**
 * How many matches of which sessions were on the pages so far. Where a match stands does not tell: what is written
 * between two pages, with a time or a score that belongs on a former one, would be taken for shown, and its session
 * passed over.
 */
export class ShownMatches {
  readonly #counts: Map<number, number>;

  /** @param counts by session, at most `MAX_SHOWN` of them. */
  constructor(counts: Iterable<readonly [key: number, count: number]> = []) {
    this.#counts = new Map(counts);
  }

  /** Later ones are not counted any more, and known by where they stand. */
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

/** What the matches of one session come to. */
interface SessionMatches {
  key: number;
  /** Of the best match by relevance; by time, of the best one that is left. */
  bestValue: number;
  bestTime: number;
  /** Matches at the place where the page before ended, and before it. */
  before: number;
  best: Match[];
}

/** Sorts documents by their time, those without one at the end. */
export function byTime({ view, documents }: FoundDocuments): MatchedSegment {
  const values = new Float64Array(documents.length);
  for (let place = 0; place < documents.length; place++) values[place] = timeOf(view, documents[place] ?? 0);
  return { view, documents, values };
}

/** Lists matches in their order, from the one after `start` on; more than a page where a caller asks for more. */
export function* matchesInOrder(
  segments: readonly MatchedSegment[],
  options: PageOptions,
  start: Position | null,
): Generator<Match> {
  const shown = new ShownMatches(start?.shown.counts);
  let position = start;
  // One more than the page tells whether there is a next one. Few pages need a second round.
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
  /** How many matches the pages before leave over. */
  const leftOf = (session: SessionMatches): number => {
    if (start === null) return perSession;
    const { rank, shown } = start;
    const known = shown.counts.get(session.key);
    const isPassed =
      known !== undefined ? session.key !== rank.key : shown.isFull && compareSessions(rank, session) > 0;
    if (!isByTime && isPassed) return 0;
    return perSession - (known ?? (shown.isFull ? session.before : 0));
  };
  // What is left of the session in which the page before has ended comes first: others may rank above it meanwhile.
  const begun = isByTime || start === null ? null : start.rank.key;
  const compareBegun = (a: SessionRank, b: SessionRank) => Number(b.key === begun) - Number(a.key === begun);
  // Each has at least one match on the page, but for that one.
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

/** Matches of one session that follow each other in a segment. */
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

/** @param session whose best match decides, `null` where each match stands for itself. */
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

/** Keeps the best `most` matches of a session, in order. */
function insert(best: Match[], match: Match, most: number): void {
  let at = best.length;
  while (at > 0 && compareInSession(match.rank, (best[at - 1] as Match).rank) < 0) at--;
  if (at === most) return;
  best.splice(at, 0, match);
  if (best.length > most) best.pop();
}
