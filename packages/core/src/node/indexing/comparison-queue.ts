import { isDeepStrictEqual } from "node:util";
import type { WalkResult } from "../catalog/found-files.ts";
import { stoppedError } from "../threads/thread.ts";
import { promiseWithResolvers } from "./promise.ts";

/** What a comparison has found: how many files differed from what was known, and which directories are missing. */
export interface Comparison extends Pick<WalkResult, "missing" | "expired" | "misnamed"> {
  removed: number;
  changed: number;
  /** Sessions that are listed again, perhaps without all of their text being searchable. */
  returned: number;
}

/** A comparison that waits for its turn; `missing` are directories that do not exist. */
export interface WaitingComparison {
  directories: string[];
  missing: string[];
  result: Promise<Comparison>;
  resolve: (result: Comparison) => void;
  reject: (error: unknown) => void;
}

/** Comparisons of the directories with the index that were asked for and have not begun. */
export class ComparisonQueue {
  readonly #waiting: WaitingComparison[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** One comparison is enough for all that ask before it begins; one under way may have passed a changed folder. */
  add(directories: string[], missing: string[]): Promise<Comparison> {
    const asked = { directories, missing };
    const waiting = this.#waiting.find((one) =>
      isDeepStrictEqual(asked, { directories: one.directories, missing: one.missing }),
    );
    if (waiting !== undefined) return waiting.result;
    const { promise, resolve, reject } = promiseWithResolvers<Comparison>();
    this.#waiting.push({ ...asked, result: promise, resolve, reject });
    return promise;
  }

  next(): WaitingComparison | undefined {
    return this.#waiting.shift();
  }

  stop(): void {
    for (const { reject } of this.#waiting.splice(0)) reject(stoppedError());
  }
}
