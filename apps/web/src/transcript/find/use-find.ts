import { MAX_FIND_LENGTH } from "@sm/core";
import { useEffect, useMemo, useState } from "react";
import type { TranscriptReader } from "../transcript-reader.ts";
import { type Findings, findTogether, firstMatchFrom, type Match, matchAt } from "./find-in-branch.ts";

/** Milliseconds after a key in which the next one may come. */
const TYPING = 200;

export interface Find {
  pattern: RegExp | null;
  /** `null` before anything has been looked at. */
  findings: Findings | null;
  error: unknown;
  /** Index in branch order, from 0; -1 without a match. */
  index: number;
  match: Match | null;
  step(by: 1 | -1): void;
}

interface FindOptions {
  reader: TranscriptReader;
  /** Any of these is a match. */
  texts: readonly string[];
  /** Of these texts. */
  pattern: RegExp | null;
  /** The position from which to continue searching. */
  from(): number;
}

/** Finds text in the branch that is shown, also where nothing of it is loaded. */
export function useFind({ reader, texts, pattern, from: firstPlace }: FindOptions): Find {
  const textsKey = JSON.stringify(texts.map((text) => text.slice(0, MAX_FIND_LENGTH)));
  const [findings, setFindings] = useState<Findings | null>(null);
  const [error, setError] = useState<unknown>(null);
  // Counted from the end: older entries are looked at later, and what they have comes before what was found.
  const [fromEnd, setFromEnd] = useState<number | null>(null);
  const isKnown = reader.tree !== null;
  const { switches } = reader.pages;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another branch has other matches; what is appended waits
  useEffect(() => {
    setFindings(null);
    setError(null);
    setFromEnd(null);
    if (pattern === null || !isKnown) return;
    const aborter = new AbortController();
    const { signal } = aborter;
    const timer = setTimeout(() => void findAll(), TYPING);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };

    async function findAll() {
      const leafId = reader.pages.ids.at(-1);
      if (leafId === undefined) return;
      const from = firstPlace();
      let hasPlace = false;
      const asks = (JSON.parse(textsKey) as string[]).map(
        (query) => (cursor: string | null) => reader.find({ query, leafId, cursor }, signal),
      );
      try {
        for await (const found of findTogether(asks, signal)) {
          setFindings(found);
          const hasPassed = found.isComplete || found.total - found.scanned <= from;
          if (hasPlace || !hasPassed || found.count === 0) continue;
          hasPlace = true;
          setFromEnd(found.count - firstMatchFrom(found, from));
        }
      } catch (cause) {
        if (!signal.aborted) setError(cause);
      }
    }
  }, [reader, textsKey, pattern, isKnown, switches, firstPlace]);

  const count = findings?.count ?? 0;
  const index = fromEnd === null ? -1 : count - fromEnd;
  return {
    pattern,
    findings,
    error,
    index,
    match: useMemo(() => (findings === null || index < 0 ? null : matchAt(findings, index)), [findings, index]),
    step(by) {
      if (count > 0) setFromEnd(count - ((Math.max(0, index) + by + count) % count));
    },
  };
}
