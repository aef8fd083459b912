import { partsUnder, type SubstringPiece } from "../analysis/substring.ts";
import type { PostingList, Segment } from "../segment/segment.ts";
import type { CostBudget } from "./cost-budget.ts";
import type { Slot } from "./phrase-matcher.ts";
import {
  exactTerm,
  identifiersContaining,
  identifiersFrom,
  STEPS_OF_TERM,
  takeTerms,
  termsContaining,
  termsFrom,
} from "./terms.ts";

/** Shorter pieces start or end very many words. */
const MIN_LETTERS = 3;

/** Maximum combinations of pieces in terms and across parts of identifiers. */
const MAX_COMBINED = 64;

/**
 * Lists increasing subsets of a pattern's pieces for narrowing: first whole words, which need no dictionary search,
 * then those at the ends. For patterns that are verified anyway; starts empty if every piece starts or ends very many
 * words.
 */
export function narrowingPieces(pieces: readonly SubstringPiece[]): (readonly SubstringPiece[])[] {
  const whole = pieces.filter(({ match }) => match === "whole");
  const telling = pieces.filter(isTelling);
  const stages = whole.length > 0 ? [whole, telling, pieces] : [telling, pieces];
  return stages.filter((stage, place) => place === 0 || stage.length !== stages[place - 1]?.length);
}

export function isTelling({ text, match }: SubstringPiece): boolean {
  return match === "whole" || text.length >= MIN_LETTERS;
}

/**
 * How the pieces of a `~pattern` may occur in the texts of a segment, see `substringPieces`. Each way is a list of
 * consecutive slots.
 */
export class SubstringWays {
  readonly #segment: Segment;
  readonly #pieces: readonly SubstringPiece[];
  readonly #budget: CostBudget;
  readonly #terms = new Map<SubstringPiece, Slot>();
  readonly #parts = new Map<string, Slot>();

  constructor(segment: Segment, pieces: readonly SubstringPiece[], budget: CostBudget) {
    this.#segment = segment;
    this.#pieces = pieces;
    this.#budget = budget;
  }

  /** Each piece in separate terms; at most one way. */
  inTerms(): Slot[][] {
    const slots: Slot[] = [];
    for (const piece of this.#pieces) {
      const terms = this.#termsOf(piece);
      if (terms.length === 0) return [];
      slots.push(terms);
    }
    return slots.length === 0 ? [] : [slots];
  }

  /** Whether a piece may span parts of an identifier. */
  mayCrossParts(): boolean {
    for (const piece of this.#pieces) {
      for (const { term } of identifiersMet(this.#segment, piece)) {
        if (!this.#budget.spend(STEPS_OF_TERM) || partsUnder(piece, term).length > 0) return true;
      }
    }
    return false;
  }

  /**
   * With at least one piece across parts of an identifier. A matching text may contain the pattern, or the same words
   * apart. If there are too many combinations, the last pieces are omitted, which matches more texts.
   *
   * @param most maximum identifier parts inspected per piece.
   */
  acrossParts(most: number): Slot[][] {
    let ways: { slots: Slot[]; crosses: boolean }[] = this.#pieces.length === 0 ? [] : [{ slots: [], crosses: false }];
    for (const piece of this.#pieces) {
      const terms = this.#termsOf(piece);
      const next = this.#runsOf(piece, most).map((slots) => ({ slots, crosses: true }));
      if (terms.length > 0) next.unshift({ slots: [terms], crosses: false });
      if (ways.length > 1 && next.length > 1 && ways.length * next.length > MAX_COMBINED) {
        return ways.map(({ slots }) => slots);
      }
      ways = ways.flatMap((way) =>
        next.map(({ slots, crosses }) => ({ slots: [...way.slots, ...slots], crosses: way.crosses || crosses })),
      );
    }
    return ways.filter(({ crosses }) => crosses).map(({ slots }) => slots);
  }

  #termsOf(piece: SubstringPiece): Slot {
    let terms = this.#terms.get(piece);
    if (terms === undefined) {
      terms = takeTerms(termsMet(this.#segment, piece), this.#budget);
      this.#terms.set(piece, terms);
    }
    return terms;
  }

  #runsOf(piece: SubstringPiece, most: number): Slot[][] {
    const runs = new Map<string, string[]>();
    for (const { term } of identifiersMet(this.#segment, piece)) {
      if (!this.#budget.spend(STEPS_OF_TERM)) break;
      for (const parts of partsUnder(piece, term)) runs.set(parts.join(" "), parts);
      if (runs.size <= most) continue;
      this.#budget.leaveOut();
      break;
    }
    return [...runs.values()]
      .map((parts) => parts.map((part) => this.#part(part)))
      .filter((slots) => slots.every((slot) => slot.length > 0));
  }

  #part(term: string): Slot {
    let slot = this.#parts.get(term);
    if (slot === undefined) {
      slot = exactTerm(this.#segment, term);
      this.#parts.set(term, slot);
    }
    return slot;
  }
}

function identifiersMet(segment: Segment, { text, match }: SubstringPiece): Iterable<PostingList> {
  if (match === "whole") return identifiersFrom(segment, `${text} `);
  return match === "beginning" ? identifiersFrom(segment, text) : identifiersContaining(segment, text);
}

function* termsMet(segment: Segment, { text, match }: SubstringPiece) {
  if (match === "whole") yield* exactTerm(segment, text);
  else if (match === "beginning") yield* termsFrom(segment, text);
  else {
    for (const postings of termsContaining(segment, text)) {
      if (match === "within" || postings.term.endsWith(text)) yield postings;
    }
  }
}
