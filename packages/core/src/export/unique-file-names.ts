import { exportFileName } from "./file-name.ts";

/** Gives each file of one folder a name that no other one there has, also where case does not tell names apart. */
export class UniqueFileNames {
  readonly #taken = new Set<string>();
  /** The number that a name has got last: a thousand equal titles are not to be counted through for each of them. */
  readonly #numbers = new Map<string, number>();

  /** @param taken names of files that are in the folder besides. */
  constructor(taken: readonly string[] = []) {
    for (const name of taken) this.#taken.add(folded(name));
  }

  /** Makes a name of a title, as `exportFileName` does, with `-2` and so on where it is taken. */
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

/** File systems fold in several ways; this folds whatever any of them does. */
function folded(name: string): string {
  return name.normalize("NFKC").toLowerCase().toUpperCase().normalize("NFKC");
}
