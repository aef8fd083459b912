import type { TranscriptRun } from "./transcript.ts";
import { branchTo, keptAncestors, keptEntries } from "./tree.ts";

/** Order of a session's entries in a transcript, and the runs they form. */
export interface RunLayout {
  /** Each entry once. */
  ordinals: Int32Array;
  runs: TranscriptRun[];
}

/**
 * Arranges a tree in runs: first those of the newest branch, then the others, each after the run it continues, with its
 * own continuations directly after. Linear and iterative, as in tree.ts.
 *
 * Side entries without conversation do not form a run: they are placed in file order in the run of the entry they are
 * attached to, or in the first run.
 *
 * @param parents without cycles.
 */
export function layOutRuns(parents: Int32Array, isConversation: (ordinal: number) => boolean): RunLayout {
  const kept = keptEntries(parents, isConversation);
  const anchors = keptAncestors(parents, kept);
  const chains = chainsOf(parents, kept, newestEnd(parents, anchors));
  return withAsides(chains, anchors);
}

/** The newest leaf at or below the anchor of the newest entry; -1 without kept entries. */
function newestEnd(parents: Int32Array, anchors: Int32Array): number {
  const count = parents.length;
  const anchor = anchors[count - 1] ?? -1;
  const isSeen = new Uint8Array(count);
  for (let ordinal = count - 1; ordinal >= 0; ordinal--) {
    if (anchors[ordinal] !== ordinal) continue;
    let at = ordinal;
    while (at >= 0 && at !== anchor && isSeen[at] === 0) {
      isSeen[at] = 1;
      at = parents[at] ?? -1;
    }
    if (at === anchor) return ordinal;
  }
  return -1;
}

/** Consecutive runs of kept entries in `ordinals`. */
interface Chains {
  ordinals: Int32Array;
  runs: TranscriptRun[];
  /** By ordinal, of kept entries. */
  runOf: Int32Array;
}

function chainsOf(parents: Int32Array, kept: Uint8Array, end: number): Chains {
  const count = parents.length;
  const childCount = new Uint32Array(count);
  // The children of an entry, last one first, so that a stack yields them in file order.
  const lastChild = new Int32Array(count).fill(-1);
  const childBefore = new Int32Array(count).fill(-1);
  for (let ordinal = 0; ordinal < count; ordinal++) {
    const parent = parents[ordinal] ?? -1;
    if (kept[ordinal] === 0 || parent < 0) continue;
    childCount[parent] = (childCount[parent] ?? 0) + 1;
    childBefore[ordinal] = lastChild[parent] ?? -1;
    lastChild[parent] = ordinal;
  }
  const isShown = new Uint8Array(count);
  let leaf = end;
  // Usually already a leaf; but a child may precede its parent in the file.
  while ((lastChild[leaf] ?? -1) >= 0) leaf = lastChild[leaf] ?? -1;
  const shown = branchTo(parents, leaf);
  for (const ordinal of shown) isShown[ordinal] = 1;

  const chains: Chains = {
    ordinals: new Int32Array(kept.reduce((sum, one) => sum + one, 0)),
    runs: [],
    runOf: new Int32Array(count).fill(-1),
  };
  let length = 0;
  const beginsRun = (ordinal: number) => {
    const parent = parents[ordinal] ?? -1;
    return parent < 0 || (childCount[parent] ?? 0) > 1;
  };
  /** @returns the entry at which the run forks or ends. */
  const addRun = (start: number) => {
    const run = chains.runs.length;
    const first = length;
    let at = start;
    for (;;) {
      chains.ordinals[length++] = at;
      chains.runOf[at] = run;
      if (childCount[at] !== 1) break;
      at = lastChild[at] ?? -1;
    }
    const parent = parents[start] ?? -1;
    chains.runs.push({
      parent: parent < 0 ? -1 : (chains.runOf[parent] ?? -1),
      count: length - first,
      shown: isShown[start] === 1,
    });
    return at;
  };

  for (const ordinal of shown) if (beginsRun(ordinal)) addRun(ordinal);
  for (let top = 0; top < count; top++) {
    const parent = parents[top] ?? -1;
    const leavesShown = parent < 0 || isShown[parent] === 1;
    if (kept[top] === 0 || isShown[top] === 1 || !leavesShown) continue;
    const waiting = [top];
    for (let start = waiting.pop(); start !== undefined; start = waiting.pop()) {
      const last = addRun(start);
      for (let child = lastChild[last] ?? -1; child >= 0; child = childBefore[child] ?? -1) waiting.push(child);
    }
  }
  return chains;
}

/** Inserts the side entries. */
function withAsides({ ordinals: chained, runs, runOf }: Chains, anchors: Int32Array): RunLayout {
  const count = anchors.length;
  if (runs.length === 0) {
    const ordinals = Int32Array.from(anchors.keys());
    return { ordinals, runs: count === 0 ? [] : [{ parent: -1, count, shown: true }] };
  }
  const asides: number[][] = [];
  for (let ordinal = 0; ordinal < count; ordinal++) {
    const anchor = anchors[ordinal] ?? -1;
    if (anchor === ordinal) continue;
    const run = anchor < 0 ? 0 : (runOf[anchor] ?? 0);
    const others = asides[run];
    if (others === undefined) asides[run] = [ordinal];
    else others.push(ordinal);
  }
  const ordinals = new Int32Array(count);
  const isPlaced = new Uint8Array(count);
  let length = 0;
  let chainEnd = 0;
  const place = (ordinal: number) => {
    isPlaced[ordinal] = 1;
    ordinals[length++] = ordinal;
  };
  for (const [run, { count: inChain }] of runs.entries()) {
    const waiting = asides[run] ?? [];
    let next = 0;
    chainEnd += inChain;
    for (const ordinal of chained.subarray(chainEnd - inChain, chainEnd)) {
      for (let aside = waiting[next]; aside !== undefined && aside < ordinal; aside = waiting[next]) {
        const anchor = anchors[aside] ?? -1;
        if (anchor >= 0 && isPlaced[anchor] === 0) break;
        place(aside);
        next++;
      }
      place(ordinal);
    }
    for (const aside of waiting.slice(next)) place(aside);
  }
  return {
    ordinals,
    runs: runs.map((run, at) => ({ ...run, count: run.count + (asides[at]?.length ?? 0) })),
  };
}
