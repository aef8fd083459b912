import type { MessagePort } from "node:worker_threads";
import type { Phrase } from "../../search/query-tree.ts";
import type { Bitset } from "./bitset.ts";
import type { CostBudget } from "./cost-budget.ts";
import type { OnMatch } from "./phrase.ts";
import type { SegmentView } from "./view.ts";

/** Matches phrases in some segments on another thread. */
export interface PhraseHelp {
  /** @param masks the documents of each segment in which the phrases are looked for. */
  begin(
    phrases: readonly Phrase[],
    views: readonly SegmentView[],
    masks: readonly Bitset[],
    budget: CostBudget,
  ): HelpedPhrases;
}

export interface HelpedPhrases {
  /**
   * Tells of the matches in a segment, for which it may wait.
   *
   * @returns what `matchPhrases` does; `null` where nobody has looked into the segment.
   */
  take(place: number, onMatch: OnMatch): number | null;
}

export const NO_HELP: PhraseHelp = { begin: () => NOTHING_HELPED };
export const NOTHING_HELPED: HelpedPhrases = { take: () => null };

/** Where another thread is to look for phrases. Numbers name segments within their text database. */
export interface PhraseRequest {
  id: number;
  phrases: readonly Phrase[];
  segments: { shard: number; segment: number; mask: Bitset }[];
  /** See `CostBudget`. */
  steps: number;
}

export interface PhraseReply {
  id: number;
  /** In the order of the request; `null` where the other thread does not know the segment, or cannot read it. */
  segments: (PhraseMatches | null)[];
  /** That were spent. */
  steps: number;
  /** Whether nothing was left out. */
  isComplete: boolean;
}

/** Places in `HelpSetting.numbers`. */
export const ASKED = 0;
export const ANSWERED = 1;

/** What a segment has of some phrases. */
export interface PhraseMatches {
  /** A document, and how often it has a phrase, by turns. */
  found: Uint32Array;
  /** See `matchPhrases`. */
  most: number;
}

/**
 * How two threads reach each other. Both wait for the other one's number to change instead of for a message: that takes
 * half as long, and who waits has nothing else to do.
 */
export interface HelpSetting {
  /** Requests come in, replies go out. */
  port: MessagePort;
  /** Shared: at `ASKED` the last request, at `ANSWERED` the last reply. */
  numbers: Int32Array;
  /** The first one of the text databases in which the thread looks. */
  firstShard: number;
}
