import type { Transcript } from "../session/transcript.ts";

/** Agents that a session has started, whose transcripts follow its own in one document. */
export interface Subagents {
  /** The number of each in the document, from 1, by ID and by path: what the results of calls name. */
  readonly numbers: ReadonlyMap<string, number>;
  /** In the order of their numbers. Opened one at a time; `null` for one that cannot be read any more. */
  transcripts(): AsyncIterable<Transcript | null>;
}

export const NO_SUBAGENTS: Subagents = {
  numbers: new Map(),
  async *transcripts() {},
};

/** Anchor of the section of a subagent. */
export function subagentAnchor(number: number): string {
  return `subagent-${number}`;
}

/** Numbers of the subagents that a call has started, each once. */
export function numbersOf(references: readonly string[], numbers: Subagents["numbers"]): number[] {
  const found = references.flatMap((reference) => numbers.get(reference) ?? []);
  return [...new Set(found)];
}

export const UNREADABLE_SUBAGENT = "This session could not be read any more.";
