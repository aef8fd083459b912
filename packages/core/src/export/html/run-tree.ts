import type { TranscriptRun } from "../../session/transcript.ts";

/** The tree that the runs of a transcript form. Linear and iterative: a session may fork a hundred thousand times. */
export class RunTree {
  readonly runs: readonly TranscriptRun[];
  readonly #firstChild: Int32Array;
  readonly #lastChild: Int32Array;
  readonly #nextSibling: Int32Array;

  constructor(runs: readonly TranscriptRun[]) {
    this.runs = runs;
    // The root of all stands at the end.
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

  /** Whether several runs continue this one; -1 asks for the roots. */
  forks(run: number): boolean {
    const place = this.#place(run);
    return this.#firstChild[place] !== this.#lastChild[place];
  }

  /** Runs that continue this one, in their order on the page; -1 gives the roots. */
  *children(run: number): Generator<number> {
    for (let child = this.#firstChild[this.#place(run)] ?? -1; child >= 0; child = this.#nextSibling[child] ?? -1) {
      yield child;
    }
  }

  /** The child with which a list stays at its level: the one that is shown first. */
  mainChild(run: number): number {
    return this.#firstChild[this.#place(run)] ?? -1;
  }

  /** Every run behind the one that it continues: what turns aside first, a level deeper, then what goes on. */
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
