/**
 * Trees as arrays of parents by ordinal, -1 for a root. All functions are linear and iterative: sessions may be
 * hundreds of thousands of entries deep.
 */

/**
 * Breaks cycles: the first entry of a cycle in the file becomes a root. Only a parent later in the file can close a
 * cycle, so an ordinary array is returned unchanged.
 */
export function withoutCycles(parents: Int32Array): Int32Array {
  if (!parents.some((parent, ordinal) => parent >= ordinal)) return parents;
  const opened = Int32Array.from(parents);
  const UNSEEN = -1;
  const walkOf = new Int32Array(parents.length).fill(UNSEEN);
  for (let start = 0; start < opened.length; start++) {
    let ordinal = start;
    while (ordinal >= 0 && walkOf[ordinal] === UNSEEN) {
      walkOf[ordinal] = start;
      ordinal = opened[ordinal] ?? -1;
    }
    if (ordinal < 0 || walkOf[ordinal] !== start) continue;
    let first = ordinal;
    for (let at = opened[ordinal] ?? -1; at !== ordinal; at = opened[at] ?? -1) first = Math.min(first, at);
    opened[first] = -1;
  }
  return opened;
}

/** Ordinals from the root to `leaf`; empty for -1. */
export function branchTo(parents: Int32Array, leaf: number): Int32Array {
  let length = 0;
  for (let ordinal = leaf; ordinal >= 0; ordinal = parents[ordinal] ?? -1) length++;
  const branch = new Int32Array(length);
  for (let ordinal = leaf; ordinal >= 0; ordinal = parents[ordinal] ?? -1) branch[--length] = ordinal;
  return branch;
}

/** Whether an entry is on the branch that ends at `leaf`. */
export function isOnBranch(parents: Int32Array, leaf: number, wanted: number): boolean {
  let ordinal = leaf;
  while (ordinal >= 0 && ordinal !== wanted) ordinal = parents[ordinal] ?? -1;
  return ordinal === wanted;
}

/**
 * The end of every branch, in file order. Entries without conversation (names, labels, settings) do not form branches:
 * a branch ends at its last conversation entry, and is identified by the newest entry below it.
 */
export function branchEnds(parents: Int32Array, isConversation: (ordinal: number) => boolean): number[] {
  const count = parents.length;
  const kept = keptEntries(parents, isConversation);
  const hasKeptChild = new Uint8Array(count);
  for (let ordinal = 0; ordinal < count; ordinal++) {
    const parent = parents[ordinal] ?? -1;
    if (kept[ordinal] === 1 && parent >= 0) hasKeptChild[parent] = 1;
  }
  const anchor = keptAncestors(parents, kept);
  // By branch end: the newest entry at or below it.
  const newest = new Int32Array(count).fill(-1);
  for (let ordinal = 0; ordinal < count; ordinal++) {
    const end = anchor[ordinal] ?? -1;
    if (end >= 0 && hasKeptChild[end] === 0) newest[end] = Math.max(ordinal, end);
  }
  return [...newest.filter((ordinal) => ordinal >= 0).sort()];
}

/** Marks the entries with conversation and their ancestors, which form the branches. */
export function keptEntries(parents: Int32Array, isConversation: (ordinal: number) => boolean): Uint8Array {
  const kept = new Uint8Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    if (!isConversation(start)) continue;
    for (let at = start; at >= 0 && kept[at] === 0; at = parents[at] ?? -1) kept[at] = 1;
  }
  return kept;
}

/** For every entry the nearest kept ancestor or itself; -1 if there is none. */
export function keptAncestors(parents: Int32Array, kept: Uint8Array): Int32Array {
  const UNKNOWN = -2;
  const anchor = new Int32Array(parents.length).fill(UNKNOWN);
  for (let start = 0; start < parents.length; start++) {
    let at = start;
    while (at >= 0 && kept[at] === 0 && anchor[at] === UNKNOWN) at = parents[at] ?? -1;
    const found = at < 0 ? -1 : kept[at] === 1 ? at : (anchor[at] ?? -1);
    for (let back = start; back !== at && back >= 0; back = parents[back] ?? -1) anchor[back] = found;
    if (at >= 0) anchor[at] = found;
  }
  return anchor;
}

/** For every entry the newest entry at or below it: the leaf of the newest branch through it. */
export function newestBelow(parents: Int32Array): Int32Array {
  const newest = new Int32Array(parents.length).fill(-1);
  for (let ordinal = parents.length - 1; ordinal >= 0; ordinal--) {
    for (let at = ordinal; at >= 0 && newest[at] === -1; at = parents[at] ?? -1) newest[at] = ordinal;
  }
  return newest;
}
