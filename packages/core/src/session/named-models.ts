/** A model as an entry names it. */
export interface ModelName {
  model: string | null;
  provider: string | null;
}

/** Numbers the models that the entries of a session name, from 1 in the order of the file; 0 is an unknown one. */
export class NamedModels {
  readonly #names: ModelName[];
  readonly #numbers = new Map<string, number>();
  /** The number that was asked for last: mostly the next entry names the same model. */
  #latest = 0;

  /** @param names the models so far, see {@link NamedModels.numberOf}, which adds to them. */
  constructor(names: ModelName[]) {
    this.#names = names;
    for (const [place, name] of names.entries()) this.#numbers.set(keyOf(name), place + 1);
  }

  at(number: number): ModelName {
    return this.#names[number - 1] ?? UNKNOWN;
  }

  /** The number of a model, which is added where it is new. */
  numberOf(name: ModelName): number {
    const { model, provider } = this.at(this.#latest);
    if (model === name.model && provider === name.provider) return this.#latest;
    const key = keyOf(name);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#names.push({ model: name.model, provider: name.provider });
      this.#numbers.set(key, number);
    }
    this.#latest = number;
    return number;
  }
}

const UNKNOWN: ModelName = { model: null, provider: null };

function keyOf({ model, provider }: ModelName): string {
  return JSON.stringify([provider, model]);
}
