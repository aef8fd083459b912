import type { TranscriptRun } from "../../session/transcript.ts";

/** The tree of a transcript's runs. Linear and iterative: a session may have a hundred thousand forks. */
export class RunTree {
  readonly runs: readonly TranscriptRun[];
  readonly #firstChild: Int32Array;
  readonly #lastChild: Int32Array;
  readonly #nextSibling: Int32Array;

  constructor(runs: readonly TranscriptRun[]) {
    this.runs = runs;
    // The virtual root is the last element.
    this.#firstChild = new Int32Array(runs.length + 1).fill(-1);
    this.#lastChild = new Int32Array(runs.length + 1).fill(-1);
    this.#nextSibling = new Int32Array(runs.length).fill(-1);
    for (const [run, { parent }] of runs.entries()) {
      const place = this.#place(parent);
      const before = this.#lastChild[place] ?? -1;
      if (before < 0) this.#firstChild[place] = run;
      else this.#nextSibling[before] = run;
      this.#lastChild[place] = run;
    }
  }

  /** Whether several runs continue this one; -1 stands for the root. */
  forks(run: number): boolean {
    const place = this.#place(run);
    return this.#firstChild[place] !== this.#lastChild[place];
  }

  /** The runs that continue this one, in page order; -1 stands for the root. */
  *children(run: number): Generator<number> {
    for (let child = this.#firstChild[this.#place(run)] ?? -1; child >= 0; child = this.#nextSibling[child] ?? -1) {
      yield child;
    }
  }

  /** The child that keeps its level in the list: the one shown first. */
  mainChild(run: number): number {
    return this.#firstChild[this.#place(run)] ?? -1;
  }

  /** All runs in preorder: alternatives first, one level deeper, then the continuation. */
  *walk(): Generator<{ run: number; level: number }> {
    const waiting = [{ run: -1, level: 0 }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next.run >= 0) yield next;
      const main = this.mainChild(next.run);
      if (main < 0) continue;
      waiting.push({ run: main, level: next.level });
      const aside: number[] = [];
      for (const child of this.children(next.run)) if (child !== main) aside.push(child);
      for (const run of aside.reverse()) waiting.push({ run, level: next.level + 1 });
    }
  }

  #place(run: number): number {
    return run < 0 ? this.runs.length : run;
  }
}
