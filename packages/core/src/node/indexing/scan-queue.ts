import type { FoundFile } from "../catalog/found-files.ts";
import { sameStamp } from "../session-file/file-stamp.ts";

/**
 * What one task reads at most. Each ends in a commit, for which the threads wait for each other, and after which the
 * others read their pages of the catalog again: few large ones are best.
 */
const BATCH_BYTES = 64 * 1024 * 1024;
/** Small files cost as much for each as for their bytes: so many take half a second. */
const BATCH_FILES = 1024;
/** Of what is left a thread takes such a share, so that all end at the same time, but no less than is worth a commit. */
const BATCH_SHARE = 1 / 4;
const LEAST_BATCH_BYTES = 4 * 1024 * 1024;

/** Files whose records are to be read, in order, and those that are being read. Each step takes the same time, however many wait. */
export class ScanQueue {
  /** The next one stands last, where it is taken off without moving the others. */
  #waiting: FoundFile[] = [];
  /** Of those that wait, the one that was added last for each path. */
  readonly #waitingByPath = new Map<string, FoundFile>();
  /** As they were when reading them was ordered. */
  readonly #reading = new Map<string, FoundFile>();
  readonly #toReadAgain = new Map<string, FoundFile>();
  #waitingBytes = 0;
  #readingBytes = 0;

  /** Files that wait or are being read. */
  get size(): number {
    return this.#waiting.length + this.#reading.size;
  }

  /** Of the same files. */
  get bytes(): number {
    return this.#waitingBytes + this.#readingBytes;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  isReading(path: string): boolean {
    return this.#reading.has(path);
  }

  /**
   * Adds what a comparison has found, behind all others and without what waits already.
   *
   * @returns how many files were added.
   */
  addFound(found: readonly FoundFile[]): number {
    const added = found.filter(({ path, movedFrom }) => {
      const before = this.#reading.get(path) ?? this.#waitingByPath.get(path);
      // The old path of a moved file is forgotten only when the new one is read as such.
      return before === undefined || (movedFrom !== undefined && before.movedFrom !== movedFrom);
    });
    this.#addLast(added);
    // A file that is being read may have been read before it changed.
    for (const file of found) {
      const before = this.#reading.get(file.path);
      if (before !== undefined && !sameStamp(before.stamp, file.stamp)) this.readAgain(file);
    }
    return added.length;
  }

  /** Adds a file before all others, unless it waits already. */
  addFirst(file: FoundFile): void {
    if (this.#waitingByPath.has(file.path)) return;
    this.#waiting.push(file);
    this.#count(file);
  }

  /** Has a file that is being read read once more when that is done. */
  readAgain(file: FoundFile): void {
    this.#toReadAgain.set(file.path, file);
  }

  /** Takes what one of so many threads is to read next; {@link end} is told when that is done. */
  begin(threads: number): FoundFile[] {
    const batch: FoundFile[] = [];
    const share = (this.#waitingBytes * BATCH_SHARE) / threads;
    const most = Math.min(BATCH_BYTES, Math.max(LEAST_BATCH_BYTES, share));
    let bytes = 0;
    for (let next = this.#waiting.at(-1); next !== undefined; next = this.#waiting.at(-1)) {
      const isFull = batch.length === BATCH_FILES || (batch.length > 0 && bytes + next.stamp.size > most);
      if (isFull) break;
      this.#waiting.pop();
      if (this.#waitingByPath.get(next.path) === next) this.#waitingByPath.delete(next.path);
      this.#reading.set(next.path, next);
      batch.push(next);
      bytes += next.stamp.size;
    }
    this.#waitingBytes -= bytes;
    this.#readingBytes += bytes;
    return batch;
  }

  /** Ends the reading of a batch, whether it has failed or not. */
  end(batch: readonly FoundFile[]): void {
    const again: FoundFile[] = [];
    for (const { path, stamp } of batch) {
      this.#reading.delete(path);
      this.#readingBytes -= stamp.size;
      const file = this.#toReadAgain.get(path);
      if (file !== undefined) again.push(file);
      this.#toReadAgain.delete(path);
    }
    this.#addLast(again);
  }

  #addLast(files: readonly FoundFile[]): void {
    if (files.length === 0) return;
    this.#waiting = [...files.toReversed(), ...this.#waiting];
    for (const file of files) this.#count(file);
  }

  #count(file: FoundFile): void {
    this.#waitingByPath.set(file.path, file);
    this.#waitingBytes += file.stamp.size;
  }
}
