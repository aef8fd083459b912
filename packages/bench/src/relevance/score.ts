/** How well answers put what was wanted on top. */
export interface RelevanceScore {
  /** Mean of 1 by the rank of the first wanted session, 0 where none was found. */
  meanReciprocalRank: number;
  /** Mean share of the wanted and related sessions that are among the first ten. */
  recallAtTen: number;
}

/** The sessions that an answer showed, best first, and those that it should have shown. */
export interface JudgedAnswer {
  found: readonly string[];
  wanted: readonly string[];
  related?: readonly string[];
}

const TOP = 10;

/** The rank of the first wanted session, counted from 1; `null` where none was found. */
export function rankOf({ found, wanted }: JudgedAnswer): number | null {
  const place = found.findIndex((session) => wanted.includes(session));
  return place < 0 ? null : place + 1;
}

/** The wanted and related sessions that are not among the first ten. */
export function missing({ found, wanted, related = [] }: JudgedAnswer): string[] {
  const top = found.slice(0, TOP);
  return [...wanted, ...related].filter((session) => !top.includes(session));
}

export function scoreOf(answers: readonly JudgedAnswer[]): RelevanceScore {
  const mean = (of: (answer: JudgedAnswer) => number): number =>
    answers.reduce((sum, answer) => sum + of(answer), 0) / answers.length;
  return {
    meanReciprocalRank: mean((answer) => 1 / (rankOf(answer) ?? Number.POSITIVE_INFINITY)),
    recallAtTen: mean((answer) => {
      const expected = answer.wanted.length + (answer.related?.length ?? 0);
      return 1 - missing(answer).length / expected;
    }),
  };
}
