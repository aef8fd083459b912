import type { FileStamp } from "../session-file/file-stamp.ts";

/** Paths that wait, each once: what has just changed, then what was begun with, then the newest of what was found. */
export class PendingSessions {
  readonly #changed = new Set<string>();
  readonly #begun = new Set<string>();
  readonly #found = new Map<string, number>();
  /** Of `#found`, the newest last. */
  #order: string[] | null = null;

  get size(): number {
    return this.#changed.size + this.#begun.size + this.#found.size;
  }

  addFirst(path: string): void {
    this.delete(path);
    this.#changed.add(path);
  }

  addLast(files: readonly { path: string; stamp: Pick<FileStamp, "mtime"> }[]): void {
    for (const { path, stamp } of files) {
      if (!this.#changed.has(path) && !this.#begun.has(path)) this.#found.set(path, stamp.mtime);
    }
    this.#order = null;
  }

  delete(path: string): void {
    this.#changed.delete(path);
    this.#begun.delete(path);
    this.#found.delete(path);
  }

  clear(): void {
    this.#changed.clear();
    this.#begun.clear();
    this.#found.clear();
    this.#order = null;
  }

  /** Takes out the next ones. */
  take(most: number): string[] {
    const taken: string[] = [];
    for (const set of [this.#changed, this.#begun]) {
      for (const path of set) {
        if (taken.length === most) return taken;
        set.delete(path);
        taken.push(path);
      }
    }
    this.#order ??= [...this.#found].sort(([, one], [, other]) => one - other).map(([path]) => path);
    while (taken.length < most) {
      const path = this.#order.pop();
      if (path === undefined) break;
      if (this.#found.delete(path)) taken.push(path);
    }
    return taken;
  }

  /** Of what was taken out, that which is still to be done. */
  putBack(paths: readonly string[]): void {
    for (const path of paths) if (!this.#changed.has(path)) this.#begun.add(path);
  }
}
