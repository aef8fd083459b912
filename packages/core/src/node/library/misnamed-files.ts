import type { LibraryLog } from "../../library-log.ts";
import type { Misnamed } from "../catalog/misnamed-entries.ts";

/** Counts session files whose names cannot be listed, and logs changes of that number. */
export class MisnamedFiles {
  readonly #log: LibraryLog;
  #misnamed: Misnamed = { count: 0, example: null };

  constructor(log: LibraryLog) {
    this.#log = log;
  }

  get count(): number {
    return this.#misnamed.count;
  }

  update(misnamed: Misnamed): void {
    const { count, example } = misnamed;
    const isNews = count !== this.#misnamed.count || example !== this.#misnamed.example;
    this.#misnamed = misnamed;
    if (count === 0 || !isNews) return;
    const [files, names] = count === 1 ? ["1 file is", "its path is"] : [`${count} files are`, "their paths are"];
    const them = count === 1 ? "it" : "them";
    this.#log.warn({ path: example }, `${files} not listed because ${names} not UTF-8; rename ${them}: ${example}`);
  }
}
