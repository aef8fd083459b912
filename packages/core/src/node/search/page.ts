import type { SegmentView } from "./view.ts";

/** The documents of a segment that match, in ascending order. */
export interface FoundDocuments {
  view: SegmentView;
  documents: Uint32Array;
}

/** With what they are sorted by. */
export interface MatchedSegment extends FoundDocuments {
  /** The higher, the earlier: the score, or the time. */
  values: Float64Array;
}

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

/** What the matches of one session come to. */
interface SessionMatches {
  key: number;
  /** Of the best match that is left. */
  bestValue: number;
  bestTime: number;
  /** Matches before the page. */
  shown: number;
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
  start: Rank | null,
): Generator<Match> {
  let position = start;
  // One more than the page tells whether there is a next one. Few pages need a second round.
  for (let count = options.limit + 1; ; count *= 2) {
    const matches = nextMatches(segments, options, position, count);
    yield* matches;
    const last = matches.at(-1);
    if (last === undefined || matches.length < count) return;
    position = last.rank;
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
  start: Rank | null,
  count: number,
): Match[] {
  const isByTime = sort === "newest";
  const shownUpTo = isByTime ? start : null;
  const isShown = (matched: MatchedSegment, place: number): boolean =>
    shownUpTo !== null && compareRanks(rankOf(matched, place, null), shownUpTo) <= 0;

  const sessions = new Map<number, SessionMatches>();
  for (const { matched, key, from, to } of runsOf(segments)) {
    const session = sessions.get(key) ?? {
      key,
      bestValue: Number.NEGATIVE_INFINITY,
      bestTime: NO_TIME,
      shown: 0,
      best: [],
    };
    sessions.set(key, session);
    const { values } = matched;
    for (let place = from; place < to; place++) {
      const value = values[place] as number;
      if (shownUpTo !== null && isShown(matched, place)) session.shown++;
      else if (value >= session.bestValue) {
        const time = timeOf(matched.view, matched.documents[place] ?? 0);
        if (value > session.bestValue || time > session.bestTime) session.bestTime = time;
        session.bestValue = value;
      }
    }
  }
  const isLeft = (session: SessionMatches): boolean =>
    isByTime
      ? session.shown < perSession && session.bestValue > Number.NEGATIVE_INFINITY
      : start === null || compareSessions(start, session) <= 0;
  // Each has at least one match on the page, but for the session in which the page before has ended.
  const chosen = [...sessions.values()]
    .filter(isLeft)
    .sort(compareSessions)
    .slice(0, count + 1);
  const wanted = new Set(chosen);

  for (const { matched, key, from, to } of runsOf(segments)) {
    const session = sessions.get(key);
    if (session === undefined || !wanted.has(session)) continue;
    for (let place = from; place < to; place++) {
      if (isShown(matched, place)) continue;
      const rank = rankOf(matched, place, isByTime ? null : session);
      insert(
        session.best,
        { view: matched.view, document: matched.documents[place] ?? 0, rank },
        perSession - session.shown,
      );
    }
  }
  return chosen
    .flatMap(({ best }) => best)
    .filter(({ rank }) => start === null || compareRanks(rank, start) > 0)
    .sort((a, b) => compareRanks(a.rank, b.rank))
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
