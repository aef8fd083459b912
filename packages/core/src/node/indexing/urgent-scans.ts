import type { FoundFile } from "../catalog/found-files.ts";
import { promiseWithResolvers } from "./promise.ts";

/** Files whose records somebody waits for. */
export interface UrgentScan {
  files: FoundFile[];
  result: Promise<void>;
  resolve: () => void;
}

/** Scans that somebody waits for and that have not begun. */
export class UrgentScans {
  readonly #waiting: UrgentScan[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Several that ask for one file share a scan. @returns when the files are read as well as that can be done. */
  add(files: FoundFile[]): Promise<void> {
    const [only] = files;
    const waiting = files.length === 1 ? this.#waiting.find((scan) => isOf(scan, only)) : undefined;
    if (waiting !== undefined) return waiting.result;
    const { promise, resolve } = promiseWithResolvers<void>();
    this.#waiting.push({ files, result: promise, resolve });
    return promise;
  }

  next(): UrgentScan | undefined {
    return this.#waiting.shift();
  }

  stop(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }
}

/** Whether a scan that has not begun reads this file anyway, as it will be then. */
function isOf({ files }: UrgentScan, wanted: FoundFile | undefined): boolean {
  const [only] = files;
  if (files.length !== 1 || only === undefined || wanted === undefined) return false;
  return only.path === wanted.path && only.movedFrom === wanted.movedFrom;
}
