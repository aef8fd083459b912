/**
 * Trees given as an array of parents by ordinal, -1 for a root. Every function is linear and iterative:
 * sessions may be hundreds of thousands of entries deep.
 */

/**
 * Returns the parents with every cycle opened: the entry of a cycle that comes first in the file becomes a root.
 * Only a parent that stands later in the file can close a cycle, so an ordinary file is returned as it is.
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

/** Ordinals from the root to `leaf`, -1 for none. */
export function branchTo(parents: Int32Array, leaf: number): Int32Array {
  let length = 0;
  for (let ordinal = leaf; ordinal >= 0; ordinal = parents[ordinal] ?? -1) length++;
  const branch = new Int32Array(length);
  for (let ordinal = leaf; ordinal >= 0; ordinal = parents[ordinal] ?? -1) branch[--length] = ordinal;
  return branch;
}

/**
 * Returns the end of every branch, in file order. Entries without conversation (names, labels, settings) make no
 * branch of their own: a branch ends at its last conversation, and is named by the newest entry that hangs below it.
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
  // By the end of each branch the newest entry below it, which is at least the end itself.
  const newest = new Int32Array(count).fill(-1);
  for (let ordinal = 0; ordinal < count; ordinal++) {
    const end = anchor[ordinal] ?? -1;
    if (end >= 0 && hasKeptChild[end] === 0) newest[end] = Math.max(ordinal, end);
  }
  return [...newest.filter((ordinal) => ordinal >= 0).sort()];
}

/** Marks the entries with conversation and all on the way to one: those of which branches are made. */
export function keptEntries(parents: Int32Array, isConversation: (ordinal: number) => boolean): Uint8Array {
  const kept = new Uint8Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    if (!isConversation(start)) continue;
    for (let at = start; at >= 0 && kept[at] === 0; at = parents[at] ?? -1) kept[at] = 1;
  }
  return kept;
}

/** For every entry the nearest kept one on its way to the root, itself included; -1 where there is none. */
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

/** By entry the newest one at or below it: the leaf of the newest branch through it. */
export function newestBelow(parents: Int32Array): Int32Array {
  const newest = new Int32Array(parents.length).fill(-1);
  for (let ordinal = parents.length - 1; ordinal >= 0; ordinal--) {
    for (let at = ordinal; at >= 0 && newest[at] === -1; at = parents[at] ?? -1) newest[at] = ordinal;
  }
  return newest;
}
