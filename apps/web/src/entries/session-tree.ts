import { branchTo, keptEntries, layOutRuns, newestBelow, RunTree, type TreeEntry, withoutCycles } from "@sm/core";

/** The alternatives at a fork in file order, and the selected one. */
export interface Fork {
  /** The first entry of each continuation. */
  continuations: string[];
  current: number;
}

/** A line of the tree as it is shown: chains stay at their level, what turns aside at a fork goes one deeper. */
export interface TreeLine {
  ordinal: number;
  level: number;
  /** Whether something else turns aside right before it. */
  startsRun: boolean;
}

/** The entries of a session with their forks. It does not change; what comes later makes a new one. */
export class SessionTree {
  readonly entries: readonly TreeEntry[];
  readonly #parents: Int32Array;
  readonly #ordinals: ReadonlyMap<string, number>;
  readonly #hasContextEdits: boolean;
  readonly #isConversation = (ordinal: number): boolean => this.entries[ordinal]?.conversation ?? false;
  #newest: Int32Array | null = null;
  #continuations: Map<number, number[]> | null = null;

  /**
   * @param entries in the order of the file.
   * @param ordinals of the first entry with each id.
   */
  constructor(entries: readonly TreeEntry[], ordinals: ReadonlyMap<string, number> = ordinalsOf(entries)) {
    this.entries = entries;
    this.#ordinals = ordinals;
    this.#hasContextEdits = entries.some(({ kind }) => kind === "context_edit");
    this.#parents = withoutCycles(
      Int32Array.from(entries, ({ parent_id }) => (parent_id === null ? -1 : (this.#ordinals.get(parent_id) ?? -1))),
    );
  }

  /** The entry that the agent would continue; `null` in a session without entries. */
  get newestId(): string | null {
    return this.entries.at(-1)?.id ?? null;
  }

  has(id: string): boolean {
    return this.#ordinals.has(id);
  }

  entry(id: string): TreeEntry | null {
    return this.entries[this.#ordinals.get(id) ?? -1] ?? null;
  }

  /** Takes entries that were appended; those that it has already are left out. */
  with(appended: readonly TreeEntry[]): SessionTree {
    const others = appended.filter(({ id }) => !this.has(id));
    return others.length === 0 ? this : new SessionTree([...this.entries, ...others]);
  }

  /** Ids from the root to `leafId`; empty for an unknown entry. */
  branch(leafId: string): string[] {
    const ordinals = branchTo(this.#parents, this.#ordinals.get(leafId) ?? -1);
    return Array.from(ordinals, (ordinal) => this.#id(ordinal));
  }

  /** By edited entry, the newest entry on the branch that changes what the model sees of it. */
  contextEdits(leafId: string): ReadonlyMap<string, TreeEntry> {
    const edits = new Map<string, TreeEntry>();
    if (!this.#hasContextEdits) return edits;
    for (const id of this.branch(leafId)) {
      const entry = this.entry(id);
      if (entry?.kind === "context_edit" && entry.target_id !== null) edits.set(entry.target_id, entry);
    }
    return edits;
  }

  isOnBranch(id: string, leafId: string): boolean {
    const wanted = this.#ordinals.get(id);
    let at = this.#ordinals.get(leafId) ?? -1;
    while (at >= 0 && at !== wanted) at = this.#parents[at] ?? -1;
    return at >= 0;
  }

  /** The newest entry that continues this one, itself where none does. */
  leafBelow(id: string): string {
    this.#newest ??= newestBelow(this.#parents);
    const ordinal = this.#ordinals.get(id);
    return ordinal === undefined ? id : this.#id(this.#newest[ordinal] ?? ordinal);
  }

  /** Finds all forks, which takes a while in a long session; otherwise done when the first one is asked for. */
  findForks(): void {
    this.#continuations ??= continuations(this.#parents, this.#isConversation);
  }

  /** The fork before this entry; `null` without alternatives. */
  forkAt(id: string): Fork | null {
    const ordinal = this.#ordinals.get(id);
    if (ordinal === undefined) return null;
    const continuations = this.#continuationsOf(this.#parents[ordinal] ?? -1);
    const current = continuations.indexOf(ordinal);
    if (continuations.length < 2 || current < 0) return null;
    return { continuations: continuations.map((one) => this.#id(one)), current };
  }

  /** The whole tree, the newest branch as its trunk. */
  lines(): TreeLine[] {
    const { ordinals, runs } = layOutRuns(this.#parents, this.#isConversation);
    const starts: number[] = [];
    let start = 0;
    for (const { count } of runs) {
      starts.push(start);
      start += count;
    }
    const lines: TreeLine[] = [];
    for (const { run, level } of new RunTree(runs).walk()) {
      const from = starts[run] ?? 0;
      for (let at = from; at < from + (runs[run]?.count ?? 0); at++) {
        lines.push({ ordinal: ordinals[at] ?? 0, level, startsRun: at === from });
      }
    }
    return lines;
  }

  #id(ordinal: number): string {
    return this.entries[ordinal]?.id ?? "";
  }

  #continuationsOf(parent: number): number[] {
    this.findForks();
    return this.#continuations?.get(parent) ?? [];
  }
}

/** Takes the entries of a session as they come. */
export class SessionTreeBuilder {
  readonly #entries: TreeEntry[] = [];
  readonly #ordinals = new Map<string, number>();

  /** @param entries the next ones in the order of the file. */
  add(entries: readonly TreeEntry[]): void {
    for (const entry of entries) {
      if (!this.#ordinals.has(entry.id)) this.#ordinals.set(entry.id, this.#entries.length);
      this.#entries.push(entry);
    }
  }

  /** Must be the last call. */
  tree(): SessionTree {
    return new SessionTree(this.#entries, this.#ordinals);
  }
}

function ordinalsOf(entries: readonly TreeEntry[]): Map<string, number> {
  const ordinals = new Map<string, number>();
  for (const [ordinal, { id }] of entries.entries()) if (!ordinals.has(id)) ordinals.set(id, ordinal);
  return ordinals;
}

/** By parent, -1 for the roots, what continues it: entries without conversation that hang aside do not. */
function continuations(parents: Int32Array, isConversation: (ordinal: number) => boolean): Map<number, number[]> {
  const kept = keptEntries(parents, isConversation);
  const found = new Map<number, number[]>();
  for (const [ordinal, parent] of parents.entries()) {
    if (kept[ordinal] === 0) continue;
    const others = found.get(parent);
    if (others === undefined) found.set(parent, [ordinal]);
    else others.push(ordinal);
  }
  return found;
}

/** How many entries two branches share from their root on. */
export function sharedLength(one: readonly string[], other: readonly string[]): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

const NO_EDITS: ReadonlyMap<string, TreeEntry> = new Map();

/** Does what `SessionTree.contextEdits` does; none before the tree and the branch are known. */
export function contextEditsOf(tree: SessionTree | null, leafId: string | null): ReadonlyMap<string, TreeEntry> {
  return tree === null || leafId === null ? NO_EDITS : tree.contextEdits(leafId);
}
