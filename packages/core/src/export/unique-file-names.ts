import { exportFileName } from "./file-name.ts";

/** Gives each file of a folder a unique name, also on case-insensitive file systems. */
export class UniqueFileNames {
  readonly #taken = new Set<string>();
  /** The last number given to a name, so that equal titles are not counted repeatedly. */
  readonly #numbers = new Map<string, number>();

  /** @param taken names of existing files in the folder. */
  constructor(taken: readonly string[] = []) {
    for (const name of taken) this.#taken.add(folded(name));
  }

  /** Creates a name like `exportFileName`, with `-2` and so on if it is taken. */
  unique(title: string, extension: string): string {
    const name = exportFileName(title, extension);
    const key = folded(name);
    let number = this.#numbers.get(key) ?? 1;
    let unique = name;
    while (this.#taken.has(folded(unique))) {
      number += 1;
      unique = `${name.slice(0, -extension.length - 1)}-${number}.${extension}`;
    }
    this.#numbers.set(key, number);
    this.#taken.add(folded(unique));
    return unique;
  }
}

/** File systems fold case differently; this folds as all of them together. */
function folded(name: string): string {
  return name.normalize("NFKC").toLowerCase().toUpperCase().normalize("NFKC");
}
