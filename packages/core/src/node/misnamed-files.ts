import type { Misnamed } from "./index/misnamed.ts";
import type { LibraryLog } from "./library-log.ts";

/** Tells how many session files cannot be listed for their names: in the log once, and for people as long as they are there. */
export class MisnamedFiles {
  readonly #log: LibraryLog;
  #misnamed: Misnamed = { count: 0, example: null };

  constructor(log: LibraryLog) {
    this.#log = log;
  }

  get count(): number {
    return this.#misnamed.count;
  }

  /** For people; `null` where all paths are UTF-8. */
  get problem(): string | null {
    const { count, example } = this.#misnamed;
    if (count === 0) return null;
    const [files, names] = count === 1 ? ["1 file is", "its path is"] : [`${count} files are`, "their paths are"];
    return `${files} not listed because ${names} not UTF-8; rename ${count === 1 ? "it" : "them"}: ${example}`;
  }

  update(misnamed: Misnamed): void {
    const before = this.problem;
    this.#misnamed = misnamed;
    if (this.problem !== null && this.problem !== before) this.#log.warn({ path: misnamed.example }, this.problem);
  }
}
